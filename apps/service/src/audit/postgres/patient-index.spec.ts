import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { randomUUID } from 'node:crypto';
import { newDatabase } from '@caregate/postgres';
import { newKey, openLog, type AuditSession } from '@caregate/audit-log/testing';
import pg from 'pg';
import { isMatch, parseRecord } from '../record/record-body.ts';
import { recordText } from '../record/record-text.ts';
import { auditEntry } from '../record/records.testing.ts';
import { migrateAudit } from './audit-schema.ts';
import { namesPatient } from './events-query.ts';

let session: AuditSession;
let log: Awaited<ReturnType<typeof openLog>>['log'];

beforeEach(async () => {
  const url = await newDatabase();
  const owner = new pg.Pool({ connectionString: url });
  await migrateAudit(owner);
  await owner.end();
  ({ log, session } = await openLog(url, newKey()));
});
afterEach(() => session.close());

async function found(patient: string): Promise<{ seqs: number[]; wrong: number }> {
  const values: unknown[] = [];
  const condition = namesPatient(patient, (value) => `$${values.push(value)}`);
  const { rows } = await session.query(
    `select seq, body from audit.audit_event e where ${condition} order by seq`,
    values,
  );
  const right = rows.filter(({ body }) =>
    isMatch({ patient }, parseRecord(body as string, { logId: '', seq: 0 })),
  );
  return { seqs: right.map(({ seq }) => Number(seq)), wrong: rows.length - right.length };
}

/** Of all tables of the log with their indexes, in bytes. */
async function stored(): Promise<number> {
  const { rows } = await session.query(
    `select sum(pg_total_relation_size(oid))::int as bytes from pg_class
     where relkind = 'r' and relnamespace = 'audit'::regnamespace`,
  );
  return rows[0]?.['bytes'] as number;
}

function page(people: readonly string[], first: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => people[(first + at) % people.length] as string);
}

describe('the index of patients', () => {
  it('costs a page of 322 people at most 12 KB of log, tables and indexes together', async () => {
    const people = Array.from({ length: 5000 }, () => randomUUID());
    const pages = async (count: number): Promise<void> => {
      for (let at = 0; at < count; at += 1) {
        // Each with a seal of its own, as at night: groups cost less.
        const patients = page(people, 997 * log.size, 322);
        await log.append([recordText(auditEntry({ operation: 'listUsers', patients }))]);
      }
    };
    await pages(50);
    const before = await stored();
    await pages(200);
    const bytes = ((await stored()) - before) / 200;
    expect(bytes).toBeLessThan(12 * 1024);
    // What a page says of 322 people can't be less than their ids.
    expect(bytes).toBeGreaterThan(16 * 322);
  });

  it('finds who saw a patient, in whichever place of a page the patient stands', async () => {
    // Ids that differ in few bits, with as few keys as there are: what finds too much is seen.
    const ids = Array.from(
      { length: 12 },
      (_, at) => `${String(at % 4)}0000000-0000-4000-8000-00000000000${String(at % 3)}`,
    );
    const record = fc.subarray(ids, { maxLength: 9 });
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 20 }), async (records) => {
        const first = log.size;
        await log.append(records.map((patients) => recordText(auditEntry({ patients }))));
        for (const id of ids) {
          const { seqs } = await found(id);
          expect(seqs.filter((seq) => seq >= first)).toEqual(
            records.flatMap((patients, at) => (patients.includes(id) ? [first + at] : [])),
          );
        }
      }),
      { numRuns: 15 },
    );
  });

  it('is what a query uses, and finds hardly a record of somebody else', async () => {
    const people = Array.from({ length: 2000 }, () => randomUUID());
    await log.append(
      Array.from({ length: 4000 }, (_, at) =>
        recordText(auditEntry({ patients: page(people, at, at % 50 === 0 ? 50 : 1) })),
      ),
    );
    await session.query('analyze audit.audit_event');
    const values: unknown[] = [];
    const condition = namesPatient(people[0] as string, (value) => `$${values.push(value)}`);
    const { rows } = await session.query(
      `explain select * from audit.audit_event e where ${condition}
       order by recorded_at_us desc limit 50`,
      values,
    );
    expect(JSON.stringify(rows)).toContain('audit_event_patients');
    for (const id of people.slice(0, 100)) {
      const { seqs, wrong } = await found(id);
      expect([seqs.length > 1, wrong]).toEqual([true, 0]);
    }
  });
});
