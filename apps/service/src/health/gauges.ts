import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AccessStore } from '../auth/access-store.ts';
import type { SelfVerification } from '../audit/self-verification.ts';
import type { CheckpointCopy } from '../audit/checkpoint-copy.ts';
import type { ServiceConfig } from '../config/service-config.ts';
import { readVersion } from '../config/version.ts';
import { getLastBackupFile, getPoolUsage } from '@caregate/data-store/database';
import { readCertificate } from '../http/tls-certificate.ts';
import type { HealthDataSource } from '@caregate/data-store';
import type { DiskWatch } from './disk-watch.ts';
import type { MetricName, Metrics } from './metrics.ts';
import { findUnavailableParts, type ReadyParts } from './readiness.ts';
import type { AuditLog } from '../audit/open-log.ts';

/** `/metrics` waits no longer than this for the database. */
const WAIT_MS = 500;

interface Watched {
  readonly source: ReadyParts['source'] & Pick<HealthDataSource, 'getImports'>;
  readonly access: ReadyParts['access'] & {
    readonly keys: Pick<AccessStore['keys'], 'getValidity'>;
  };
  readonly auditTrail: ReadyParts['auditTrail'];
  readonly waitsForStandby: () => Promise<boolean | undefined>;
  readonly auditState: AuditLog['state'];
  readonly disk: Pick<DiskWatch, 'space'>;
  readonly checkpointCopy?: Pick<CheckpointCopy, 'isFailing'> | undefined;
  readonly selfVerification: Pick<SelfVerification, 'last' | 'lastIntactSeconds'>;
  readonly config: Pick<
    ServiceConfig,
    'dataDir' | 'databaseUrl' | 'profile' | 'tlsCert' | 'tlsKey'
  >;
}

type ReadValue = () => number | Promise<number>;
type Readers<Reader> = Readonly<Partial<Record<MetricName, Reader>>>;

export function registerGauges(metrics: Metrics, watched: Watched): void {
  const { source, access, auditState, disk, checkpointCopy: copy, config } = watched;
  const { selfVerification } = watched;
  const keys = readOrPrevious(() => access.keys.getValidity());
  const imports = readOrPrevious(() => source.getImports());
  const standby = readOrPrevious(() => watched.waitsForStandby());
  const counters: Readers<() => number> = {
    caregate_audit_records_total: () => auditState().written,
    caregate_audit_groups_total: () => auditState().commits,
    caregate_audit_sync_seconds_total: () => auditState().commitMs.sum / 1000,
  };
  const gauges: Readers<ReadValue> = {
    caregate_audit_last_sync_seconds: () => auditState().commitMs.last / 1000,
    caregate_audit_queue: () => auditState().queued,
    caregate_audit_open: () => Number(!auditState().isInterrupted),
    caregate_audit_last_verified_seconds: () => selfVerification.lastIntactSeconds,
    caregate_audit_intact: () => Number(selfVerification.last?.isIntact ?? NaN),
    caregate_disk_free_bytes: () => disk.space?.freeBytes ?? NaN,
    caregate_disk_total_bytes: () => disk.space?.totalBytes ?? NaN,
    caregate_keys_valid: async () => (await keys())?.valid ?? NaN,
    caregate_key_next_expiry_timestamp_seconds: async () =>
      ((await keys())?.nextEndMs ?? NaN) / 1000,
    caregate_imported_files: async () => (await imports())?.files ?? NaN,
    caregate_last_import_timestamp_seconds: async () => ((await imports())?.lastUs ?? NaN) / 1e6,
    caregate_waiting_messages: async () => (await imports())?.waitingMessages ?? NaN,
    caregate_oldest_waiting_message_timestamp_seconds: async () =>
      ((await imports())?.oldestWaitingUs ?? NaN) / 1e6,
    caregate_last_backup_timestamp_seconds: () =>
      config.databaseUrl === '' ? readLastBackupMs(config.dataDir) / 1000 : NaN,
    caregate_certificate_expiry_timestamp_seconds: () => readCertificateExpiryMs(config) / 1000,
    caregate_database_synchronous: async () => Number((await standby()) ?? NaN),
    ...(typeof copy?.isFailing === 'boolean' && {
      caregate_audit_checkpoint_copy_failing: () => Number(copy.isFailing),
    }),
  };
  for (const [name, read] of Object.entries(counters)) {
    metrics.addCounter(name as MetricName, read);
  }
  for (const [name, read] of Object.entries(gauges)) {
    metrics.addGauge(name as MetricName, read);
  }
  metrics.addGauges('caregate_database_connections', ['pool', 'state'], () =>
    getPoolUsage().flatMap(({ name, busy, idle }) => [
      { labels: { pool: name, state: 'busy' }, value: busy },
      { labels: { pool: name, state: 'idle' }, value: idle },
    ]),
  );
  metrics.addGauges('caregate_database_waiting', ['pool'], () =>
    getPoolUsage().map(({ name, waiting }) => ({ labels: { pool: name }, value: waiting })),
  );
  const unavailable = readOrPrevious(() => findUnavailableParts(watched));
  metrics.addGauges('caregate_ready', ['part'], async () => {
    const failed = await unavailable();
    const parts = ['store', 'keys', 'audit'] as const;
    return [
      ...parts.map((part) => ({ labels: { part }, value: Number(failed?.has(part) === false) })),
      { labels: { part: 'upstream' }, value: Number(!source.isDegraded()) },
    ];
  });
  const labels = {
    version: readVersion(),
    node: process.versions.node,
    store: config.databaseUrl === '' ? 'sqlite' : 'postgres',
    profile: config.profile,
  };
  metrics.addGauges('caregate_build_info', Object.keys(labels), () => [{ labels, value: 1 }]);
}

function readLastBackupMs(dataDir: string): number {
  return statSync(getLastBackupFile(dataDir), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function readCertificateExpiryMs(config: Watched['config']): number {
  try {
    return config.tlsCert === '' ? NaN : readCertificate(config).expires.getTime();
  } catch {
    return NaN;
  }
}

function readOrPrevious<T>(read: () => Promise<T>): () => Promise<T | undefined> {
  let previous: T | undefined;
  return async () => {
    const reading = read().then(
      (value) => {
        previous = value;
      },
      () => undefined,
    );
    await Promise.race([reading, sleep(WAIT_MS, undefined, { ref: false })]);
    return previous;
  };
}
