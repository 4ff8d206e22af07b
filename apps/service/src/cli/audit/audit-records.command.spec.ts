import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sampleTeamId } from '@caregate/sample-data';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AccessStore } from '../../access/access-store.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import { openAuditLog } from '../../audit/audit-writer.ts';
import { auditEntry } from '../../audit/audit.testing.ts';
import { commandEntry, systemEntry } from '../../audit/system-record.ts';
import { RecordIds } from '../../audit/record-ids.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));
let data: string;
/** The process of the spec stands for the running service; the commands run beside it. */
let service: AuditLog;

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'caregate-audit-cli-'));
  service = await openAuditLog(data);
});
afterAll(async () => {
  await service.close();
  rmSync(data, { recursive: true, force: true });
});

function audit(...arguments_: string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=@caregate/source', main, 'audit', ...arguments_],
    { env: { PATH: process.env['PATH'], CAREGATE_DATA: data }, encoding: 'utf8' },
  );
  return { code: status, out: stdout, err: stderr };
}

describe('what belongs to no team', () => {
  it('is listed by audit alarms, with alarms of every team; that is recorded', async () => {
    await service.record(commandEntry('addLegalHold', { hold: 'h1', reference: 'case 7' }));
    await service.record(systemEntry('clockStep'));
    await service.record(systemEntry('bulkRead', { teamId: sampleTeamId, records: 5000 }));
    const { code, out, err } = audit('alarms');
    expect([code, err]).toEqual([0, '']);
    const lines = out.trim().split('\n');
    const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(events.map(({ operation, team_id }) => [operation, team_id])).toEqual([
      ['addLegalHold', null],
      ['clockStep', null],
      ['bulkRead', sampleTeamId],
    ]);
    expect(events[0]).toMatchObject({ details: { hold: 'h1', reference: 'case 7' } });
    expect(audit('export').out).toContain('listAlarms');
  });
});

describe('the record behind an id', () => {
  it('is shown by audit record, and proved by audit prove-inclusion', async () => {
    const access = await AccessStore.open(data);
    const ids = new RecordIds(await access.cursorSecret());
    await access.close();
    const place = await service.record(auditEntry({ requestId: 'the one' }));
    const id = ids.idOf(place);
    const shown = audit('record', id.toUpperCase());
    expect([shown.code, shown.err]).toEqual([0, '']);
    expect(JSON.parse(shown.out)).toMatchObject({
      ...{ record_id: id, log_id: place.logId, seq: place.seq },
      body: { request_id: 'the one' },
    });
    expect(JSON.parse(audit('prove-inclusion', id).out)).toMatchObject({ seq: place.seq });
    for (const none of ['f'.repeat(32), ids.idOf({ logId: place.logId, seq: 1_000_000 })]) {
      const refused = audit('record', none);
      expect([refused.code, refused.err]).toEqual([1, 'No record has this id.\n']);
    }
    expect(audit('record', '7').code).toBe(1);
  });
});
