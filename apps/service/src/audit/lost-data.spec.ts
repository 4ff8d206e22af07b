import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { getLogFile } from '@caregate/audit-log';
import { AccessStore } from '../auth/access-store.ts';
import { commandFolder, type Ended } from '../cli/caregate.testing.ts';
import { startService } from '../start-service.ts';
import { readConfig } from '../config/read-config.ts';
import { findEvidenceOfLog } from './lost-data.ts';
import { bodiesIn } from './records.testing.ts';

const team = '5ad3b1f5-9d3f-4c05-8b1f-0c1d2e3f4a5b';
const reason = 'The folder was restored without its audit log.';

const at = commandFolder();
const makeKey = (): Promise<Ended> =>
  at.caregate('keys', 'create', '--team', team, '--role', 'clinician', '--label', 'desk');

/** Deletes the log with all its files, to hide what was recorded. */
function removeLog(): void {
  for (const file of [
    getLogFile(at.data),
    join(at.data, 'audit-log-id'),
    join(at.data, 'audit-key.pem'),
  ]) {
    rmSync(file, { force: true });
  }
}

describe('a data folder whose log and key were deleted together', () => {
  beforeEach(async () => {
    expect(await makeKey()).toMatchObject({ code: 0 });
  });

  it('is not served, and no command begins a new log', async () => {
    removeLog();
    expect(findEvidenceOfLog(at.data)).toBe('access.db has keys (1)');
    const config = readConfig({ CAREGATE_DATA: at.data, CAREGATE_PORT: '0' });
    const { code, err } = await makeKey();
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
    expect(existsSync(getLogFile(at.data))).toBe(false);
  });

  it('is not served if only the file that names the log is left', async () => {
    rmSync(getLogFile(at.data));
    const { code, err } = await makeKey();
    expect([code, err]).toEqual([1, expect.stringContaining('caregate restore BACKUP')]);
    expect(existsSync(getLogFile(at.data))).toBe(false);
  });

  it('is served after an operator began another log, which is recorded', async () => {
    removeLog();
    const { code, out } = await at.caregate('audit', 'new-log', '--reason', reason);
    expect([code, out]).toEqual([0, expect.stringMatching(/^Log [0-9a-f]{12} was begun\./u)]);
    expect(bodiesIn(at.data)).toMatchObject([
      { operation: 'newAuditLog', reason_code: 'no_log', details: { reason } },
    ]);
    expect((await makeKey()).code).toBe(0);
    const verified = await at.caregate('audit', 'verify', '--json');
    expect(JSON.parse(verified.out)).toMatchObject({ verified: true, size: 2 });
  });
});

it('a new folder and empty tables are no evidence of a log', async () => {
  expect(findEvidenceOfLog(at.data)).toBeUndefined();
  await (await AccessStore.open(at.data)).close();
  expect(findEvidenceOfLog(at.data)).toBeUndefined();
  writeFileSync(join(at.data, 'store.db'), 'not a database, though long enough to be asked');
  expect(findEvidenceOfLog(at.data)).toBe('store.db cannot be read');
});
