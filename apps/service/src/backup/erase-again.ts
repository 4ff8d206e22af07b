import type { Logger } from 'pino';
import type { AuditAct } from '../audit/audit-entries.ts';
import { ERASURE_OPERATIONS } from '../audit/audit-entries.ts';
import { withTimeout } from '../audit/checkpoint-copy.ts';
import { getErrorCode, OperatorError } from '@caregate/data-store/errors';
import type { ServiceConfig } from '../config/service-config.ts';
import { addErased, readErased, type ErasedPerson } from './erased-list.ts';
import { toIdBytes } from '@caregate/data-store';
import { withEraser } from '../open-data.ts';

/**
 * Erases again the people whom a restored backup brought back. Call it before the service starts. @returns the number
 * of people @throws OperatorError if a list is unreadable
 */
export async function eraseAgain(
  config: Pick<ServiceConfig, 'dataDir' | 'databaseUrl' | 'checkpointCopy'>,
  record: (act: AuditAct) => Promise<unknown>,
  logger: Pick<Logger, 'warn'>,
): Promise<number> {
  const { dataDir, checkpointCopy: copies } = config;
  const own = await readErased([dataDir]);
  const listed = copies === '' ? own : await readCopiedList(own, copies, logger);
  if (listed.length === 0) {
    return 0;
  }
  await addErased([dataDir], listed);
  const people = listed.map((person) => ({
    ...person,
    key: { team_id: toIdBytes(person.team_id), user_id: toIdBytes(person.user_id) },
  }));
  return await withEraser(config, async (eraser) => {
    const restoredKeys = new Set(await eraser.excludeErased(people.map(({ key }) => key)));
    for (const { team_id, user_id, proposal_id: proposal, key } of people) {
      if (restoredKeys.has(key)) {
        await eraser.erase(key, async () => {
          await record({
            ...{ operation: ERASURE_OPERATIONS.erase, team_id, patients: [user_id] },
            details: { proposal, again: 1 },
          });
        });
      }
    }
    if (restoredKeys.size > 0) {
      await eraser.scrub();
      logger.warn(
        { people: restoredKeys.size },
        'people who were in a restored store were erased again',
      );
    }
    return restoredKeys.size;
  });
}

/** Also reads and completes the copied list. An unavailable network share is a warning, as it is for checkpoints. */
async function readCopiedList(
  own: readonly ErasedPerson[],
  copies: string,
  logger: Pick<Logger, 'warn'>,
): Promise<readonly ErasedPerson[]> {
  try {
    const copied = await withTimeout(readErased([copies]));
    await withTimeout(addErased([copies], own));
    return [...own, ...copied];
  } catch (error) {
    if (error instanceof OperatorError) {
      throw error;
    }
    const code = getErrorCode(error);
    logger.warn(
      { code, path: copies },
      'the copied list of erased people cannot be read or written',
    );
    return own;
  }
}
