import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { getLogFile } from '@caregate/audit-log';
import { inFolder } from '@caregate/audit-log/testing';
import { AccessStore } from '../auth/access-store.ts';
import { caregateIn } from '../cli/caregate.testing.ts';
import { startService } from '../start-service.ts';
import { readConfig } from '../config/read-config.ts';
import { findEvidenceOfLog } from './lost-data.ts';
import { bodiesIn } from './records.testing.ts';

const team = '5ad3b1f5-9d3f-4c05-8b1f-0c1d2e3f4a5b';
const reason = 'The folder was restored without its audit log.';

async function withKeys<T>(use: (folder: string) => T | Promise<T>): Promise<T> {
  return await inFolder(async (folder) => {
    await makeKey(folder);
    return await use(folder);
  });
}

function makeKey(folder: string): ReturnType<typeof caregateIn> {
  const words = ['--data', folder, '--team', team, '--role', 'clinician', '--label', 'desk'];
  return caregateIn({}, ['keys', 'create', ...words]);
}

/** Deletes the log with all its files, to hide what was recorded. */
function removeLog(folder: string): void {
  for (const file of [
    getLogFile(folder),
    join(folder, 'audit-log-id'),
    join(folder, 'audit-key.pem'),
  ]) {
    rmSync(file, { force: true });
  }
}

describe('a data folder whose log and key were deleted together', () => {
  it('is not served, and no command begins a new log', async () => {
    await withKeys(async (folder) => {
      removeLog(folder);
      expect(findEvidenceOfLog(folder)).toBe('access.db has keys (1)');
      const config = readConfig({ CAREGATE_DATA: folder, CAREGATE_PORT: '0' });
      const { code, err } = await makeKey(folder);
      expect(code).toBe(1);
      const refusals = [
        err,
        await startService(config, { write: () => undefined }, 'serve').then(
          () => 'started',
          (error: unknown) => String(error),
        ),
      ];
      for (const refusal of refusals) {
        expect(refusal).toContain(
          'is missing, but the folder has been in use: access.db has keys (1)',
        );
        expect(refusal).toContain('caregate audit new-log --reason');
      }
      expect(existsSync(getLogFile(folder))).toBe(false);
    });
  });

  it('is not served if only the file that names the log is left', async () => {
    await withKeys(async (folder) => {
      rmSync(getLogFile(folder));
      const { code, err } = await makeKey(folder);
      expect([code, err]).toEqual([1, expect.stringContaining('caregate restore BACKUP')]);
      expect(existsSync(getLogFile(folder))).toBe(false);
    });
  });

  it('is served after an operator began another log, which is recorded', async () => {
    await withKeys(async (folder) => {
      removeLog(folder);
      const { code, out } = await caregateIn({}, [
        ...['audit', 'new-log', '--data', folder, '--reason', reason],
      ]);
      expect([code, out]).toEqual([0, expect.stringMatching(/^Log [0-9a-f]{12} was begun\./u)]);
      expect(bodiesIn(folder)).toMatchObject([
        { operation: 'newAuditLog', reason_code: 'no_log', details: { reason } },
      ]);
      expect((await makeKey(folder)).code).toBe(0);
      const verified = await caregateIn({}, ['audit', 'verify', '--data', folder, '--json']);
      expect(JSON.parse(verified.out)).toMatchObject({ verified: true, size: 2 });
    });
  });

  it('differs from a new folder and from empty tables', async () => {
    await inFolder(async (folder) => {
      expect(findEvidenceOfLog(folder)).toBeUndefined();
      await (await AccessStore.open(folder)).close();
      expect(findEvidenceOfLog(folder)).toBeUndefined();
      writeFileSync(join(folder, 'store.db'), 'not a database, though long enough to be asked');
      expect(findEvidenceOfLog(folder)).toBe('store.db cannot be read');
    });
  });
});
