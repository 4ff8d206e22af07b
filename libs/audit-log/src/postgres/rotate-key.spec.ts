import { describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forgetfulProxy } from '@caregate/postgres';
import { AuditBrokenError, AuditUnavailableError } from '../errors.ts';
import { auditEntry } from '../testing/audit-entry.testing.ts';
import { keepSigningKeyIn } from '../note/audit-key.ts';
import { newLogOnPostgres } from './new-log.ts';
import { inPlace, type LogPlace } from './log-place.testing.ts';
import { openPostgresAuditLog } from './postgres-backend.ts';
import { rotateKeyOnPostgres } from './rotate-key.ts';

const by = 'command line: amara';
const keyIn = (folder: string): string => join(folder, 'audit-key.pem');
const rotate = ({ url, folder }: Pick<LogPlace, 'url' | 'folder'>): Promise<string[]> =>
  rotateKeyOnPostgres({ url, timeoutMs: 10_000, replicated: false }, folder, by);

/** Two logs of one key, as of an instance and a command. Returns their public keys by log id. */
async function writeTwo(place: Pick<LogPlace, 'open'>): Promise<Map<string, string>> {
  const logs = [await place.open(), await place.open()];
  const keys = new Map(logs.map(({ logId, verifierKey }) => [logId, verifierKey]));
  for (const log of logs) {
    for (let record = 0; record < 5; record += 1) {
      await log.record(auditEntry());
    }
    await log.close();
  }
  expect(keys.size).toBe(2);
  return keys;
}

async function goesOn(place: Pick<LogPlace, 'open'>): Promise<string> {
  const log = await place.open();
  await log.record(auditEntry());
  await log.close();
  return log.verifierKey;
}

describe('the signing key of a data folder', () => {
  it('is replaced in all its logs at once, and in no other: each verifies by the old and the new', async () => {
    await inPlace(async (place) => {
      const old = await writeTwo(place);
      const elsewhere = mkdtempSync(join(tmpdir(), 'caregate-audit-'));
      const other = await openPostgresAuditLog(place.url, elsewhere);
      const theirs = other.verifierKey;
      const first = await rotate(place);
      await other.record(auditEntry());
      const signed = readFileSync(keyIn(place.folder));
      const second = await rotate(place);
      expect(readFileSync(keyIn(place.folder))).not.toEqual(signed);
      expect(existsSync(`${keyIn(place.folder)}.next`)).toBe(false);
      const now = await goesOn(place);
      expect(second).toContain(now);
      for (const key of [...old.values(), ...first, ...second]) {
        expect((await place.verify(key)).size).toBeGreaterThan(7);
      }
      // No log was added.
      const logs = await place.rows('select log_id from audit_log');
      expect(logs.map((row) => row['log_id']).sort()).toEqual([...old.keys(), other.logId].sort());
      await other.record(auditEntry());
      expect(other.verifierKey).toBe(theirs);
      await other.close();
      rmSync(elsewhere, { recursive: true });
    });
  });

  it('stays while an instance of the folder runs, and where it has signed nothing', async () => {
    await inPlace(async (place) => {
      await expect(rotate(place)).rejects.toThrow('has no signing key');
      expect(existsSync(keyIn(place.folder))).toBe(false);
      const log = await place.open();
      await log.record(auditEntry());
      const key = readFileSync(keyIn(place.folder));
      await expect(rotate(place)).rejects.toThrow('is using the signing key of this data folder');
      await log.record(auditEntry());
      await log.close();
      expect(readFileSync(keyIn(place.folder))).toEqual(key);
      expect(await goesOn(place)).toBe(log.verifierKey);
    });
  });

  it('is replaced in all or in none where the database refuses one of them', async () => {
    await inPlace(async (place) => {
      const old = await writeTwo(place);
      await place.write(`create function fail() returns trigger language plpgsql as
        $$ begin if new.log_id = '${[...old.keys()][1]}' then raise 'no'; end if; return new; end $$;
        create trigger fail before insert on audit_event for each row execute function fail()`);
      await expect(rotate(place)).rejects.toThrow('no');
      // The old key goes on, and the next one is removed.
      expect(existsSync(`${keyIn(place.folder)}.next`)).toBe(true);
      await place.write('drop trigger fail on audit_event; drop function fail()');
      expect([...old.values()]).toContain(await goesOn(place));
      expect(existsSync(`${keyIn(place.folder)}.next`)).toBe(false);
      for (const key of old.values()) {
        await place.verify(key);
      }
    });
  });

  it('may be replaced where the answer to the commit is lost, which is said; the next start puts it in its place', async () => {
    await inPlace(async (place) => {
      const old = await writeTwo(place);
      const before = readFileSync(keyIn(place.folder));
      const network = await forgetfulProxy(place.url);
      const forgot = network.forgetAnswerTo('commit\0');
      await expect(rotate({ ...place, url: network.url })).rejects.toThrow(AuditUnavailableError);
      await forgot;
      await network.close();
      expect(readFileSync(keyIn(place.folder))).toEqual(before);
      await inPlace(async ({ url }) => {
        await expect(openPostgresAuditLog(url, place.folder)).rejects.toThrow('0 records');
      });
      expect([...old.values()]).not.toContain(await goesOn(place));
      expect(existsSync(`${keyIn(place.folder)}.next`)).toBe(false);
      expect(readFileSync(keyIn(place.folder))).not.toEqual(before);
      // The old key alone signs nothing.
      writeFileSync(keyIn(place.folder), before, { mode: 0o600 });
      await expect(place.open()).rejects.toThrow(AuditBrokenError);
      await expect(rotate(place)).rejects.toThrow(AuditBrokenError);
      const settings = { url: place.url, timeoutMs: 10_000, replicated: false };
      const lost = { reason: 'the new key was lost with its disk', actorId: by };
      await newLogOnPostgres(settings, place.folder, lost);
      await goesOn(place);
    });
  });

  it('is missed where the records from the change on are deleted', async () => {
    await inPlace(async (place) => {
      const log = await place.open();
      await log.record(auditEntry());
      await log.close();
      const size = (await place.verify(log.verifierKey)).size;
      await rotate(place);
      await place.tamper(
        `delete from audit_event where seq >= ${size}; delete from audit_seal where size > ${size};
         delete from audit_checkpoint where size > ${size}`,
      );
      await expect(place.open()).rejects.toThrow('0 records in the database');
    });
  });

  it('is taken from beside a key outside the folder, and signs from either place', async () => {
    await inPlace(async (place) => {
      const file = join(place.folder, '..', `${place.folder.split('/').at(-1) ?? ''}.pem`);
      const makeKey = (to: string): void => {
        const { privateKey } = generateKeyPairSync('ed25519');
        writeFileSync(to, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
      };
      try {
        makeKey(file);
        keepSigningKeyIn(file);
        await writeTwo(place);
        makeKey(`${file}.next`);
        await goesOn(place);
        const next = await rotate(place);
        expect(next).toContain(await goesOn(place));
        renameSync(`${file}.next`, file);
        expect(next).toContain(await goesOn(place));
      } finally {
        keepSigningKeyIn(undefined);
        rmSync(file, { force: true });
        rmSync(`${file}.next`, { force: true });
      }
    });
  });
});
