import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { AccessStore } from '../../access/access-store.ts';
import { openRawSqlite } from '../../database/sqlite/open-sqlite.ts';
import { auditEntry, inFolder, teamId, userIds } from '../audit.testing.ts';
import { openAuditLog } from '../audit-writer.ts';
import { appendNow } from '../offline/append-now.ts';
import { exportNdjson } from '../export/export-ndjson.ts';
import { commandEntry } from '../system-record.ts';
import type { RecordBody } from '../record-body.ts';
import { AuditReader } from '../log/audit-reader.ts';
import { auditFile } from '../log/audit-schema.ts';
import { parseVerifierKey } from '../log/checkpoint.ts';
import { verifyConsistency, verifyInclusion } from '../log/tree.ts';
import type { VerifyReport } from '../log-checks.ts';
import { verifyLog } from '../verify.ts';
import { eraseRecords } from './erase-records.ts';
import type { Month } from './months.ts';
import { addHold, approveCut, listHolds, proposeCut, releaseHold } from './retention.ts';
import { adminKeys, writeLog } from './retention.testing.ts';
import { segments } from './segments.ts';

const [amelia, bruno] = userIds as [string, string, string];
const may = '2018-05' as Month;
const nowMs = Date.parse('2026-11-21T08:00:00Z');

/** Ten records a month from 2018-04 to 2018-06, and two of last year; Bruno is seen in 2018-05 alone. */
async function withOldLog<T>(
  work: (parts: {
    readonly folder: string;
    readonly terms: { dataDir: string; years: number; nowMs: number };
    readonly keys: Record<'Dana Whitfield' | 'Omar Haddad', string>;
  }) => Promise<T>,
  first: Parameters<typeof writeLog>[1] = [],
): Promise<T> {
  return await inFolder(async (folder) => {
    const days = Array.from({ length: 10 }, (_, at) => String(at + 1).padStart(2, '0'));
    const old = ['2018-04', '2018-05', '2018-06'].flatMap((month) =>
      days.map((day) => {
        const patients = month === '2018-05' ? [amelia, bruno] : [amelia];
        return { entry: auditEntry({ patients }), at: `${month}-${day}T10:00:00Z` };
      }),
    );
    const late = ['2025-01-02', '2025-12-31'].map((at) => ({ entry: auditEntry(), at }));
    await writeLog(folder, [...first, ...old, ...late]);
    const keys = await adminKeys(folder, 'Dana Whitfield', 'Omar Haddad');
    return await work({ folder, terms: { dataDir: folder, years: 7, nowMs }, keys });
  });
}

function inLog<T>(folder: string, what: (reader: AuditReader) => T): T {
  const reader = new AuditReader(folder);
  try {
    return what(reader);
  } finally {
    reader.close();
  }
}

function verified(folder: string, outside?: string): VerifyReport {
  return inLog(folder, (reader) =>
    verifyLog(reader.db, {
      key: parseVerifierKey(reader.identity().verifierKey),
      ...(outside !== undefined && { outside }),
    }),
  );
}

function lastRecords(folder: string, count: number): RecordBody[] {
  return inLog(folder, ({ db }) =>
    db
      .prepare('select body from audit_event where body is not null order by seq desc limit ?')
      .all(count)
      .map(({ body }) => JSON.parse(body as string) as RecordBody),
  );
}

describe('a retention cut', () => {
  it('leaves nothing of the records but their hashes, and every proof holds', async () => {
    await withOldLog(async ({ folder, terms, keys }) => {
      const before = inLog(folder, (reader) => ({
        note: reader.checkpoint() ?? '',
        root: reader.root(32),
        roots: Array.from({ length: 33 }, (_, size) => reader.root(size)),
      }));
      const { id } = await proposeCut(terms, keys['Dana Whitfield'], may);
      expect(verified(folder).cut).toBe(0);
      const plan = await approveCut(terms, keys['Omar Haddad'], id);
      expect(plan).toMatchObject({ until: may, fromSeq: 0, beforeSeq: 20, records: 20 });

      expect(verified(folder, before.note).cut).toBe(20);
      inLog(folder, (reader) => {
        for (let seq = 0; seq < 32; seq += 1) {
          const proof = reader.inclusion(seq, 32);
          expect(verifyInclusion(reader.leaf(seq), seq, 32, proof, before.root)).toBe(true);
        }
        before.roots.forEach((root, size) => {
          const proof = reader.consistency(size, 32);
          expect(verifyConsistency(size, 32, proof, root, before.root)).toBe(true);
        });
        const left = reader.db.prepare(
          'select count(*) as rows, count(body) as bodies, count(salt) as salts from audit_event where seq < 20',
        );
        expect(left.get()).toEqual({ rows: 20, bodies: 0, salts: 0 });
        const patients = reader.db.prepare('select min(seq) as first from audit_patient').get();
        expect(patients).toEqual({ first: 20 });
      });
      // Not only let go of: Bruno was seen in the month that was cut alone.
      const files = [auditFile, `${auditFile}-wal`].map((name) => {
        try {
          return readFileSync(join(folder, name), 'latin1');
        } catch {
          return '';
        }
      });
      expect(files.join('')).toContain(amelia);
      expect(files.join('')).not.toContain(bruno);
    });
  });

  it('is recorded, with both people', async () => {
    await withOldLog(async ({ folder, terms, keys }) => {
      const { id } = await proposeCut(terms, keys['Dana Whitfield'], may);
      await approveCut(terms, keys['Omar Haddad'], id);
      const [cut, proposal] = lastRecords(folder, 2);
      const [proposer, approver] = [keys['Dana Whitfield'], keys['Omar Haddad']].map((key) =>
        key.slice(8, 20),
      );
      expect(cut).toMatchObject({
        operation: 'retentionCut',
        actor_type: 'key',
        actor_id: approver,
        role: 'admin',
        details: { proposal: id, proposed_by: proposer, until: may, before_seq: 20, records: 20 },
      });
      expect(proposal).toMatchObject({ operation: 'proposeCut', actor_id: proposer });
    });
  });

  it('holds for the independent verifier', async () => {
    const file = new URL('../../../../../tools/audit-verifier/src/verify.mjs', import.meta.url);
    const { verifyExport } = (await import(fileURLToPath(file))) as {
      verifyExport: (lines: string[], key: string, old: string[]) => Promise<[number, string]>;
    };
    await withOldLog(async ({ folder, terms, keys }) => {
      const old = inLog(folder, (reader) => reader.checkpoint() ?? '');
      const { id } = await proposeCut(terms, keys['Dana Whitfield'], may);
      await approveCut(terms, keys['Omar Haddad'], id);
      const { lines, key } = inLog(folder, (reader) => ({
        lines: Array.from(exportNdjson(reader, reader.checkpoint() ?? ''))
          .join('')
          .trimEnd(),
        key: reader.identity().verifierKey,
      }));
      expect(await verifyExport(lines.split('\n'), key, [old])).toEqual([
        0,
        'Holds: 34 records and 1 old checkpoints',
      ]);
    });
  });

  it('goes on beside a service that writes, and again later', async () => {
    await withOldLog(async ({ folder, terms, keys }) => {
      const service = await openAuditLog(folder);
      const first = await proposeCut(terms, keys['Dana Whitfield'], '2018-04' as Month);
      await service.record(auditEntry());
      await approveCut(terms, keys['Omar Haddad'], first.id);
      await service.record(auditEntry());
      const second = await proposeCut(terms, keys['Omar Haddad'], may);
      expect(second).toMatchObject({ fromSeq: 10, beforeSeq: 20, records: 10 });
      await approveCut(terms, keys['Dana Whitfield'], second.id);
      await service.record(auditEntry());
      await service.close();
      expect(verified(folder).cut).toBe(20);
    });
  });

  it('goes on where it was stopped half-way', async () => {
    await withOldLog(async ({ folder, terms, keys }) => {
      const { id } = await proposeCut(terms, keys['Dana Whitfield'], may);
      await approveCut(terms, keys['Omar Haddad'], id);
      await expect(approveCut(terms, keys['Omar Haddad'], id)).rejects.toThrow('is already done');
      const next = await proposeCut(terms, keys['Dana Whitfield'], '2018-06' as Month);
      // As if the power had failed right after the record: it is there, and what it says is gone is not, or half.
      const details = { proposal: next.id, before_seq: 30, until: '2018-06' };
      appendNow(folder, [auditEntry({ operation: 'retentionCut', patients: [], details })]);
      expect(verified(folder).cut).toBe(20);
      const db = openRawSqlite(join(folder, auditFile));
      await eraseRecords(db, 25);
      db.close();
      expect(verified(folder).cut).toBe(25);
      const rest = await approveCut(terms, keys['Omar Haddad'], next.id);
      expect(rest).toMatchObject({ fromSeq: 25, beforeSeq: 30 });
      expect(verified(folder).cut).toBe(30);
      const cuts = lastRecords(folder, 9).filter(({ operation }) => operation === 'retentionCut');
      expect(cuts).toHaveLength(2);
    });
  });

  it('is refused on a log that does not hold: the evidence stays', async () => {
    await withOldLog(async ({ folder, terms, keys }) => {
      const { id } = await proposeCut(terms, keys['Dana Whitfield'], may);
      const db = new DatabaseSync(join(folder, auditFile));
      db.exec(`insert into audit_cut values (1);
               update audit_event set body = replace(body, 'front-desk-1', 'front-desk-2') where seq = 3;
               delete from audit_cut`);
      db.close();
      await expect(approveCut(terms, keys['Omar Haddad'], id)).rejects.toThrow(
        'Record 3 was altered',
      );
      inLog(folder, (reader) => {
        expect(reader.db.prepare('select count(body) as n from audit_event').get()).toEqual({
          n: 33,
        });
      });
    });
  });

  it('is nothing that anyone can do without it: the triggers refuse', async () => {
    await withOldLog(async ({ folder }) => {
      const db = openRawSqlite(join(folder, auditFile));
      for (const statement of [
        'update audit_event set salt = null, body = null where seq = 0',
        'delete from audit_event where seq = 0',
        'delete from audit_patient where seq = 0',
        'delete from audit_node',
      ]) {
        expect(() => {
          db.exec(statement);
        }).toThrow('append-only');
      }
      db.close();
      await Promise.resolve();
    });
  });
});

describe('two people', () => {
  const refused = async (folder: string, attempt: Promise<unknown>, why: string): Promise<void> => {
    await expect(attempt).rejects.toMatchObject({ name: 'RetentionError', refusal: why });
    expect(lastRecords(folder, 1)).toMatchObject([{ decision: 'denied', reason_code: why }]);
    expect(verified(folder).cut).toBe(0);
  };

  it('are two: not one with one key, a successor of it, or another key of that label', async () => {
    await withOldLog(async ({ folder, terms, keys }) => {
      const mine = keys['Dana Whitfield'];
      const store = await AccessStore.open(folder);
      const successor = await store.keys.rotate(mine.slice(8, 20));
      const alike = { teamId, role: 'admin', label: ' dana whitfield' } as const;
      const second = await store.keys.create(alike);
      await store.close();
      const { id } = await proposeCut(terms, mine, may);
      for (const key of [mine, successor.key, second.key]) {
        await refused(folder, approveCut(terms, key, id), 'same_person');
      }
    });
  });

  it('both have a live key of the role admin', async () => {
    await withOldLog(async ({ folder, terms, keys }) => {
      const store = await AccessStore.open(folder);
      const asked = { teamId, role: 'auditor', label: 'Ines Castell' } as const;
      const auditor = await store.keys.create(asked);
      await refused(folder, proposeCut(terms, auditor.key, may), 'unauthorized');
      await refused(folder, proposeCut(terms, 'nonsense', may), 'unauthorized');
      const { id } = await proposeCut(terms, keys['Dana Whitfield'], may);
      await refused(folder, approveCut(terms, auditor.key, id), 'unauthorized');
      await store.keys.revoke(keys['Dana Whitfield'].slice(8, 20));
      await refused(folder, approveCut(terms, keys['Omar Haddad'], id), 'expired');
      await store.keys.revoke(keys['Omar Haddad'].slice(8, 20));
      await refused(folder, approveCut(terms, keys['Omar Haddad'], id), 'unauthorized');
      await store.close();
    });
  });

  it('agree within a week, on what there is', async () => {
    await withOldLog(async ({ folder, terms, keys }) => {
      const key = keys['Omar Haddad'];
      const { id } = await proposeCut(terms, keys['Dana Whitfield'], may);
      const late = { ...terms, nowMs: Date.now() + 8 * 86_400_000 };
      await refused(folder, approveCut(late, key, id), 'expired');
      await refused(folder, approveCut({ ...terms, years: 9 }, key, id), 'too_young');
      await refused(folder, approveCut(terms, key, 'ffffffff'), 'not_found');
    });
  });
});

describe('what is too young', () => {
  it('is refused, to the month', async () => {
    await withOldLog(async ({ terms, keys }) => {
      const key = keys['Dana Whitfield'];
      const at = (now: string): typeof terms => ({ ...terms, nowMs: Date.parse(now) });
      await expect(proposeCut(at('2025-05-31T23:59:59Z'), key, may)).rejects.toThrow(
        'the last month that can be cut is 2018-04',
      );
      const { beforeSeq } = await proposeCut(at('2025-06-01T00:00:00Z'), key, may);
      expect(beforeSeq).toBe(20);
      await expect(proposeCut({ ...terms, years: 5 }, key, may)).rejects.toThrow(
        'at least 6 years',
      );
      await expect(proposeCut(terms, key, '2018-03' as Month)).rejects.toThrow('No records');
    });
  });
});

describe('a legal hold', () => {
  it('stops a cut until it is released', async () => {
    await withOldLog(async ({ folder, terms, keys }) => {
      const id = addHold(folder, { reference: 'CASE-2026-17', patient: bruno });
      const propose = (): Promise<{ id: string }> => proposeCut(terms, keys['Dana Whitfield'], may);
      await expect(propose()).rejects.toThrow(
        `Hold ${id} (CASE-2026-17) covers record 10 of 2018-05`,
      );
      inLog(folder, ({ db }) => {
        expect(segments(db, terms).map(({ month, state }) => `${month} ${state}`)).toEqual([
          '2018-04 may be cut',
          '2018-05 held',
          '2018-06 held',
          '2025-01 kept',
          '2025-12 kept',
          `${new Date().toISOString().slice(0, 7)} kept`,
        ]);
      });
      releaseHold(folder, id);
      expect(() => {
        releaseHold(folder, id);
      }).toThrow('No active hold');
      const { id: proposal } = await propose();
      await approveCut(terms, keys['Omar Haddad'], proposal);
      expect(verified(folder).cut).toBe(20);
      expect(listHolds(folder)).toMatchObject([{ id, released: expect.any(String) }]);
    });
  });

  it('that comes between proposal and approval counts', async () => {
    await withOldLog(async ({ folder, terms, keys }) => {
      const { id } = await proposeCut(terms, keys['Dana Whitfield'], may);
      addHold(folder, { reference: 'CASE-2026-18', from: may, to: may });
      await expect(approveCut(terms, keys['Omar Haddad'], id)).rejects.toMatchObject({
        refusal: 'held',
      });
      expect(verified(folder).cut).toBe(0);
    });
  });

  it('outlives its own record', async () => {
    const details = { hold: '0badcafe', reference: 'CASE-2018-03', from: '2025-01' };
    const hold = commandEntry('addLegalHold', details);
    await withOldLog(
      async ({ folder, terms, keys }) => {
        expect(listHolds(folder)).toMatchObject([{ id: '0badcafe', seq: 0 }]);
        const { id } = await proposeCut(terms, keys['Dana Whitfield'], may);
        await approveCut(terms, keys['Omar Haddad'], id);
        expect(verified(folder).cut).toBe(21);
        expect(listHolds(folder)).toEqual([
          {
            id: '0badcafe',
            reference: 'CASE-2018-03',
            from: '2025-01',
            since: '2018-04-01T00:00:00.000Z',
            seq: 34,
          },
        ]);
      },
      [{ entry: hold, at: '2018-04-01T00:00:00Z' }],
    );
  });
});
