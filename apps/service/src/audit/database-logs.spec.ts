import { afterAll, describe, expect, it } from '@jest/globals';
import { newDatabase } from '@caregate/postgres';
import pg from 'pg';
import { caregateIn, type Ended } from '../cli/caregate.testing.ts';
import { withPostgres } from '@caregate/data-store/database';
import { buildActEntry } from './audit-entries.ts';
import { createAuditTables, openAuditLog, recordActs, type AuditLog } from './open-log.ts';
import { auditEntry } from './records.testing.ts';
import { createSpecFolder } from '../testing/folder.testing.ts';

const [here, there] = [createSpecFolder(), createSpecFolder()];
const url = await newDatabase();
await withPostgres(url, 'caregate spec', createAuditTables);
const db = new pg.Client({ connectionString: url });
await db.connect();
afterAll(() => db.end());

const open = (dataDir: string): Promise<AuditLog> =>
  openAuditLog({ dataDir, postgres: { url } }, { host: 'clinic.example' });

const audit = (...words: string[]): Promise<Ended> =>
  caregateIn({ DATABASE_URL: url, CAREGATE_DATA: here }, ['audit', ...words]);

/** Deletes the newest records of a log and everything about them, as the owner of the tables can. */
async function cutOff(logId: string, size: number): Promise<void> {
  const tables = ['audit_record', 'audit_head', 'audit_node'];
  await db.query('begin; set local search_path to audit');
  for (const table of tables) {
    await db.query(`alter table ${table} disable trigger all`);
  }
  await db.query(`delete from audit_record where log_id = '${logId}' and seq >= ${size}`);
  await db.query(`delete from audit_head where log_id = '${logId}' and size > ${size}`);
  for (const table of tables) {
    await db.query(`alter table ${table} enable trigger all`);
  }
  await db.query('commit');
}

describe('the logs of a database', () => {
  it('have the records of commands in the log of their data folder, beside its instance', async () => {
    const [one, other] = [await open(here), await open(there)];
    expect(one.logId).not.toBe(other.logId);
    for (const operation of ['createKey', 'importStarted', 'reviewBreakGlass']) {
      await one.record(auditEntry());
      const database = { url, replicated: false };
      await recordActs({ dataDir: here, database }, [buildActEntry({ operation })]);
    }
    await one.record(auditEntry());
    const { rows } = await db.query<{ log_id: string; operation: string }>(
      'select log_id, operation from audit.audit_record order by log_id, seq',
    );
    const own = rows.filter((row) => row.log_id === one.logId).map((row) => row.operation);
    expect(own.filter((operation) => !operation.includes('Log'))).toEqual([
      ...['resolveUser', 'createKey', 'resolveUser', 'importStarted'],
      ...['resolveUser', 'reviewBreakGlass', 'resolveUser'],
    ]);
    await one.close();
    await other.close();
    expect(await audit('verify')).toMatchObject({ code: 0, err: '' });
  });

  it('know each other: records cut off the end of one are missed by another', async () => {
    const [one, other] = [await open(here), await open(there)];
    await other.record(auditEntry());
    await other.close();
    await one.close();
    const { rows } = await db.query<{ size: string }>(
      'select size from audit.audit_log where log_id = $1',
      [one.logId],
    );
    const size = Number(rows[0]?.size);
    // The last record of the other log names a larger size of this log.
    await cutOff(one.logId, size - 3);
    const { rows: peaks } = await db.query<{ frontier: Buffer }>(
      'select frontier from audit.audit_log where log_id = $1',
      [one.logId],
    );
    expect(peaks).toHaveLength(1);
    const { code, err } = await audit('verify');
    expect([code, err]).toEqual([expect.any(Number), expect.stringContaining(one.logId)]);
    expect(code).toBeGreaterThan(1);
    await expect(open(here)).rejects.toThrow(/records/u);
    const reason = ['--reason', 'the newest records were cut off', '--data', here];
    expect(await audit('new-log', ...reason)).toMatchObject({ code: 0, err: '' });
    const after = await audit('verify');
    expect(after.out).toContain('archived by caregate audit new-log');
    const again = await open(here);
    expect(again.logId).not.toBe(one.logId);
    await again.close();
  });
});
