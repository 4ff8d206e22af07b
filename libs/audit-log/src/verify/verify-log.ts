import { setTimeout as sleep } from 'node:timers/promises';
import { AuditBrokenError } from '../errors.ts';
import type { WholeLog } from '../log/log-source.ts';
import type { VerifierKey } from '../note/checkpoint.ts';
import { LogChecks } from './log-checks.ts';

export interface VerifyOptions {
  /** Preferably kept elsewhere. */
  readonly key: VerifierKey;
  /** A checkpoint kept elsewhere: without it, an earlier state of the whole log verifies. */
  readonly outside?: string;
  /** Whether the log is being written: an incomplete end is accepted. Default for a folder: whether a process holds its lock. */
  readonly isLive?: boolean;
  readonly onProgress?: (records: number) => void;
  /** Share of one core to take, 0 to 1; without it, all of it, and threads for a long log. */
  readonly share?: number;
}

export interface VerifyReport {
  readonly size: number;
  readonly root: Buffer;
  readonly seals: number;
  readonly checkpoints: number;
}

/** @throws AuditBrokenError at the first failure, BadCheckpointError if `outside` is not signed by `key` */
export async function verifyLog(
  log: WholeLog,
  { key, outside: note, isLive = false, onProgress, share = 1 }: VerifyOptions,
): Promise<VerifyReport> {
  const { keys } = log.checkpoints.at(-1) as WholeLog['checkpoints'][number];
  if (!keys.has(key)) {
    throw new AuditBrokenError('bad_signature', 'The log does not belong to this public key');
  }
  const outside = note === undefined ? [] : [keys.open(note)];
  const from = log.hasAllCheckpoints ? 'a stored checkpoint' : 'the stored checkpoint';
  const checks = new LogChecks({
    log,
    checkpoints: [
      ...log.checkpoints.map(({ size, root, keys: of }) => ({ size, root, keys: of, from })),
      ...outside.map(({ size, root, keys: of }) => {
        return { size, root, keys: of, from: 'the given checkpoint' };
      }),
    ],
    isLive,
  });
  let began = performance.now();
  for await (const part of log.parts()) {
    for (const item of part) {
      if ('entry' in item) {
        checks.record(item.entry, item.leaf, item.stored);
        continue;
      }
      checks.seal(item.seal, item.isSigned);
      if (checks.seals.isFull) {
        await checks.seals.settle();
      }
    }
    onProgress?.(checks.tree.size);
    if (share < 1) {
      await sleep((performance.now() - began) * (1 / share - 1));
      began = performance.now();
    }
  }
  await checks.seals.settle();
  const { size } = checks.tree;
  await log.finish(size);
  checks.finish();
  return {
    size,
    root: checks.tree.root(),
    seals: checks.sealed,
    checkpoints: log.checkpoints.length + outside.length,
  };
}
