import { describe, expect, it } from '@jest/globals';
import { forgetfulProxy, type ForgetfulProxy } from '@caregate/postgres';
import { AuditUnavailableError } from '../errors.ts';
import { auditEntry, until } from '../testing/audit-entry.testing.ts';
import type { AuditLog } from '../writer/audit-log.ts';
import { inPlace, type LogPlace } from './log-place.testing.ts';
import { openPostgresAuditLog } from './postgres-backend.ts';

describe('a log whose session was lost, which the server does not know', () => {
  it('is free when its close resolves, and the next start goes on with it', async () => {
    await onForgetfulNetwork(async ({ place, network, log, stateOf }) => {
      await log.record(auditEntry());
      const latched = stateOf('latched');
      network.forget();
      await latched;
      await log.close();
      expect(await holders(place)).toEqual([]);
      const next = await place.open();
      expect(await next.record(auditEntry())).toEqual({ logId: log.logId, seq: 2 });
      await next.close();
    });
  });

  it('commits nothing more once it is closed', async () => {
    await onForgetfulNetwork(async ({ place, network, log }) => {
      const letGo = await place.holdUp();
      const lost = log.record(auditEntry());
      await until(async () => (await place.rows(waiting)).length === 1);
      network.forget();
      await expect(lost).rejects.toThrow(AuditUnavailableError);
      await log.close();
      expect(await holders(place)).toEqual([]);
      await letGo();
      expect(await place.rows('select seq from audit_event')).toEqual([{ seq: '0' }]);
    });
  });

  it('is free when its close resolves, although a later session was lost while it opened the log', async () => {
    await onForgetfulNetwork(async ({ place, network, log }) => {
      const forgot = network.forgetAnswerTo('pg_try_advisory_lock');
      await place.rows(endHolders);
      await forgot;
      await log.close();
      expect(await holders(place)).toEqual([]);
    });
  });

  it('is gone on with, although a later session was lost while it opened the log', async () => {
    await onForgetfulNetwork(async ({ place, network, log, stateOf }) => {
      const { logId } = log;
      const open = stateOf('open');
      const forgot = network.forgetAnswerTo('pg_try_advisory_lock');
      await place.rows(endHolders);
      await forgot;
      await open;
      expect(await log.record(auditEntry())).toEqual({ logId, seq: 1 });
      expect(await place.rows('select log_id from audit_log')).toEqual([{ log_id: logId }]);
      await log.close();
    });
  });

  it('is gone on with rather than another log of the same key that is free', async () => {
    await onForgetfulNetwork(async ({ place, network, log, stateOf }) => {
      const { logId } = log;
      const other = await place.open();
      await other.close();
      const open = stateOf('open');
      const forgot = network.forgetAnswerTo('pg_try_advisory_lock');
      await place.rows(endHolders);
      await forgot;
      await open;
      expect((await log.record(auditEntry())).logId).toBe(logId);
      await log.close();
    });
  });
});

interface Setting {
  readonly place: LogPlace;
  readonly network: ForgetfulProxy;
  /** Open, by way of the network. */
  readonly log: AuditLog;
  /** Resolves when the log is in this state next. */
  readonly stateOf: (state: 'latched' | 'open') => Promise<void>;
}

async function onForgetfulNetwork(body: (setting: Setting) => Promise<void>): Promise<void> {
  await inPlace(async (place) => {
    const network = await forgetfulProxy(place.url);
    const awaited = new Map<string, () => void>();
    const log = await openPostgresAuditLog(network.url, place.folder, {
      checkpointEveryMs: 3_600_000,
      // Nothing here waits for it.
      busyTimeoutMs: 600_000,
      onStateChange: (state) => awaited.get(state)?.(),
    });
    try {
      const stateOf = (state: string): Promise<void> =>
        new Promise((resolve) => awaited.set(state, resolve));
      await body({ place, network, log, stateOf });
    } finally {
      await log.close();
      await network.close();
    }
  });
}

const held = `from pg_locks join pg_database on pg_database.oid = database
  where locktype = 'advisory' and datname = current_database()`;
const endHolders = `select pg_terminate_backend(pid) ${held}`;
const waiting = `select pid from pg_locks where relation = 'audit_seal'::regclass and not granted`;

/** The server processes that hold a log of the database. */
async function holders(place: LogPlace): Promise<unknown[]> {
  return (await place.rows(`select pid ${held}`)).map(({ pid }) => pid);
}
