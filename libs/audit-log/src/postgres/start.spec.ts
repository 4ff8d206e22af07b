import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newDatabase } from '@caregate/postgres';
import type { KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  appendGroup,
  makeAuditTables,
  newKey,
  openLog,
  pastTriggers,
  sessionOf,
} from '../testing/postgres-log.testing.ts';
import { VerifierKey } from '../note/checkpoint.ts';
import type { AuditSession } from './audit-session.ts';
import { KeptCheckpoints, keptFolder } from './kept-checkpoints.ts';
import { auditTables } from './stored/schema.ts';
import { requireSeen } from './seen-logs.ts';
import { verifyPostgresLog, type PostgresReport } from './verify/verify-postgres.ts';

let url: string;
let db: AuditSession;
let key: KeyObject;
let dataDir: string;
let kept: KeptCheckpoints;

beforeEach(async () => {
  url = await newDatabase();
  db = await sessionOf(url);
  key = newKey();
  dataDir = mkdtempSync(join(tmpdir(), 'caregate-audit-'));
  kept = new KeptCheckpoints(dataDir);
});
afterEach(async () => {
  await db.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** A log of 40 records and checkpoints of 1, 11 and 31 of them. */
async function written(): Promise<string> {
  const { log, session } = await openLog(url, key, { kept });
  await appendGroup(log, 10);
  await log.checkpoint();
  await appendGroup(log, 20);
  const note = await log.checkpoint();
  await appendGroup(log, 4);
  await appendGroup(log, 5);
  await kept.keep(log.identity.logId, note);
  await session.close();
  return log.identity.logId;
}

async function tamper(statement: string): Promise<void> {
  await db.query('begin');
  await pastTriggers(db, () => db.query(statement));
  await db.query('commit');
}

async function reopened(): Promise<number> {
  const { log, session } = await openLog(url, key, { kept: new KeptCheckpoints(dataDir) });
  await session.close();
  return log.size;
}

function verified(verifier: string): Promise<PostgresReport> {
  return verifyPostgresLog(db, { key: VerifierKey.parse(verifier) });
}

const copied = `log_id, 40, leaf_hash, salt, body from audit_event where seq = 39`;

const changes: readonly (readonly [what: string, statement: string, message: string])[] = [
  [
    'a record that is not sealed',
    `insert into audit_event (log_id, seq, leaf_hash, salt, body) select ${copied}`,
    'Record 40 is not sealed',
  ],
  ['a missing last seal', 'delete from audit_seal where size = 40', 'Record 35 is not sealed'],
  ['a missing record', 'delete from audit_event where seq = 33', 'Record 33 is missing'],
  ['a missing end', 'delete from audit_event where seq >= 35', 'is truncated'],
  [
    'another record',
    `update audit_event set body = replace(body, '200', '404') where seq = 38`,
    'Record 38 was altered',
  ],
  [
    'a wrong seal',
    'update audit_seal set signature = sha512(signature) where size = 35',
    'The seal of 35 records is not valid',
  ],
  [
    'a wrong last seal',
    'update audit_seal set checkpoint_size = 11 where size = 40',
    'The seal of 40 records is not valid',
  ],
  ['no checkpoint', 'delete from audit_checkpoint', 'has no checkpoint'],
  [
    'a checkpoint smaller than the last seal names',
    'delete from audit_checkpoint where size = 31',
    'The checkpoint of 31 records, which the last seal names, is missing',
  ],
  [
    'a wrong checkpoint',
    `update audit_checkpoint set note = replace(note, '31', '30') where size = 31`,
    'The checkpoint of 31 records',
  ],
  [
    'a checkpoint larger than the log',
    'update audit_checkpoint set size = 41 where size = 31',
    'does not match its checkpoint',
  ],
  [
    'a log cut off under its checkpoint',
    'delete from audit_event where seq >= 11; delete from audit_seal where size > 11',
    'has 11 records in the database, and had 31',
  ],
  ['no seals', 'delete from audit_seal', 'The seals of the log were deleted'],
  ['no log', 'delete from audit_log', 'has 0 records in the database, and had 31'],
  [
    'an emptied log',
    'delete from audit_event; delete from audit_seal; delete from audit_checkpoint; delete from audit_log',
    'has 0 records in the database, and had 31',
  ],
  [
    'an earlier whole state',
    'delete from audit_event where seq >= 11; delete from audit_seal where size > 11; delete from audit_checkpoint where size > 11',
    'has 11 records in the database, and had 31',
  ],
];

describe('a start on PostgreSQL', () => {
  beforeEach(() => makeAuditTables(db));

  it('refuses what was changed, whichever part of it', async () => {
    await written();
    await db.query('create schema whole');
    for (const table of auditTables) {
      await db.query(`create table whole.${table} as table audit.${table}`);
    }
    const restore = auditTables
      .map((table) => `delete from ${table}; insert into ${table} select * from whole.${table}`)
      .join(';');
    for (const [what, statement, message] of changes) {
      await tamper(statement);
      const said = await reopened().catch(String);
      expect([what, said]).toEqual([what, expect.stringContaining(message)]);
      const { rows } = await db.query('select count(*)::int as logs from audit.audit_log');
      expect(rows[0]?.['logs']).toBeLessThanOrEqual(1);
      await tamper(restore);
    }
    expect(await reopened()).toBe(40);
  });

  it('refuses a kept checkpoint that is damaged, and takes a new database for another folder', async () => {
    const logId = await written();
    writeFileSync(join(dataDir, keptFolder, logId), 'no checkpoint');
    await expect(reopened()).rejects.toThrow('is not signed by the key of its data folder');
    rmSync(join(dataDir, keptFolder), { recursive: true });
    expect(await reopened()).toBe(40);
  });
});

describe('the logs of several instances', () => {
  beforeEach(() => makeAuditTables(db));

  it('name each other, so that one that is deleted or cut off is missed', async () => {
    const gone = await written();
    const other = await openLog(url, newKey());
    await other.session.close();
    const { seen } = await verified(other.log.identity.verifierKey);
    expect(seen.map(({ logId, size }) => [logId, size])).toEqual([[gone, 31]]);
    await requireSeen(db, seen);
    await tamper('delete from audit_event where seq >= 11');
    await expect(requireSeen(db, seen)).rejects.toThrow(
      `Log ${gone} has 11 records in the database, and had 31 (as another log says)`,
    );
    await tamper(`delete from audit_event where log_id = '${gone}'`);
    await expect(requireSeen(db, seen)).rejects.toThrow(
      `Log ${gone} has 0 records in the database, and had 31 (as another log says)`,
    );
  });

  it('are named again only when they have grown', async () => {
    await written();
    const [one, two] = [await openLog(url, newKey()), await openLog(url, newKey())];
    expect([one.log.size, two.log.size]).toEqual([1, 1]);
    await Promise.all([one.session.close(), two.session.close()]);
    // It has not seen the two that were opened since.
    expect(await reopened()).toBe(41);
    expect(await reopened()).toBe(41);
  });
});
