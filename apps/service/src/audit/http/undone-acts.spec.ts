import { describe, expect, it } from '@jest/globals';
import { AuditUnavailableError } from '@caregate/audit-log';
import { inFolder } from '@caregate/audit-log/testing';
import { newDatabase, startProxy, type PostgresProxy } from '@caregate/postgres';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { cpSync } from 'node:fs';
import { AccessStore } from '../../access/access-store.ts';
import { GRANT_OPERATIONS, grantProblems } from '../../cli/grant-check.ts';
import { openPostgres } from '../../database/postgres/open-postgres.ts';
import { testService } from '../../testing/service.testing.ts';
import { until } from '../../testing/until.testing.ts';
import { recordsOf } from '../export/records.ts';
import { logsOfDatabase } from '../offline/open-log.ts';
import { migrateAudit } from '../postgres/audit-schema.ts';
import { serviceActs } from './service-acts.ts';
import type { AuditEntry, AuditRecorder } from '../record/audit-entry.ts';
import { openPostgresAuditLog } from '../record/record-log.ts';
import { bodiesIn } from '../record/records.testing.ts';

const patient = 'a0000000-0000-4000-8000-00000000000a';
const reason = 'Unconscious at the front desk, lab values needed';
const asked = { reasonCode: 'emergency_treatment', text: reason, userId: patient } as const;

/** A way to the server on which the next answer can be lost, with its connection, once the server is done. */
async function losingProxy(
  target: string,
): Promise<PostgresProxy & { loseNext(): void; lost(): boolean }> {
  let state: 'keeps' | 'loses' | 'lost' = 'keeps';
  const proxy = await startProxy(target, (client, upstream) => {
    let held = Buffer.alloc(0);
    upstream.on('data', (part: Buffer) => {
      if (state !== 'loses') {
        client.write(part);
        return;
      }
      held = Buffer.concat([held, part]);
      // The last message of an answer: ready again, in no transaction.
      if (held.subarray(-6).equals(Buffer.from('Z\0\0\0\u0005I', 'latin1'))) {
        state = 'lost';
        client.destroy();
      }
    });
    client.on('data', (part: Buffer) => upstream.write(part)).on('close', () => upstream.destroy());
  });
  return {
    ...proxy,
    loseNext: () => {
      state = 'loses';
    },
    lost: () => state === 'lost',
  };
}

describe('an act whose record is in a log on PostgreSQL, and was told as failed', () => {
  it('is recorded as failed, so that its grant is not missed', async () => {
    await inFolder(async (folder) => {
      const direct = await newDatabase();
      const pool = openPostgres(direct, {
        ...{ applicationName: 'caregate spec', connections: 1 },
        ...{ statementTimeoutMs: 0, connectTimeoutMs: 10_000 },
      });
      await migrateAudit(pool);
      const proxy = await losingProxy(direct);
      // Nothing else is to be answered meanwhile.
      const log = await openPostgresAuditLog(proxy.url, folder, { checkpointEveryMs: 3_600_000 });
      const acts = serviceActs(log);
      const access = await AccessStore.open(folder, { acts });
      const desk = { teamId: sampleTeamId, role: 'clinician', label: 'Ada' } as const;
      const by = { ...desk, keyId: (await access.keys.create(desk)).keyId };
      proxy.loseNext();
      await expect(access.breakGlass.ask(by, asked)).rejects.toThrow('Service unavailable');
      expect(proxy.lost()).toBe(true);
      const grants = await access.breakGlass.list({ all: true });
      await access.close();
      await log.close();
      await proxy.close();
      const found = await recordsOf(await logsOfDatabase(pool), { operations: GRANT_OPERATIONS });
      await pool.end();
      expect(grants).toEqual([]);
      expect(found.map(({ decision }) => decision)).toEqual(['allowed', 'failed']);
      expect(grantProblems(grants, found)).toEqual([]);
    });
  });
});

describe('a service that stops while the log does not take it that an act failed', () => {
  it('says so in the log before it closes it', async () => {
    let isFull = true;
    let refused = 0;
    const failing = (log: AuditRecorder): AuditRecorder => ({
      record: async (entry: AuditEntry) => {
        if (entry.operation === 'breakGlass' && entry.decision === 'allowed') {
          await log.record(entry);
          throw new AuditUnavailableError('The audit log cannot be written', 1);
        }
        if (entry.decision === 'failed' && entry.operation === 'breakGlass' && isFull) {
          refused += 1;
          throw new AuditUnavailableError('The audit queue is full', 0.01, { isRefused: true });
        }
        return await log.record(entry);
      },
      close: () => log.close(),
    });
    const service = await testService([...sampleEnvelopes({ users: 1 })], { audit: failing });
    await inFolder(async (kept) => {
      const key = await service.key(sampleTeamId, 'clinician');
      const body = { reason_code: asked.reasonCode, text: reason, user_id: patient };
      expect((await service.post('/access/break-glass', key, body)).status).toBe(503);
      await until(() => refused > 0);
      const before = refused;
      const closing = service.app.close();
      await until(() => refused > before);
      isFull = false;
      await closing;
      cpSync(service.folder, kept, { recursive: true });
      await service.close();
      expect(
        bodiesIn(kept)
          .filter(({ operation }) => operation === 'breakGlass')
          .map(({ decision }) => decision),
      ).toEqual(['allowed', 'failed']);
    });
  });
});
