import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { VerifierKey } from '../note/checkpoint.ts';
import { auditEntry } from '../testing/audit-entry.testing.ts';
import { sessionOf } from '../testing/postgres-log.testing.ts';
import { archivedLogs } from './archived-logs.ts';
import { inPlace, type LogPlace } from './log-place.testing.ts';
import type { NewLog } from '../folder/new-log.ts';
import { newLogOnPostgres } from './new-log.ts';

const reason = 'The database was restored from an old backup.';

const begin = ({ url, folder }: LogPlace): Promise<NewLog> =>
  newLogOnPostgres({ url, timeoutMs: 600_000, replicated: false }, folder, {
    ...{ reason, actorId: 'command line: amara' },
  });

/** Writes 21 records and one that opens the log; returns its id. */
async function write(place: LogPlace): Promise<string> {
  const log = await place.open();
  await Promise.all(Array.from({ length: 21 }, () => log.record(auditEntry())));
  await log.close();
  return log.logId;
}

const cutOff = `delete from audit_event where seq >= 11; delete from audit_seal where size > 11;
  delete from audit_checkpoint where size > 11`;

function removeKey({ folder }: LogPlace): void {
  rmSync(join(folder, 'audit-key.pem'));
}

async function archivedIn({ url }: LogPlace, publicKey: string): Promise<string[]> {
  const session = await sessionOf(url);
  try {
    return [...(await archivedLogs(session, VerifierKey.parse(publicKey)))];
  } finally {
    await session.close();
  }
}

describe('a new log on PostgreSQL after a broken one', () => {
  it.each<[what: string, (place: LogPlace) => Promise<void> | void]>([
    ['whose end was cut off', (place) => place.tamper(cutOff)],
    [
      'with a changed record',
      (place) => place.tamper(`update audit_event set body = '{}' where seq = 3`),
    ],
    ['whose key is missing', removeKey],
  ])('%s: is accepted by a start, and names the old one', async (_what, damage) => {
    await inPlace(async (place) => {
      const old = await write(place);
      await damage(place);
      const { logId, publicKey, archive } = await begin(place);
      const log = await place.open();
      expect([log.logId, log.verifierKey]).toEqual([logId, publicKey]);
      await log.close();
      const [named] = await place.rows(
        `select body from audit_event where log_id = '${logId}' and seq = 1`,
      );
      expect(JSON.parse(String(named?.['body']))).toMatchObject({
        operation: 'newAuditLog',
        actor_id: 'command line: amara',
        details: { reason, archived: old },
      });
      expect(await archivedIn(place, publicKey)).toEqual([old]);
      expect((await place.verify(publicKey)).size).toBeGreaterThanOrEqual(2);
      expect(readdirSync(join(archive, 'audit-kept'))).toEqual([old]);
    });
  });

  it('is named by the refusal, and not begun where the log is whole', async () => {
    await inPlace(async (place) => {
      await write(place);
      await expect(begin(place)).rejects.toThrow('The audit log is whole');
      await place.tamper(cutOff);
      await expect(place.open()).rejects.toThrow('has 11 records in the database, and had 22');
    });
  });

  it('that was interrupted is refused by a start, and begun again by the same command', async () => {
    await inPlace(async (place) => {
      const old = await write(place);
      const oldKey = readFileSync(join(place.folder, 'audit-key.pem'));
      await place.tamper(cutOff);
      const { archive } = await begin(place);
      // As if nothing of the data folder had been changed yet.
      writeFileSync(join(place.folder, 'audit-key.pem'), oldKey);
      rmSync(join(place.folder, 'audit-kept'), { recursive: true, force: true });
      const kept = readFileSync(join(archive, 'audit-kept', old));
      rmSync(archive, { recursive: true });
      mkdirSync(join(place.folder, 'audit-kept'));
      writeFileSync(join(place.folder, 'audit-kept', old), kept);
      await expect(place.open()).rejects.toThrow('has 11 records');
      const { publicKey } = await begin(place);
      await (await place.open()).close();
      expect(await archivedIn(place, publicKey)).toEqual([old]);
    });
  });
});
