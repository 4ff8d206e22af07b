import { describe, expect, it } from '@jest/globals';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { loadOrMakeKey } from '../../note/audit-key.ts';
import { VerifierKey } from '../../note/checkpoint.ts';
import { auditEntry } from '../../testing/audit-entry.testing.ts';
import { newKey, openLog } from '../../testing/postgres-log.testing.ts';
import { inPlace, type LogPlace } from '../log-place.testing.ts';
import { acceptBreakOnPostgres } from './accept-break.ts';
import { takeKey } from './finish-break.ts';
import type { OwnRecord } from '../../entry/record-text.ts';

interface Broken extends LogPlace {
  readonly logId: string;
  readonly verifierKey: string;
  accept(publicKey?: string): Promise<string>;
  /** All in the data folder, by path. */
  files(): Record<string, string>;
}

/** A log of 31 records whose end was cut off, with its checkpoint. */
function inBrokenPlace(
  body: (place: Broken) => Promise<void>,
  damage = `delete from audit_event where seq >= 11; delete from audit_seal where size > 11;
            delete from audit_checkpoint where size > 11`,
): Promise<void> {
  return inPlace(async (place) => {
    const log = await place.open({ checkpointEveryMs: 3_600_000 });
    for (let at = 0; at < 10; at += 1) {
      await log.record(auditEntry());
    }
    await log.checkpoint();
    await Promise.all(Array.from({ length: 20 }, () => log.record(auditEntry())));
    await log.close();
    const kept = join(place.folder, 'audit-kept', log.logId);
    while (!existsSync(kept) || !readFileSync(kept, 'utf8').includes('\n31\n')) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    if (damage !== '') {
      await place.tamper(damage);
    }
    await body({
      ...place,
      logId: log.logId,
      verifierKey: log.verifierKey,
      accept: (publicKey) =>
        acceptBreakOnPostgres(
          { url: place.url, timeoutMs: 600_000, replicated: false },
          place.folder,
          {
            reason: 'restored from the backup of Monday',
            actorId: 'command line: dana',
            ...(publicKey !== undefined && { publicKey: VerifierKey.parse(publicKey) }),
          },
        ),
      files: () =>
        Object.fromEntries(
          readdirSync(place.folder, { recursive: true, withFileTypes: true })
            .filter((each) => each.isFile() && each.name !== 'audit-lock.db')
            .map((each) => join(each.parentPath, each.name))
            .map((path) => [path, readFileSync(path, 'utf8')]),
        ),
    });
  });
}

async function breaks(place: LogPlace): Promise<OwnRecord['details'][]> {
  const rows = await place.rows(
    `select body from audit_event where operation = 'acceptBreak' order by recorded_at_us`,
  );
  return rows.map(({ body }) => (JSON.parse(String(body)) as OwnRecord).details);
}

describe('an accepted break on PostgreSQL', () => {
  it('is recorded with what was refused and what the old log had, as the old key says', async () => {
    await inBrokenPlace(async (place) => {
      await expect(place.open()).rejects.toThrow('has 11 records in the database, and had 31');
      const note = readFileSync(join(place.folder, 'audit-kept', place.logId), 'utf8');
      await place.accept();
      expect(await breaks(place)).toEqual([
        {
          reason: 'restored from the backup of Monday',
          refusal: expect.stringContaining('has 11 records in the database, and had 31'),
          old_public_key: place.verifierKey,
          old_logs: expect.stringMatching(new RegExp(`^${place.logId}:31:\\S{44}$`, 'u')),
        },
      ]);
      await (await place.open()).close();
      await expect(place.verify(place.verifierKey, note)).rejects.toThrow('truncated');
    });
  });

  it('is also of a record that a start does not read', async () => {
    await inBrokenPlace(async (place) => {
      await (await place.open()).close();
      await place.accept();
      expect(await breaks(place)).toMatchObject([{ refusal: 'Record 3 was altered' }]);
      await (await place.open()).close();
    }, `update audit_event set body = replace(body, '"allowed"', '"denied_"') where seq = 3`);
  });

  it('of a log that is as it was left is refused, and nothing is changed', async () => {
    await inBrokenPlace(async (place) => {
      const before = place.files();
      await expect(place.accept()).rejects.toThrow('there is no break to accept');
      expect([place.files(), await breaks(place)]).toEqual([before, []]);
    }, '');
  });

  it('takes the public key that was kept elsewhere where the signing key is gone', async () => {
    await inBrokenPlace(async (place) => {
      rmSync(join(place.folder, 'audit-key.pem'));
      await expect(place.open()).rejects.toThrow('is not signed by the key of its data folder');
      rmSync(join(place.folder, 'audit-key.pem'));
      const other = VerifierKey.of('elsewhere/audit/0a1b2c3d4e5f', newKey()).text;
      await expect(place.accept(other)).rejects.toThrow(
        'No checkpoint that the key of elsewhere/audit/0a1b2c3d4e5f signed',
      );
      await place.accept(place.verifierKey);
      expect(await breaks(place)).toMatchObject([
        {
          refusal: 'The signing key of the log is not in the data folder',
          old_public_key: place.verifierKey,
          old_logs: expect.stringMatching(new RegExp(`^${place.logId}:31:\\S{44}$`, 'u')),
        },
      ]);
      await (await place.open()).close();
    });
  });
});

describe('the command that accepts a break', () => {
  it('waits for no instance and no other command: it is refused, and nothing is changed', async () => {
    await inBrokenPlace(async (place) => {
      const running = await place.open();
      const before = place.files();
      await expect(place.accept()).rejects.toThrow('is using the signing key of this data folder');
      expect(place.files()).toEqual(before);
      await running.close();
      const other = takeKey(place.folder);
      await expect(place.accept()).rejects.toThrow('is using the signing key of this data folder');
      await expect(place.open()).rejects.toThrow('is replacing the signing key');
      other.release();
    }, '');
  });

  it('is refused while an instance with the same key writes from another machine', async () => {
    await inBrokenPlace(async (place) => {
      const key = loadOrMakeKey(place.folder);
      const { session } = await openLog(place.url, key);
      const before = place.files();
      await expect(place.accept()).rejects.toThrow(`An instance is writing log ${place.logId}`);
      expect(place.files()).toEqual(before);
      await session.close();
      await place.accept();
    });
  });

  it('interrupted before its record counts leaves the refusal as it was, and one new log', async () => {
    await inBrokenPlace(async (place) => {
      const { accepted } = { accepted: join(place.folder, 'audit-break', 'accepted.new') };
      mkdirSync(accepted, { recursive: true });
      await expect(place.accept()).rejects.toThrow();
      await expect(place.open()).rejects.toThrow('has 11 records in the database, and had 31');
      rmSync(accepted, { recursive: true });
      const logId = await place.accept();
      const logs = await place.rows('select log_id from audit_log order by created_at_us');
      expect(logs.map((row) => row['log_id'])).toEqual([place.logId, logId]);
      expect(await breaks(place)).toHaveLength(2);
      await (await place.open()).close();
    });
  });

  it('interrupted after its record has every start refused until it is run again', async () => {
    await inBrokenPlace(async (place) => {
      const blocked = join(place.folder, 'audit-key.pem.new');
      mkdirSync(blocked);
      await expect(place.accept()).rejects.toThrow();
      for (let again = 0; again < 2; again += 1) {
        await expect(place.open()).rejects.toThrow('accept-break was interrupted. Run it again');
      }
      rmSync(blocked, { recursive: true });
      const logId = await place.accept();
      expect(await breaks(place)).toHaveLength(1);
      expect(readdirSync(join(place.folder, `audit-kept.before-${logId}`))).toEqual([place.logId]);
      const log = await place.open();
      expect(log.logId).toBe(logId);
      await log.close();
    });
  });
});
