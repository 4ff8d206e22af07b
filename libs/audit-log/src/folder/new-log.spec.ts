import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { VerifierKey } from '../note/checkpoint.ts';
import { inFolder } from '../testing/audit-entry.testing.ts';
import { appendMany, bodiesIn, openWriter, withReader } from '../testing/folder-log.testing.ts';
import { verifyFolder } from '../verify/verify-folder.ts';
import { newLog, type NewLog } from './new-log.ts';

const reason = 'The disk of this machine was replaced on Monday.';
const records = 'audit/records/000000000000000';

const begin = (folder: string): Promise<NewLog> =>
  newLog(folder, { host: 'clinic.example', actorId: 'command line: amara', reason });

/** A log of 270 records; returns its public key. */
function write(folder: string): string {
  const log = openWriter(folder);
  appendMany(log, 270);
  log.checkpoint();
  log.close();
  return log.verifierKey;
}

describe('a new log after a broken one', () => {
  it.each([
    ['checkpoint_missing', false, 'audit/checkpoint', undefined],
    ['key_without_log', true, 'audit/log', undefined],
    ['log_without_key', false, 'audit-key.pem', undefined],
    ['log_file_damaged', true, 'audit/log', '{}\n'],
    ['altered', true, records, 'caregate'],
  ])('%s: is accepted by a start, and names the old one', async (refusal, isSigned, file, text) => {
    await inFolder(async (folder) => {
      const oldKey = write(folder);
      rmSync(join(folder, file));
      if (text !== undefined) {
        writeFileSync(join(folder, file), text);
      }
      expect(() => openWriter(folder)).toThrow('caregate audit new-log --reason');
      const { archive, publicKey } = await begin(folder);
      const name = archive.slice(folder.length + 1);
      expect(name).toMatch(/^audit\.broken-\d{8}T\d{9}Z$/u);
      openWriter(folder).close();
      expect(bodiesIn(folder)).toMatchObject([
        {
          operation: 'newAuditLog',
          actor_id: 'command line: amara',
          reason_code: refusal,
          details: {
            ...{ reason, archived: name },
            ...(isSigned && { old_public_key: oldKey, checkpoint_size: 270 }),
          },
        },
      ]);
      expect((await verifyFolder(folder, { key: VerifierKey.parse(publicKey) })).size).toBe(1);
      expect(existsSync(join(folder, 'audit.new'))).toBe(false);
    });
  });

  it('archives a log with a changed record that no start reads, where a verification reads it', async () => {
    await inFolder(async (folder) => {
      const oldKey = VerifierKey.parse(write(folder));
      const bytes = readFileSync(join(folder, records));
      bytes[bytes.indexOf('resolveUser')]! ^= 1;
      writeFileSync(join(folder, records), bytes);
      openWriter(folder).close();
      const { archive } = await begin(folder);
      await inFolder(async (old) => {
        renameSync(archive, join(old, 'audit'));
        await expect(verifyFolder(old, { key: oldKey })).rejects.toThrow('Record 0 was altered');
      });
    });
  });

  it('is not begun where the log is whole, or there is none', async () => {
    await inFolder(async (folder) => {
      await expect(begin(folder)).rejects.toThrow('has no audit log');
      write(folder);
      await expect(begin(folder)).rejects.toThrow('The audit log is whole');
      withReader(folder, (reader) => {
        expect(reader.size()).toBe(270);
      });
    });
  });

  it('that was interrupted has starts refused, and the next one names both archives', async () => {
    await inFolder(async (folder) => {
      write(folder);
      const oldKey = readFileSync(join(folder, 'audit-key.pem'));
      rmSync(join(folder, 'audit/checkpoint'));
      await begin(folder);
      // As if the new key had not replaced the old one yet.
      writeFileSync(join(folder, 'audit-key.pem'), oldKey);
      expect(() => openWriter(folder)).toThrow('caregate audit new-log --reason');
      await begin(folder);
      openWriter(folder).close();
      expect(bodiesIn(folder)).toMatchObject([
        { details: { archived: expect.stringMatching(/^audit\.broken-\S+ audit\.broken-\S+$/u) } },
      ]);
    });
  });
});
