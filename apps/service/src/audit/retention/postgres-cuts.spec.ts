import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startPostgres, type PostgresServer } from '@caregate/postgres';
import {
  AuditBrokenError,
  CUT,
  loadOrMakeKey,
  type Month,
  parseVerifierKey,
} from '@caregate/audit-log';
import {
  type AuditSession,
  eraseEntries,
  openSession,
  PostgresLog,
  type PostgresReport,
  verifyPostgresLog,
} from '@caregate/audit-log/postgres';
import { auditEntry, inFolder, userIds } from '@caregate/audit-log/testing';
import { openPostgres } from '../../database/postgres/open-postgres.ts';
import { migrateAudit } from '../postgres/audit-schema.ts';
import { commandEntry } from '../system-record.ts';
import type { CutStore } from './cut-store.ts';
import { openPostgresCuts } from './postgres-cuts.ts';
import { addHold, approveCut, listHolds, proposeCut } from './retention.ts';
import { enrolAll, people } from './retention.testing.ts';

const { dana, omar } = people;
const [amelia, bruno] = userIds as [string, string, string];
const may = '2018-05' as Month;
const terms = { years: 7, nowMs: Date.parse('2026-11-21T08:00:00Z') };

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres({ fsync: 'off' });
});
afterAll(async () => {
  await server.stop();
});

interface Parts {
  readonly url: string;
  readonly folder: string;
  readonly db: AuditSession;
  readonly store: CutStore;
  readonly verified: () => Promise<PostgresReport>;
}

/** Its beginning and ten records a month from 2018-04 to 2018-06, two of last year, two approvers; nobody is writing it. */
async function withOldLog(work: (parts: Parts) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    const url = await server.database();
    const db = await openSession({ url, timeoutMs: 600_000 }, () => undefined);
    await makeTables(url);
    // A log begins with a record of that.
    const now = jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2018-04-01T00:00:00Z'));
    const { log, session } = await openLog(url, folder);
    now.mockRestore();
    const months = ['2018-04', '2018-05', '2018-06'].flatMap((month) =>
      Array<string>(10).fill(month),
    );
    for (const month of [...months, '2025-01', '2025-12']) {
      const patients = month === '2018-05' ? [amelia, bruno] : [amelia];
      const recordedAtUs = Date.parse(`${month}-02T10:00:00Z`) * 1000;
      await log.append([{ entry: auditEntry({ patients }), recordedAtUs }]);
    }
    await log.checkpoint();
    await session.close();
    const store = await openPostgresCuts(db, { url, dataDir: folder });
    await enrolAll(store, folder, { dana, omar });
    const key = parseVerifierKey(log.identity.verifierKey);
    const verified = (): Promise<PostgresReport> => verifyPostgresLog(db, { key });
    try {
      await work({ url, folder, db, store, verified });
    } finally {
      await store.close();
      await db.close();
    }
  });
}

async function makeTables(url: string): Promise<void> {
  const pool = openPostgres(url, {
    applicationName: 'caregate spec',
    connections: 1,
    statementTimeoutMs: 0,
    connectTimeoutMs: 10_000,
  });
  await migrateAudit(pool);
  await pool.end();
}

/** As an instance does. */
async function openLog(
  url: string,
  folder: string,
): Promise<{ readonly log: PostgresLog; readonly session: AuditSession }> {
  const session = await openSession({ url, timeoutMs: 600_000 }, () => undefined);
  const options = { host: 'clinic.example', serverId: 'one' };
  return { session, log: await PostgresLog.open(session, loadOrMakeKey(folder), options) };
}

async function agree(store: CutStore, until: Month): Promise<void> {
  const { id } = await proposeCut(store, dana, until, terms);
  await approveCut(store, dana, id, terms);
  await approveCut(store, omar, id, terms);
}

async function count(db: AuditSession, what: string): Promise<number> {
  const { rows } = await db.query(`select count(*)::int as count from audit.${what}`);
  return rows[0]?.['count'] as number;
}

describe('a cut on PostgreSQL', () => {
  it('leaves nothing of the records but their hashes', async () => {
    await withOldLog(async ({ db, store, verified }) => {
      const { root } = await verified();
      const hold = await addHold(store, { reference: 'CASE-1', patient: bruno });
      await expect(proposeCut(store, dana, may, terms)).rejects.toThrow(
        `Hold ${hold} (CASE-1) covers record 11 of 2018-05`,
      );
      await agree(store, '2018-04' as Month);
      expect(await verified()).toMatchObject({ cut: 11, unproven: 0 });
      await store.record([commandEntry('releaseLegalHold', { hold })]);
      await agree(store, may);
      const report = await verified();
      expect(report).toMatchObject({ cut: 21, unproven: 0 });
      expect(report.root.equals(root)).toBe(false);
      expect(await count(db, 'audit_event where body is not null and seq < 21')).toBe(0);
      expect(await count(db, 'audit_event where patients is not null and seq < 21')).toBe(0);
      expect(await count(db, 'audit_event where recorded_at_us is not null and seq < 21')).toBe(0);
      expect(await listHolds(store)).toMatchObject([{ id: hold }]);
    });
  });

  it('goes on where it was stopped half-way', async () => {
    await withOldLog(async ({ db, store, verified }) => {
      const { id } = await proposeCut(store, dana, may, terms);
      await approveCut(store, dana, id, terms);
      const failing: CutStore = {
        ...store,
        erase: async () => {
          await eraseEntries(db, store.source.identity().logId, 7);
          throw new Error('The power failed');
        },
      };
      await expect(approveCut(failing, omar, id, terms)).rejects.toThrow('The power failed');
      expect((await verified()).cut).toBe(7);
      expect(await approveCut(store, omar, id, terms)).toMatchObject({ isDone: true });
      expect((await verified()).cut).toBe(21);
    });
  });

  it('is found where nothing allows it: without a record, with one that has no proof, one record too many', async () => {
    await withOldLog(async ({ db, store, verified }) => {
      const { logId } = store.source.identity();
      const broken = async (seq: number): Promise<void> => {
        await expect(verified()).rejects.toThrow(AuditBrokenError);
        await expect(verified()).rejects.toMatchObject({ breach: 'altered', seq });
      };
      await agree(store, '2018-04' as Month);
      expect((await verified()).cut).toBe(11);
      await store.record([commandEntry(CUT, { proposal: 'x', before_seq: 21, until: may })]);
      expect((await verified()).cut).toBe(11);
      await eraseEntries(db, logId, 12);
      await broken(11);
      await eraseEntries(db, logId, 21);
      await broken(11);
    });
  });

  it('is for the owner of the tables, and not beside the instance that writes the log', async () => {
    await withOldLog(async ({ url, folder, db, store, verified }) => {
      const { id } = await proposeCut(store, dana, may, terms);
      await approveCut(store, dana, id, terms);
      await db.query(`create role caregate_service login password 'service'`);
      await db.query('grant usage on schema audit to caregate_service');
      await db.query('grant select, insert on all tables in schema audit to caregate_service');
      const other = new URL(url);
      [other.username, other.password] = ['caregate_service', 'service'];
      const service = await openPostgresCuts(db, { url: other.href, dataDir: folder });
      await expect(approveCut(service, omar, id, terms)).rejects.toThrow(
        'Only the owner of the audit tables can erase records',
      );
      const { session } = await openLog(url, folder);
      await expect(approveCut(store, omar, id, terms)).rejects.toThrow(
        'An instance is writing log',
      );
      await session.close();
      expect((await verified()).cut).toBe(0);
      await inFolder(async (elsewhere) => {
        loadOrMakeKey(elsewhere);
        const stranger = await openPostgresCuts(db, { url, dataDir: elsewhere });
        await expect(approveCut(stranger, omar, id, terms)).rejects.toThrow('does not sign log');
        const nobody = await openPostgresCuts(db, { url, dataDir: undefined });
        await expect(approveCut(nobody, omar, id, terms)).rejects.toThrow('Use --data DIR');
      });
      await approveCut(store, omar, id, terms);
      expect((await verified()).cut).toBe(21);
    });
  });
});
