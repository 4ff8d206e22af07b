import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { RecordAct } from '../auth/access-acts.ts';
import { AccessStore } from '../auth/access-store.ts';
import { teamA, teamB } from '../auth/access.testing.ts';
import type { Actor } from '../auth/caller.ts';
import { listRecords } from '../audit/read-logs.ts';
import { withFolderLog as inLog } from '../audit/read-logs.ts';
import { caregateIn, type Ended } from './caregate.testing.ts';
import { GRANT_OPERATIONS, findGrantProblems } from './grant-check.ts';
import { CommandLog } from './common/command-log.ts';
import type { AuditRecord } from '../audit/audit-record.ts';
import { createSpecFolder } from '../testing/folder.testing.ts';

const patient = 'a0000000-0000-4000-8000-00000000000a';
const text = 'Covering for the ward, results needed';

const data = join(createSpecFolder(), 'data');
const log = new CommandLog({ dataDir: data });
let end = (): void => undefined;
const held = log.hold(() => new Promise<void>((resolve) => (end = resolve)));
afterAll(async () => {
  end();
  await held;
});
const open = (acts: RecordAct = log.acts): Promise<AccessStore> => AccessStore.open(data, { acts });
const records = (): Promise<AuditRecord[]> =>
  inLog(data, (log) => listRecords([log], { operations: GRANT_OPERATIONS }));
function edit(sql: string): void {
  const db = new DatabaseSync(join(data, 'access.db'), { timeout: 30_000 });
  db.exec(sql);
  db.close();
}

const edits = [
  ['reason text', `text = 'Called to the ward at night, results needed'`],
  ['reason code', `reason_code = 'emergency_treatment'`],
  ['patient', `user_id = '${teamB}'`],
  ['expiry', 'expires_ms = expires_ms + 60000'],
  ['time of the grant', 'granted_ms = granted_ms - 1'],
  ['review', `outcome = 'justified'`],
  ['review', `reviewed_by = 'Alan'`],
  ['review', `note = 'fine'`],
  ['review', 'note = null'],
  ['reason text', 'text_salt = zeroblob(16)'],
  ['review', 'review_salt = null'],
  ['its end is missing here', 'ended_ms = null'],
  ['its review is missing here', 'outcome = null, reviewed_ms = null, reviewed_by = null'],
] as const;

describe('the grants', () => {
  let grantId: string;
  let by: Actor & { readonly teamId: string };
  const why = { reasonCode: 'other', text, userId: patient } as const;
  beforeAll(async () => {
    const access = await open();
    const desk = { teamId: teamA, role: 'billing', label: 'Ada' } as const;
    by = { ...desk, keyId: (await access.keys.create(desk)).keyId };
    ({ grantId } = await access.breakGlass.ask(by, why));
    await access.breakGlass.end(by, grantId);
    const review = { outcome: 'not_justified', note: 'no such ward' } as const;
    await access.breakGlass.review(grantId, { ...review, by: { name: 'Grace' } });
    await access.close();
    edit('create table kept as select * from break_glass');
  });
  afterEach(() => {
    edit('delete from break_glass; insert into break_glass select * from kept');
  });

  const list = (...more: string[]): Promise<Ended> =>
    caregateIn({ CAREGATE_DATA: data }, ['access', 'break-glass', 'list', ...more]);

  async function problems(): Promise<readonly string[]> {
    const access = await open();
    const grants = await access.breakGlass.list({ all: true });
    await access.close();
    return findGrantProblems(grants, await records());
  }

  it('equal those of the audit log', async () => {
    expect(await list()).toEqual({ code: 0, out: 'No grants.\n', err: '' });
    expect(await list('--all')).toMatchObject({ code: 0, err: '' });
  });

  it('are reported if they were edited', async () => {
    for (const [what, edited] of edits) {
      edit(`update break_glass set ${edited}`);
      expect([edited, await problems()]).toEqual([
        edited,
        [`Grant ${grantId} differs from the audit log: ${what}.`],
      ]);
      edit('delete from break_glass; insert into break_glass select * from kept');
    }
    expect(await problems()).toEqual([]);
  });

  it('are reported if they were deleted or added', async () => {
    edit(`update break_glass set grant_id = '${teamB}'`);
    expect(await list('--json', '--all')).toMatchObject({
      code: 1,
      err: `Grant ${teamB} is not in the audit log.\nGrant ${grantId} is in the audit log, but missing here.\n`,
    });
    expect(await list('--team', teamB)).toEqual({ code: 0, out: 'No grants.\n', err: '' });
  });

  it('are reported if they were inserted, even if they claim to be old and ended', async () => {
    edit(`create temp table forged as select * from break_glass;
      update forged set grant_id = '${teamA}', granted_ms = 0, expires_ms = 1, ended_ms = 1;
      insert into break_glass select * from forged`);
    expect(await problems()).toEqual([`Grant ${teamA} is not in the audit log.`]);
  });

  it('equal those of the audit log if a grant, its review and its end were recorded, but not committed', async () => {
    const late = new Error('Recording took too long');
    const { acts } = log;
    const stuck = await open(async (act, decision) => {
      await acts(act, decision);
      await acts(act, 'failed');
      throw late;
    });
    const access = await open();
    const requested = { ...why, userId: teamB };
    await expect(stuck.breakGlass.ask(by, requested)).rejects.toBe(late);
    const { grantId: another } = await access.breakGlass.ask(by, requested);
    const review = { outcome: 'justified', by: { name: 'Grace' } } as const;
    await expect(stuck.breakGlass.review(another, review)).rejects.toBe(late);
    expect(await problems()).toEqual([]);
    await access.breakGlass.review(another, review);
    expect(await problems()).toEqual([]);
    const { grantId: third } = await access.breakGlass.ask(by, { ...why, userId: teamA });
    await expect(stuck.breakGlass.end(by, third)).rejects.toBe(late);
    expect(await problems()).toEqual([]);
    edit(`update break_glass set ended_ms = granted_ms where grant_id = '${third}'`);
    expect(await problems()).toEqual([
      `Grant ${third} differs from the audit log: its end is not in the audit log.`,
    ]);
    edit(`update break_glass set ended_ms = null where grant_id = '${third}'`);
    await access.breakGlass.end(by, third);
    expect(await problems()).toEqual([]);
    await stuck.close();
    await access.close();
    // A failed review doesn't hide that the grant was deleted.
    edit(`delete from break_glass where grant_id = '${another}'`);
    expect(await problems()).toEqual([`Grant ${another} is in the audit log, but missing here.`]);
  });
});
