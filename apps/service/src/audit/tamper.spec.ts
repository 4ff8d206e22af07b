import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openAuditLog } from './audit-writer.ts';
import { auditEntry, userIds } from './audit.testing.ts';
import { AuditBrokenError, type Breach } from './log/audit-broken-error.ts';
import { loadKey } from './log/audit-key.ts';
import { parseVerifierKey, type VerifierKey } from './log/checkpoint.ts';
import { seededDice, tamper, ways } from './tampering.testing.ts';
import { verifyLog } from './verify.ts';

const folder = mkdtempSync(join(tmpdir(), 'caregate-tamper-'));
let db: DatabaseSync;
let key: VerifierKey;
let outside = '';

beforeAll(async () => {
  const log = await openAuditLog(folder, { checkpointEveryRecords: 10, host: 'clinic.example' });
  for (let at = 0; at < 64; at += 1) {
    const patients = userIds.slice(0, at % 4);
    await log.record(auditEntry({ patients, requestId: randomUUID() }));
  }
  outside = await log.checkpoint();
  await log.close();
  key = parseVerifierKey(log.verifierKey);
  db = new DatabaseSync(join(folder, 'audit.db'));
});

afterAll(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('a verification with one checkpoint kept elsewhere', () => {
  it('holds for a log that nobody touched', () => {
    expect(verifyLog(db, { key, outside })).toMatchObject({ size: 64, checkpoints: 8, cut: 0 });
  });

  it('finds every one of 600 random edits, deletions, reorderings, insertions, cuts, forks', () => {
    const stolen = loadKey(join(folder, 'audit-key.pem'))!;
    const dice = seededDice(20_260_115);
    const tried = new Set<string>();
    for (let edit = 0; edit < 600; edit += 1) {
      const { way, found } = tamper({ db, dice, key: stolen }, () =>
        verifyLog(db, { key, outside }),
      );
      tried.add(way);
      if (!(found instanceof AuditBrokenError)) {
        throw new Error(`${way}: ${found instanceof Error ? String(found.stack) : 'not found'}`);
      }
    }
    expect([...tried].sort()).toEqual(Object.keys(ways).sort());
    expect(verifyLog(db, { key, outside }).size).toBe(64);
  });

  it.each<[string, Breach, number | undefined]>([
    [
      "update audit_event set body = replace(body, '200', '404') where seq in (17, 30)",
      'altered',
      17,
    ],
    ['delete from audit_event where seq = 12', 'gap', 12],
    ['delete from audit_event where seq >= 60', 'truncated', 60],
    ['delete from audit_patient where seq = 21', 'altered', 21],
    [
      "update audit_checkpoint set note = replace(note, '—', '–') where size = 20",
      'bad_signature',
      undefined,
    ],
  ])('says what is wrong: %s', (statement, breach, seq) => {
    const found = (() => {
      db.exec('begin');
      try {
        const triggers = db.prepare(`select name, sql from sqlite_schema where type = 'trigger'`);
        const all = triggers.all();
        all.forEach((trigger) => {
          db.exec(`drop trigger ${String(trigger['name'])}`);
        });
        db.exec(statement);
        all.forEach((trigger) => {
          db.exec(String(trigger['sql']));
        });
        return verifyLog(db, { key, outside });
      } catch (error) {
        return error;
      } finally {
        db.exec('rollback');
      }
    })();
    expect(found).toMatchObject({ name: 'AuditBrokenError', breach, seq });
  });

  it('finds a trigger that was taken away', () => {
    db.exec('begin; drop trigger audit_event_no_update');
    expect(() => verifyLog(db, { key, outside })).toThrow('tables or triggers were changed');
    db.exec('rollback');
  });
});
