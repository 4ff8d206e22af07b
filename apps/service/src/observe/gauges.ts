import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditTrail } from '../audit/trail/audit-trail.ts';
import type { ServiceConfig } from '../config/service-config.ts';
import { version } from '../config/version.ts';
import { poolUse } from '../database/postgres/open-postgres.ts';
import type { AccessStore } from '../access/access-store.ts';
import type { HealthDataSource } from '../source/health-data-source.ts';
import type { Metrics } from './metrics.ts';

/** A database that does not answer must not make `/metrics` late. */
const WAIT_MS = 500;

interface Watched {
  readonly source: Pick<HealthDataSource, 'imports'>;
  readonly access: { readonly keys: Pick<AccessStore['keys'], 'validity'> };
  readonly auditTrail: Pick<AuditTrail, 'waitsForStandby'>;
  readonly config: Pick<ServiceConfig, 'databaseUrl'>;
}

/** Metrics of what the databases hold, and of the connections to PostgreSQL. */
export function watchDatabase(
  metrics: Metrics,
  { source, access, auditTrail, config }: Watched,
): void {
  const keys = orBefore(() => access.keys.validity());
  const imports = orBefore(() => source.imports());
  metrics.gauge(
    'caregate_keys_valid',
    'API keys that are neither expired nor revoked',
    async () => (await keys())?.valid ?? NaN,
  );
  metrics.gauge(
    'caregate_key_next_expiry_timestamp_seconds',
    'When the first API key ends that no other one replaces',
    async () => ((await keys())?.nextEndMs ?? NaN) / 1000,
  );
  metrics.gauge(
    'caregate_imported_files',
    'Files that were imported into the store, by any process',
    async () => (await imports())?.files ?? NaN,
  );
  metrics.gauge(
    'caregate_last_import_timestamp_seconds',
    'When the last of them was imported',
    async () => ((await imports())?.lastUs ?? NaN) / 1e6,
  );
  if (config.databaseUrl !== '') {
    const waits = orBefore(() => auditTrail.waitsForStandby());
    metrics.gauge(
      'caregate_database_synchronous',
      'Whether PostgreSQL confirms a commit with a standby (1) or alone (0)',
      async () => Number((await waits()) ?? NaN),
    );
  }
  metrics.gauges(
    'caregate_database_connections',
    'Connections to PostgreSQL, by their name there and what they do',
    () =>
      poolUse().flatMap(({ name, busy, idle }) => [
        { labels: { pool: name, state: 'busy' }, value: busy },
        { labels: { pool: name, state: 'idle' }, value: idle },
      ]),
    ['pool', 'state'],
  );
  metrics.gauges(
    'caregate_database_waiting',
    'What waits for a connection to PostgreSQL',
    () => poolUse().map(({ name, waiting }) => ({ labels: { pool: name }, value: waiting })),
    ['pool'],
  );
}

/** The metric that tells which version runs where: always 1, what it says stands in its labels. */
export function watchBuild(
  metrics: Metrics,
  { databaseUrl, profile }: Pick<ServiceConfig, 'databaseUrl' | 'profile'>,
): void {
  const labels = {
    version: version(),
    node: process.versions.node,
    store: databaseUrl === '' ? 'sqlite' : 'postgres',
    profile,
  };
  metrics.gauges(
    'caregate_build_info',
    'Version of the service and of Node, and what it runs on',
    () => [{ labels, value: 1 }],
    Object.keys(labels),
  );
}

/** What is read, or what was read before where that fails or takes long. */
function orBefore<T>(read: () => Promise<T>): () => Promise<T | undefined> {
  let before: T | undefined;
  return async () => {
    const reading = read().then(
      (value) => {
        before = value;
      },
      () => undefined,
    );
    await Promise.race([reading, sleep(WAIT_MS, undefined, { ref: false })]);
    return before;
  };
}
