import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newDatabase } from '@caregate/postgres';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { RecordAct } from '../auth/access-acts.ts';
import { AccessStore } from '../auth/access-store.ts';
import { teamA, teamB } from '../auth/access.testing.ts';
import type { Actor } from '../auth/principal.ts';
import { listRecords } from '../audit/read-logs.ts';
import { inDatabase, inFolder as inLog } from '../audit/read-logs.ts';
import { caregateIn, type Ended } from './caregate.testing.ts';
import { GRANT_OPERATIONS, grantProblems } from './grant-check.ts';
import { CommandLog } from './common/command-log.ts';
import type { AuditRecord } from '../audit/audit-record.ts';

const patient = 'a0000000-0000-4000-8000-00000000000a';
const text = 'Covering for the ward, results needed';

type Edit = (sql: string) => Promise<void>;

interface Fresh {
  readonly env: Readonly<Record<string, string>>;
  readonly open: (instead?: RecordAct) => Promise<AccessStore>;
  readonly acts: RecordAct;
  readonly records: () => Promise<readonly AuditRecord[]>;
  readonly edit: Edit;
  readonly done: () => void;
}

interface Engine {
  readonly name: string;
  readonly fresh: () => Promise<Fresh>;
}

function temporary(): { data: string; done: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'caregate-grants-'));
  const done = (): void => {
    rmSync(folder, { recursive: true, force: true });
  };
  return { data: join(folder, 'data'), done };
}

const engines: readonly Engine[] = [
  {
    name: 'a data folder',
    fresh: () => {
      const { data, done } = temporary();
      const edit: Edit = (sql) => {
        const db = new DatabaseSync(join(data, 'access.db'), { timeout: 30_000 });
        db.exec(sql);
        db.close();
        return Promise.resolve();
      };
      const { acts } = new CommandLog({ dataDir: data });
      const records = (): Promise<AuditRecord[]> =>
        inLog(data, (log) => listRecords([log], { operations: GRANT_OPERATIONS }));
      const open: Fresh['open'] = (instead = acts) => AccessStore.open(data, { acts: instead });
      return Promise.resolve({ env: { CAREGATE_DATA: data }, open, acts, records, edit, done });
    },
  },
  {
    name: 'a database',
    fresh: async () => {
      const { data, done } = temporary();
      const url = await newDatabase();
      const edit: Edit = async (sql) => {
        const client = new pg.Client(url);
        await client.connect();
        await client.query(`set search_path = access; ${sql}`);
        await client.end();
      };
      const { acts } = new CommandLog({ dataDir: data, database: { url, replicated: false } });
      const records = (): Promise<AuditRecord[]> =>
        inDatabase({ url, replicated: false }, {}, (logs) =>
          listRecords(logs, { operations: GRANT_OPERATIONS }),
        );
      const open: Fresh['open'] = (instead = acts) =>
        AccessStore.openPostgres(url, { acts: instead });
      const env = { CAREGATE_DATA: data, DATABASE_URL: url };
      return { env, open, acts, records, edit, done };
    },
  },
];

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
  ['its review is missing here', 'outcome = null, reviewed_ms = null, reviewed_by = null'],
] as const;

describe.each(engines)('the grants of $name', ({ name, fresh }) => {
  let store: Fresh;
  let grantId: string;
  let by: Actor & { readonly teamId: string };
  const why = { reasonCode: 'other', text, userId: patient } as const;
  beforeAll(async () => {
    store = await fresh();
    const access = await store.open();
    const desk = { teamId: teamA, role: 'billing', label: 'Ada' } as const;
    by = { ...desk, keyId: (await access.keys.create(desk)).keyId };
    ({ grantId } = await access.breakGlass.ask(by, why));
    const review = { outcome: 'not_justified', note: 'no such ward' } as const;
    await access.breakGlass.review(grantId, { ...review, by: { name: 'Grace' } });
    await access.close();
    await store.edit('create table kept as select * from break_glass');
  });
  afterEach(async () => {
    await store.edit('delete from break_glass; insert into break_glass select * from kept');
  });
  afterAll(() => {
    store.done();
  });

  const list = (...more: string[]): Promise<Ended> =>
    caregateIn(store.env, ['access', 'break-glass', 'list', ...more]);

  async function problems(): Promise<readonly string[]> {
    const access = await store.open();
    const grants = await access.breakGlass.list({ all: true });
    await access.close();
    return grantProblems(grants, await store.records());
  }

  it('are those of the audit log', async () => {
    expect(await list()).toEqual({ code: 0, out: 'No grants.\n', err: '' });
    expect(await list('--all')).toMatchObject({ code: 0, err: '' });
  });

  it('are said to differ where they were edited', async () => {
    for (const [what, edited] of name === 'a data folder' ? edits : edits.slice(0, 1)) {
      await store.edit(`update break_glass set ${edited}`);
      expect([edited, await problems()]).toEqual([
        edited,
        [`Grant ${grantId} differs from the audit log: ${what}.`],
      ]);
      await store.edit('delete from break_glass; insert into break_glass select * from kept');
    }
    expect(await problems()).toEqual([]);
  });

  it('are missed where they were deleted, and not known where they were added', async () => {
    await store.edit(`update break_glass set grant_id = '${teamB}'`);
    expect(await list('--json', '--all')).toMatchObject({
      code: 1,
      err: `Grant ${teamB} is not in the audit log.\nGrant ${grantId} is in the audit log, but missing here.\n`,
    });
    expect(await list('--team', teamB)).toEqual({ code: 0, out: 'No grants.\n', err: '' });
  });

  it('are those of the audit log where a grant and a review were recorded, and not committed', async () => {
    const late = new Error('Recording took too long');
    const stuck = await store.open(async (act, decision) => {
      await store.acts(act, decision);
      await store.acts(act, 'failed');
      throw late;
    });
    const access = await store.open();
    const requested = { ...why, userId: teamB };
    await expect(stuck.breakGlass.ask(by, requested)).rejects.toBe(late);
    const { grantId: another } = await access.breakGlass.ask(by, requested);
    const review = { outcome: 'justified', by: { name: 'Grace' } } as const;
    await expect(stuck.breakGlass.review(another, review)).rejects.toBe(late);
    expect(await problems()).toEqual([]);
    await access.breakGlass.review(another, review);
    expect(await problems()).toEqual([]);
    await stuck.close();
    await access.close();
    // A review that failed hides no grant that is gone.
    await store.edit(`delete from break_glass where grant_id = '${another}'`);
    expect(await problems()).toEqual([`Grant ${another} is in the audit log, but missing here.`]);
  });
});
