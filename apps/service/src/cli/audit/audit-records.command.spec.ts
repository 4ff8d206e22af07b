import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sampleTeamId } from '@caregate/sample-data';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AccessStore } from '../../auth/access-store.ts';
import { caregateIn, type Ended } from '../caregate.testing.ts';
import { buildActEntry, buildSystemEntry } from '../../audit/audit-entries.ts';
import { RecordIds } from '../../audit/record-ids.ts';
import { openAuditLog } from '../../audit/open-log.ts';
import { auditEntry, bodiesIn, editLog } from '../../audit/records.testing.ts';
import { createSpecFolder } from '../../testing/folder.testing.ts';

const data = createSpecFolder();
/** This process acts as the running service. */
const service = await openAuditLog({ dataDir: data });
afterAll(() => service.close());

/** Runs an audit command while this process has the log open. */
async function audit(...arguments_: string[]): Promise<Ended> {
  return await caregateIn({ CAREGATE_DATA: data }, ['audit', ...arguments_]);
}

describe('what belongs to no team', () => {
  it('is listed by audit alarms, with alarms of every team and no ordinary start; that is recorded', async () => {
    await service.record(buildActEntry({ operation: 'startUp', details: { version: '7' } }));
    await service.record(buildSystemEntry('clockStep', { seconds: 70 }));
    await service.record(buildSystemEntry('breakGlassMany', { teamId: sampleTeamId, grants: 6 }));
    const { code, out, err } = await audit('alarms');
    expect([code, err]).toEqual([0, '']);
    const lines = out.trim().split('\n');
    const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(events.map(({ operation, team_id }) => [operation, team_id])).toEqual([
      ['clockStep', null],
      ['breakGlassMany', sampleTeamId],
    ]);
    expect(events[0]).toMatchObject({ details: { seconds: 70 } });
    expect((await audit('export')).out).toContain('listAlarms');
  });
});

describe('the record behind an id', () => {
  it('is shown by audit events --record, and that is recorded', async () => {
    const access = await AccessStore.open(data);
    const ids = new RecordIds(await access.secrets.getPermanentSecret());
    await access.close();
    const place = await service.record(auditEntry({ request_id: 'the one' }));
    const id = ids.encrypt(place);
    const shown = await audit('events', '--record', id.toUpperCase());
    expect([shown.code, shown.err]).toEqual([0, '']);
    expect(JSON.parse(shown.out)).toMatchObject({
      ...{ log_id: place.logId, seq: place.seq, request_id: 'the one' },
    });
    expect(bodiesIn(data).at(-1)).toMatchObject({
      operation: 'showRecord',
      details: { record: id },
    });
    for (const none of ['f'.repeat(32), ids.encrypt({ logId: place.logId, seq: 1_000_000 })]) {
      const refused = await audit('events', '--record', none);
      expect([refused.code, refused.err]).toEqual([1, 'No record has this id.\n']);
    }
    expect((await audit('events', '--record', '7')).code).toBe(1);
  });
});

describe('a log that has lost early records', () => {
  beforeAll(async () => {
    // An appender verifies at most the newest 256 records.
    await Promise.all(Array.from({ length: 300 }, () => service.record(auditEntry())));
  });

  it.each(['alarms', 'events', 'export', 'export --format csv', 'break-glass list'])(
    'is an error and an alarm to who reads it: %s',
    async (words) => {
      const alarms = (): number =>
        bodiesIn(data).filter(({ operation }) => operation === 'proofFailed').length;
      const before = alarms();
      editLog(data, 'create table lost as select * from audit_record where seq = 1');
      editLog(data, 'delete from audit_record where seq = 1');
      const group = words === 'break-glass list' ? 'access' : 'audit';
      const { code, err } = await caregateIn({ CAREGATE_DATA: data }, [group, ...words.split(' ')]);
      editLog(data, 'insert into audit_record select * from lost; drop table lost');
      expect([code, err]).toEqual([1, expect.stringContaining('Record 1 is missing')]);
      expect(alarms()).toBe(before + 1);
    },
  );

  it.each(['events', 'export --format csv'])(
    'at its end is an error that says that the alarm could not be recorded: %s',
    async (words) => {
      const copy = mkdtempSync(join(tmpdir(), 'caregate-audit-cut-'));
      cpSync(data, copy, { recursive: true });
      const newest = '(select max(seq) from audit_record)';
      editLog(copy, `update audit_record set salt = zeroblob(16) where seq = ${newest}`);
      const arguments_ = ['audit', ...words.split(' '), '--data', copy];
      const { code, err } = await caregateIn({}, arguments_);
      rmSync(copy, { recursive: true });
      expect([code, err]).toEqual([1, expect.stringContaining('alarm proofFailed could not be')]);
    },
  );
});
