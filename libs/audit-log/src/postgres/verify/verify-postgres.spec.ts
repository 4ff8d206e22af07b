import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newDatabase } from '@caregate/postgres';
import { userIds } from '../../testing/audit-entry.testing.ts';
import {
  appendGroup,
  makeAuditTables,
  newKey,
  openLog,
  pastTriggers,
  sessionOf,
} from '../../testing/postgres-log.testing.ts';
import { VerifierKey } from '../../note/checkpoint.ts';
import type { AuditSession } from '../audit-session.ts';
import { auditTables } from '../stored/schema.ts';
import { verifyInTransaction, verifyPostgresLog } from './verify-postgres.ts';

let databaseUrl: string;
let db: AuditSession;
let key: VerifierKey;

beforeAll(async () => {
  databaseUrl = await newDatabase();
  db = await sessionOf(databaseUrl);
  await makeAuditTables(db);
  const { log, session } = await openLog(databaseUrl, newKey());
  // 600 records: two full blocks, and a part of a third.
  for (const count of [1, 1, 3, 250, 1, 343]) {
    await appendGroup(log, count, { patients: count === 3 ? [...userIds] : [] });
    await log.checkpoint();
  }
  key = VerifierKey.parse(log.identity.verifierKey);
  await session.close();
});
afterAll(async () => {
  await db.close();
});

async function tampered(statement: string): Promise<unknown> {
  await db.query('begin');
  try {
    await pastTriggers(db, () => db.query(statement));
    return await verifyInTransaction(db, { key });
  } catch (error) {
    return error;
  } finally {
    await db.query('rollback');
  }
}

const seal = 'log_id, 600, 700, root, checkpoint_size, signature from audit_seal where size = 600';

describe('a verification', () => {
  it('passes a log as it was written', async () => {
    expect(await verifyPostgresLog(db, { key })).toMatchObject({
      size: 600,
      seals: 7,
      checkpoints: 7,
    });
  });

  it.each([
    [`update audit_event set team_id = null where seq = 2`, 'altered', 2],
    [`update audit_event set decision = 'denied' where seq = 3`, 'altered', 3],
    [`update audit_event set recorded_at_us = recorded_at_us + 1 where seq = 4`, 'altered', 4],
    [`update audit_event set body = replace(body, '200', '404') where seq = 1`, 'altered', 1],
    [`update audit_event set leaf_hash = sha256(leaf_hash) where seq = 7`, 'altered', 7],
    [`update audit_event set leaf_hash = sha256(leaf_hash) where seq = 599`, 'altered', 599],
    [`update audit_event set body = '' where seq = 0`, 'altered', 0],
    ['delete from audit_event where seq = 2', 'gap', 2],
    ['delete from audit_event where seq >= 4', 'gap', 4],
    [
      `delete from audit_event where seq >= 6; delete from audit_seal where size > 6;
       delete from audit_node`,
      'truncated',
      6,
    ],
    ['update audit_event set patients = patients[2:] where seq = 3', 'altered', 3],
    ['update audit_event set patients = array[7] where seq = 3', 'altered', 3],
    ['delete from audit_node where idx = 1', 'altered'],
    [`update audit_node set hashes = set_byte(hashes, 9, get_byte(hashes, 9) # 1)`, 'altered'],
    [`update audit_node set root = sha256(root) where idx = 1`, 'altered'],
    [`insert into audit_node select log_id, 1, 0, root, hashes from audit_node limit 1`, 'altered'],
    ['update audit_seal set root = sha256(root) where size = 6', 'bad_signature', 3],
    ['delete from audit_seal where size = 600', 'bad_signature', 257],
    ['delete from audit_seal', 'bad_signature', 0],
    ['delete from audit_seal where size = 6', 'gap', 3],
    ['delete from audit_seal where size = 1', 'gap', 0],
    [`insert into audit_seal select ${seal}`, 'gap', 600],
    ['delete from audit_checkpoint', 'truncated'],
    ['delete from audit_checkpoint where size = 3', 'truncated'],
    [`update audit_checkpoint set note = replace(note, '—', '–') where size = 3`, 'bad_signature'],
    [`update audit_log set origin = 'other/' || origin`, 'bad_signature'],
  ] as const)('finds %s', async (...[statement, breach, seq]) => {
    expect(await tampered(statement)).toMatchObject({ name: 'AuditBrokenError', breach, seq });
  });

  it.each([...auditTables])('finds that %s may be changed', async (table) => {
    const found = await tampered(`drop trigger ${table}_append_only on ${table};
      create trigger ${table}_append_only before update on ${table}
        for each statement execute function audit_refuse()`);
    expect(found).toMatchObject({ breach: 'altered' });
  });

  it.each([
    `drop trigger audit_event_append_only on audit_event;
     create trigger audit_event_append_only before update of seq or delete or truncate on audit_event
       for each statement execute function audit_refuse();
     alter table audit_event enable always trigger audit_event_append_only`,
    `create function audit.drop_it() returns trigger language plpgsql as 'begin return null; end';
     create trigger drop_it before insert on audit_event for each row execute function audit.drop_it()`,
    `create rule forget as on insert to audit_event do instead nothing`,
    `alter table audit_event enable row level security`,
  ])('finds what stands between a statement and the rows: %#', async (statement) => {
    expect(await tampered(statement)).toMatchObject({
      breach: 'altered',
      message: expect.stringContaining('audit.audit_event is not as it was made'),
    });
  });
});
