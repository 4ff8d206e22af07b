import { describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { auditEntry } from '@caregate/audit-log/testing';
import { parseVerifierKey } from '@caregate/audit-log';
import { verifyLog } from './verify.ts';
import { AppendLog } from './append-log.testing.ts';
import { schemaStatements } from './audit-schema.ts';

const key = generateKeyPairSync('ed25519').privateKey;
const options = { host: 'clinic.example', serverId: 'one', checkpointEveryRecords: 4 };
const records = (count: number): { entry: ReturnType<typeof auditEntry>; recordedAtUs: number }[] =>
  Array.from({ length: count }, () => ({
    entry: auditEntry(),
    recordedAtUs: 1_768_469_400_000_000,
  }));

function database(): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  schemaStatements().forEach((statement) => {
    db.exec(statement);
  });
  return db;
}

describe('the append log', () => {
  it('adds nothing when the commit itself fails, and goes on after it is opened anew', () => {
    const db = database();
    const log = new AppendLog(db, key, options);
    log.append(records(3));
    const exec = db.exec.bind(db);
    db.exec = (sql) => {
      if (sql === 'commit') {
        throw new Error('disk I/O error');
      }
      exec(sql);
    };
    expect(() => log.append(records(5))).toThrow('disk I/O error');
    expect(() => log.checkpoint()).toThrow('disk I/O error');
    db.exec = exec;
    const again = new AppendLog(db, key, options);
    expect(again.size).toBe(3);
    expect(again.append(records(2))).toBe(3);
    const report = verifyLog(db, { key: parseVerifierKey(again.verifierKey) });
    expect(report).toMatchObject({ size: 5, checkpoints: 2 });
  });

  it('takes over a commit that was done though it was told to have failed', () => {
    const db = database();
    const log = new AppendLog(db, key, options);
    const exec = db.exec.bind(db);
    db.exec = (sql) => {
      exec(sql);
      if (sql === 'commit') {
        throw new Error('disk I/O error');
      }
    };
    expect(() => log.append(records(5))).toThrow('disk I/O error');
    db.exec = exec;
    expect(new AppendLog(db, key, options).append(records(1))).toBe(5);
  });

  it('refuses another key, and a tail that was altered, at the start and while it runs', () => {
    const db = database();
    const log = new AppendLog(db, key, options);
    log.append(records(2));
    const other = generateKeyPairSync('ed25519').privateKey;
    expect(() => new AppendLog(db, other, options)).toThrow('does not belong to this log');
    db.exec(`drop trigger audit_event_no_update;
             update audit_event set body = replace(body, '200', '404') where seq = 1`);
    expect(() => new AppendLog(db, key, options)).toThrow('Record 1 was altered');
    db.exec(`drop trigger audit_head_stays; delete from audit_head`);
    expect(() => log.append(records(1))).toThrow('shorter than before');
  });

  it('gives every record a salt of its own: equal records have unequal hashes', () => {
    const db = database();
    new AppendLog(db, key, options).append(records(50));
    const rows = db.prepare('select distinct salt, leaf_hash from audit_event').all();
    expect(
      new Set(rows.map((row) => Buffer.from(row['salt'] as Uint8Array).toString('hex'))).size,
    ).toBe(50);
  });

  it('empties records for a recorded retention cut alone', () => {
    const db = database();
    const log = new AppendLog(db, key, options);
    log.append(records(6));
    const empty = `begin; insert into audit_cut values (1);
      update audit_event set body = null, salt = null where seq < 3;
      delete from audit_patient where seq < 3; delete from audit_cut; commit`;
    const verifier = parseVerifierKey(log.verifierKey);
    const outside = log.checkpoint();
    db.exec(empty);
    expect(() => verifyLog(db, { key: verifier, outside })).toThrow(
      'Record 0 was erased without a retention cut',
    );
    const cut = auditEntry({ operation: 'retentionCut', details: { before_seq: 3 }, patients: [] });
    log.append([{ entry: cut, recordedAtUs: 1 }]);
    // Until a checkpoint covers it, anybody could have written it.
    expect(() => verifyLog(db, { key: verifier, outside })).toThrow(
      'the cut in record 6 follows the last checkpoint',
    );
    log.checkpoint();
    expect(verifyLog(db, { key: verifier, outside })).toMatchObject({ size: 7, cut: 3 });
  });
});
