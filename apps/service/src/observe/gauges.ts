import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditLog } from '@caregate/audit-log';
import type { Budgets } from '../access/limits/rate-limits.ts';
import type { AccessStore } from '../access/access-store.ts';
import type { AuditTrail } from '../audit/trail/audit-trail.ts';
import type { SelfVerification } from '../audit/self-verification.ts';
import type { Witnessing } from '../audit/witness/witnessing.ts';
import type { ServiceConfig } from '../config/service-config.ts';
import { version } from '../config/version.ts';
import { lastBackupFile } from '../database/sqlite/last-backup.ts';
import { readCertificate } from '../http/tls-certificate.ts';
import { poolUse } from '../database/postgres/open-postgres.ts';
import type { HealthDataSource } from '../source/health-data-source.ts';
import type { DiskWatch } from './disk-watch.ts';
import type { Metrics } from './metrics.ts';
import { unavailableParts, type ReadyParts } from './readiness.ts';

/** A database that does not answer must not make `/metrics` late. */
const WAIT_MS = 500;

interface Watched {
  readonly source: ReadyParts['source'] & Pick<HealthDataSource, 'imports'>;
  readonly access: ReadyParts['access'] & {
    readonly keys: Pick<AccessStore['keys'], 'validity'>;
  };
  readonly auditTrail: ReadyParts['auditTrail'] & Pick<AuditTrail, 'indexLag' | 'waitsForStandby'>;
  readonly auditState: AuditLog['state'];
  readonly budgets: Budgets;
  readonly disk: Pick<DiskWatch, 'space'>;
  readonly witnessing: Witnessing;
  readonly selfVerification: Pick<SelfVerification, 'last' | 'lastIntactSeconds'>;
  readonly config: Pick<
    ServiceConfig,
    'dataDir' | 'databaseUrl' | 'profile' | 'tlsCert' | 'tlsKey'
  >;
}

/** Teams, and keys or sessions. */
const SPENT_SHOWN = 20;

type Read = () => number | Promise<number>;

export function registerGauges(metrics: Metrics, watched: Watched): void {
  const { source, access, auditTrail, auditState, disk, witnessing, config } = watched;
  const { selfVerification } = watched;
  const keys = orPrevious(() => access.keys.validity());
  const imports = orPrevious(() => source.imports());
  const standby = orPrevious(() => auditTrail.waitsForStandby());
  const counters: readonly (readonly [name: string, help: string, read: () => number])[] = [
    [
      'caregate_audit_records_total',
      'Records that this process has written to the audit log',
      () => auditState().written,
    ],
    [
      'caregate_audit_groups_total',
      'Groups of records, each written with one sync',
      () => auditState().groups,
    ],
    [
      'caregate_audit_sync_seconds_total',
      'Time that writing and syncing those groups took',
      () => auditState().syncMs.sum / 1000,
    ],
  ];
  const gauges: (readonly [name: string, help: string, read: Read])[] = [
    [
      'caregate_audit_last_sync_seconds',
      'Time that the last group took to write and sync',
      () => auditState().syncMs.last / 1000,
    ],
    ['caregate_audit_queue', 'Records that wait to be written', () => auditState().queued],
    [
      'caregate_audit_open',
      '1 while the audit log accepts records, otherwise 0',
      () => Number(!auditState().latched),
    ],
    [
      'caregate_audit_last_verified_seconds',
      'When the whole audit log was last verified and intact, in Unix time; 0 before the first time since the start',
      () => selfVerification.lastIntactSeconds,
    ],
    [
      'caregate_audit_intact',
      'Whether the last verification of the whole audit log found it intact (1) or broken (0)',
      () => Number(selfVerification.last?.isIntact ?? NaN),
    ],
    [
      'caregate_audit_index_lag_records',
      'Records that the index of the audit log does not have yet',
      () => auditTrail.indexLag() ?? NaN,
    ],
    [
      'caregate_disk_free_bytes',
      'Free space of the disk with the data folder',
      () => disk.space?.freeBytes ?? NaN,
    ],
    [
      'caregate_disk_total_bytes',
      'Size of the disk with the data folder',
      () => disk.space?.totalBytes ?? NaN,
    ],
    [
      'caregate_keys_valid',
      'API keys that are neither expired nor revoked',
      async () => (await keys())?.valid ?? NaN,
    ],
    [
      'caregate_key_next_expiry_timestamp_seconds',
      'When the first API key ends that no other one replaces',
      async () => ((await keys())?.nextEndMs ?? NaN) / 1000,
    ],
    [
      'caregate_imported_files',
      'Files that were imported into the store, by any process',
      async () => (await imports())?.files ?? NaN,
    ],
    [
      'caregate_last_import_timestamp_seconds',
      'When the last of them was imported',
      async () => ((await imports())?.lastUs ?? NaN) / 1e6,
    ],
    [
      'caregate_last_backup_timestamp_seconds',
      'When `caregate backup` last copied the data folder, 0 before the first time; NaN on PostgreSQL',
      () => (config.databaseUrl === '' ? lastBackupMs(config.dataDir) / 1000 : NaN),
    ],
    [
      'caregate_certificate_expiry_timestamp_seconds',
      'When the certificate in the file of --tls-cert ends; NaN without one, or with one that cannot be served',
      () => certificateEndMs(config) / 1000,
    ],
    [
      'caregate_database_synchronous',
      'Whether PostgreSQL confirms a commit with a standby (1) or alone (0)',
      async () => Number((await standby()) ?? NaN),
    ],
  ];
  if (witnessing.hasWitnesses) {
    gauges.push(
      [
        'caregate_audit_witnessed_size',
        'Records of the newest checkpoint of the audit log that met the witness policy',
        () => witnessing.witnessedSize,
      ],
      [
        'caregate_audit_witness_quorum_age_seconds',
        'Time since the newest checkpoint of the audit log met the witness policy',
        () => witnessing.secondsSinceQuorum,
      ],
    );
  }
  const { copy } = witnessing;
  if (copy !== undefined) {
    gauges.push([
      'caregate_audit_checkpoint_copy_failing',
      'Whether the last copy of a checkpoint of the audit log failed (1) or not (0)',
      () => Number(copy.isFailing),
    ]);
  }
  counters.forEach((each) => {
    metrics.counter(...each);
  });
  gauges.forEach((each) => {
    metrics.gauge(...each);
  });
  metrics.gauges(
    'caregate_database_connections',
    'Connections to PostgreSQL, by their name there and what they do',
    ['pool', 'state'],
    () =>
      poolUse().flatMap(({ name, busy, idle }) => [
        { labels: { pool: name, state: 'busy' }, value: busy },
        { labels: { pool: name, state: 'idle' }, value: idle },
      ]),
  );
  metrics.gauges(
    'caregate_database_waiting',
    'What waits for a connection to PostgreSQL',
    ['pool'],
    () => poolUse().map(({ name, waiting }) => ({ labels: { pool: name }, value: waiting })),
  );
  metrics.gauges(
    'caregate_budget_spent_ratio',
    'Share of its budget that a key or session, or a whole team, has spent; the highest, by the beginnings of their ids',
    ['team', 'key'],
    () =>
      watched.budgets.spent(SPENT_SHOWN).map(({ team, key, share }) => ({
        labels: { team: team.slice(0, 8), key: key.slice(0, 6) },
        value: share,
      })),
  );
  const unavailable = orPrevious(() => unavailableParts(watched));
  metrics.gauges(
    'caregate_ready',
    'Whether a part of the service is available (1) or not (0); without `upstream` it answers the other teams',
    ['part'],
    async () => {
      const failed = await unavailable();
      const parts = ['store', 'keys', 'audit'] as const;
      return [
        ...parts.map((part) => ({ labels: { part }, value: Number(failed?.has(part) === false) })),
        { labels: { part: 'upstream' }, value: Number(!source.degraded()) },
      ];
    },
  );
  const labels = {
    version: version(),
    node: process.versions.node,
    store: config.databaseUrl === '' ? 'sqlite' : 'postgres',
    profile: config.profile,
  };
  metrics.gauges(
    'caregate_build_info',
    'Version of the service and of Node, and what it runs on',
    Object.keys(labels),
    () => [{ labels, value: 1 }],
  );
}

function lastBackupMs(dataDir: string): number {
  return statSync(lastBackupFile(dataDir), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function certificateEndMs(config: Watched['config']): number {
  try {
    return config.tlsCert === '' ? NaN : readCertificate(config).expires.getTime();
  } catch {
    return NaN;
  }
}

/** The value, or the previous one where reading fails or takes long. */
function orPrevious<T>(read: () => Promise<T>): () => Promise<T | undefined> {
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
