import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newDatabase } from '@caregate/postgres';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { runVerifyPostgres } from '../cli/verify-postgres-command.ts';
import { recordsOf } from '../export/records.ts';
import { logsOfDatabase } from '../offline/open-log.ts';
import { openPostgres } from '../../database/postgres/open-postgres.ts';
import {
  inFolder,
  leafHash,
  verifyInclusion,
  verifyConsistency,
} from '@caregate/audit-log/testing';
import { VerifierKey } from '@caregate/audit-log';
import { UnknownLogError } from '../trail/audit-trail.ts';
import type { EventsFilter } from '../trail/audit-trail.ts';
import { migrateAudit } from './audit-schema.ts';
import { newLogOnPostgres } from '@caregate/audit-log/postgres';
import { PostgresAuditTrail } from './postgres-audit-trail.ts';
import { type AuditLog, openPostgresAuditLog } from '../record/record-log.ts';
import { auditEntry, teamId, userIds } from '../record/records.testing.ts';

const otherTeam = '0e37df36-f698-11e6-8dd4-cb9ced3df976';
const perLog = 130;
let databaseUrl: string;
let folder: string;
let logs: AuditLog[];
let trail: PostgresAuditTrail;
let pool: ReturnType<typeof openPostgres>;

beforeAll(async () => {
  databaseUrl = await newDatabase();
  folder = mkdtempSync(join(tmpdir(), 'caregate-audit-'));
  pool = openPostgres(databaseUrl, {
    applicationName: 'caregate spec',
    connections: 2,
    statementTimeoutMs: 10_000,
    connectTimeoutMs: 10_000,
  });
  await migrateAudit(pool);
  logs = [
    await openPostgresAuditLog(databaseUrl, folder),
    await openPostgresAuditLog(databaseUrl, folder, { checkpointEveryMs: 3_600_000 }),
  ];
  for (let at = 0; at < perLog; at += 1) {
    for (const log of logs) {
      await log.record(
        auditEntry({
          ...(at % 2 === 0 && { teamId: otherTeam }),
          ...(at % 10 === 1 && { decision: 'denied' as const, operation: 'listUsers' }),
          patients: at === 7 ? [...userIds] : [userIds[0]!],
        }),
      );
    }
    if (at === 99) {
      await logs[1]!.checkpoint();
    }
  }
  trail = new PostgresAuditTrail(pool, logs[0]!);
});
afterAll(async () => {
  for (const log of logs) {
    await log.close();
  }
  await trail.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Every event over the pages, as `[time, log, seq]`. */
async function all(filter: EventsFilter, limit = 20): Promise<[number, string, number][]> {
  const found: [number, string, number][] = [];
  let from: string | undefined;
  do {
    const page = await trail.page({ filter, from, limit });
    found.push(
      ...page.events.map(({ logId, seq, record }): [number, string, number] => {
        expect([record.log_id, record.seq]).toEqual([logId, seq]);
        return [record.recorded_at_us, logId, seq];
      }),
    );
    from = page.next;
  } while (from !== undefined);
  return found;
}

describe('the events of many logs', () => {
  it('are the team’s alone, of every log, newest first, each once over the pages', async () => {
    for (const limit of [1, 20, 130, 500]) {
      const events = await all({ team: teamId }, limit);
      expect(events).toHaveLength(perLog);
      const times = events.map(([time]) => time);
      expect(times).toEqual(times.toSorted((a, b) => b - a));
      expect(new Set(events.map(([, log, seq]) => `${log}/${seq}`)).size).toBe(perLog);
      expect(new Set(events.map(([, log]) => log))).toEqual(new Set(logs.map((log) => log.logId)));
    }
  });

  it('are narrowed to a log, a patient, an outcome, a time', async () => {
    const log = logs[1]!.logId;
    const ofLog = await all({ team: teamId, log });
    expect(ofLog).toHaveLength(perLog / 2);
    expect(new Set(ofLog.map(([, id]) => id))).toEqual(new Set([log]));
    const patient = userIds[1]!;
    expect((await all({ team: teamId, patient })).map(([, , seq]) => seq)).toEqual([8, 8]);
    expect(await all({ team: otherTeam, patient })).toEqual([]);
    expect(await all({ team: teamId, decision: 'denied', operations: ['listUsers'] })).toHaveLength(
      26,
    );
    expect(await all({ team: teamId, operations: ['nothing'] })).toEqual([]);
    const middle = ofLog[10]![0];
    expect(
      (await all({ team: teamId, log, fromUs: middle })).every(([time]) => time >= middle),
    ).toBe(true);
    expect((await all({ team: teamId, fromUs: middle })).length).toBeLessThan(perLog);
    expect(await all({ team: teamId, toUs: 1 })).toEqual([]);
  });

  it('keep to a log as it was at the first page', async () => {
    const log = logs[0]!.logId;
    const first = await trail.page({ filter: { team: teamId, log }, from: undefined, limit: 10 });
    const { seq } = await logs[0]!.record(auditEntry());
    const second = await trail.page({
      filter: { team: teamId, log },
      from: first.next,
      limit: 500,
    });
    expect([first.logId, second.logId]).toEqual([log, log]);
    expect(second.events.map((event) => event.seq)).not.toContain(seq);
    expect(second.next).toBeUndefined();
  });

  it('are of no log that is not there', async () => {
    const log = '000000000000';
    const filter = { team: teamId, log };
    await expect(trail.page({ filter, from: undefined, limit: 1 })).rejects.toThrow(
      UnknownLogError,
    );
    await expect(trail.verifierKey(log)).rejects.toThrow(UnknownLogError);
    await expect(trail.checkpoint(log)).rejects.toThrow(UnknownLogError);
    await expect(trail.inclusion({ log, seq: 0 })).rejects.toThrow(UnknownLogError);
    await expect(trail.consistency({ log, from: 0 })).rejects.toThrow(UnknownLogError);
  });
});

describe('the proofs', () => {
  it.each([0, 1])('hold for every record of log %i, as far as it is signed', async (which) => {
    const log = logs[which]!.logId;
    const key = VerifierKey.parse(await trail.verifierKey(log));
    expect(key.name).toContain(log);
    const signed = key.open(await trail.checkpoint(log));
    // The own log is signed when it is asked for; the other as its instance did it last.
    expect(signed.size).toBe(which === 0 ? signed.size : 101);
    const { events } = await trail.page({
      filter: { team: teamId, log },
      from: undefined,
      limit: 500,
    });
    const within = events.filter(({ seq }) => seq < signed.size);
    expect(within.length).toBeGreaterThan(40);
    for (const { seq, salt, body } of within) {
      const { hashes, size, leafHash: leaf } = await trail.inclusion({ log, seq });
      expect(leaf).toEqual(leafHash(salt, Buffer.from(body)));
      expect(verifyInclusion(leaf, seq, size, [...hashes], signed.root)).toBe(true);
    }
    const older = await trail.consistency({ log, from: 37, to: 90 });
    const onward = await trail.consistency({ log, from: 90 });
    expect([older.size, onward.size]).toEqual([90, signed.size]);
    await expect(trail.inclusion({ log, seq: signed.size })).rejects.toThrow(RangeError);
    await expect(trail.consistency({ log, from: 0, to: 10_000 })).rejects.toThrow(RangeError);
    const roots = await trail.consistency({ log, from: signed.size });
    expect(
      verifyConsistency(signed.size, signed.size, [...roots.hashes], signed.root, signed.root),
    ).toBe(true);
  });
});

describe('a log that its owner changed in the tables', () => {
  /** Past the triggers, and back again. */
  async function changed(change: string, back: string, use: () => Promise<void>): Promise<void> {
    const owner = new pg.Client(databaseUrl);
    await owner.connect();
    const past = async (statement: string): Promise<void> => {
      await owner.query(`alter table audit.audit_event disable trigger all; ${statement};
        alter table audit.audit_event enable always trigger audit_event_append_only`);
    };
    await past(change);
    try {
      await use();
    } finally {
      await past(back);
      await owner.end();
    }
  }
  const page = (): Promise<unknown> =>
    trail.page({ filter: { team: teamId }, from: undefined, limit: 500 });

  it('is shown to nobody where a record that the page would show is another one', async () => {
    const swap = (from: string, to: string): string =>
      `update audit.audit_event set body = replace(body, '${from}', '${to}') where seq = 4`;
    await page();
    await changed(swap('"allowed"', '"denied_"'), swap('"denied_"', '"allowed"'), async () => {
      await expect(page()).rejects.toThrow('is not the one that was signed');
    });
    await page();
  });

  it('is an error to exports, alarms and lists where early records were deleted', async () => {
    const db = new pg.Pool({ connectionString: databaseUrl, max: 1 });
    const read = async (): Promise<unknown> =>
      await recordsOf(await logsOfDatabase(db), { operations: ['listUsers'] });
    await read();
    await changed(
      `create table kept as select * from audit.audit_event where seq < 9; delete from audit.audit_event where seq < 9`,
      `insert into audit.audit_event select * from kept; drop table kept`,
      async () => {
        await expect(read()).rejects.toThrow('Record 0 is missing');
      },
    );
    await db.end();
  });
});

describe('a log that was archived', () => {
  interface Instance {
    readonly newLog: () => Promise<string>;
    /** Cuts off the end of a log, and has two of its records say something else. */
    readonly breakLog: () => Promise<string>;
    readonly record: () => Promise<string>;
    readonly page: (log?: string) => Promise<(readonly [logId: string, operation: string])[]>;
  }

  function instance(url: string, db: pg.Pool, dataDir: string): Instance {
    const opened = async <T>(use: (log: AuditLog) => Promise<T>): Promise<T> => {
      const log = await openPostgresAuditLog(url, dataDir);
      try {
        return await use(log);
      } finally {
        await log.close();
      }
    };
    const record = (count = 1): Promise<string> =>
      opened(async (log) => {
        for (let at = 0; at < count; at += 1) {
          await log.record(auditEntry());
        }
        return log.logId;
      });
    return {
      newLog: async () => {
        const settings = { url, timeoutMs: 10_000, replicated: false };
        const options = { reason: 'restored from a backup', actorId: 'command line: dana' };
        return (await newLogOnPostgres(settings, dataDir, options)).logId;
      },
      breakLog: async () => {
        const logId = await record(5);
        const tables = ['audit_event', 'audit_seal', 'audit_checkpoint'];
        const triggers = (how: string): string =>
          tables.map((table) => `alter table audit.${table} ${how} ${table}_append_only`).join(';');
        await db.query(`${triggers('disable trigger')};
          delete from audit.audit_checkpoint where log_id = '${logId}' and size > 4;
          delete from audit.audit_seal where log_id = '${logId}' and size > 4;
          delete from audit.audit_event where log_id = '${logId}' and seq >= 4;
          update audit.audit_event set body = replace(body, '"allowed"', '"denied_"')
            where log_id = '${logId}' and seq >= 2;
          ${triggers('enable always trigger')}`);
        return logId;
      },
      record,
      page: (log) =>
        opened(async (own) => {
          const { events } = await new PostgresAuditTrail(db, own).page({
            ...{ filter: { team: teamId, log }, from: undefined, limit: 50 },
          });
          return events.map((event) => [event.logId, event.record.operation] as const);
        }),
    };
  }

  it('is on no page, and the new one is; what another key archived counts for nothing', async () => {
    const url = await newDatabase();
    const db = openPostgres(url, {
      ...{ applicationName: 'caregate spec', connections: 2 },
      ...{ statementTimeoutMs: 10_000, connectTimeoutMs: 10_000 },
    });
    try {
      await migrateAudit(db);
      await inFolder(async (dataDir) => {
        const own = instance(url, db, dataDir);
        const old = await own.breakLog();
        await own.newLog();
        const log = await own.record();
        expect(await own.page()).toEqual([[log, 'resolveUser']]);
        await expect(own.page(old)).rejects.toThrow(UnknownLogError);
        expect(await runVerifyPostgres(db, { data: dataDir, json: true })).toBe(0);
        expect(await runVerifyPostgres(db, { json: true })).toBe(2);
        await inFolder(async (otherDir) => {
          const other = instance(url, db, otherDir);
          await expect(other.page()).rejects.toThrow('is not the one that was signed');
          await other.breakLog();
          await other.newLog();
          await expect(own.page()).rejects.toThrow('is not the one that was signed');
        });
      });
    } finally {
      await db.end();
    }
  });
});
