import type pg from 'pg';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { accessMigrations } from '../../access/access-schema.ts';
import { OperatorError } from '../../config/operator-error.ts';
import type { ServiceConfig } from '../../config/service-config.ts';
import {
  kyselyOver,
  openPostgres,
  waitForPostgres,
} from '../../database/postgres/open-postgres.ts';
import { isCurrent, StoreTooNewError } from '../../database/sqlite/migrate.ts';
import { postgresStoreMigrations } from '../../source/store/postgres/postgres-schema.ts';
import { fault, ok, warning, type Finding } from './finding.ts';
import { openUnchanged } from './folder-checks.ts';

type DatabaseSettings = Pick<ServiceConfig, 'databaseUrl' | 'databaseDurability'>;

const dayMs = 86_400_000;
const endsWithinMs = 14 * dayMs;
const timeoutMs = 5000;

const endingKeys = `
  select key_id, expires_ms from keys as k where revoked_ms is null and expires_ms > $1 and expires_ms < $2
    and not exists (select 1 from keys where replaces = k.key_id)`;

export async function checkPostgres(
  { databaseUrl: url, databaseDurability: durability }: DatabaseSettings,
  checkLogs: (pool: pg.Pool) => Promise<readonly Finding[]>,
  now = Date.now(),
): Promise<{ readonly findings: readonly Finding[]; readonly isUsed: boolean }> {
  const check = 'database';
  const pool = openPostgres(url, {
    ...{ applicationName: 'caregate doctor', connections: 1 },
    ...{ statementTimeoutMs: timeoutMs, connectTimeoutMs: timeoutMs },
  });
  try {
    await waitForPostgres(pool, 0);
    const found = [
      ok(check, 'It answers.'),
      await ofThisVersion(pool),
      await standby(pool, durability),
      await clock(pool, now),
    ];
    const findings = [...found.flat(), ...(await checkLogs(pool)), ...(await keys(pool, now))];
    return { findings, isUsed: await isUsed(pool) };
  } catch (error) {
    if (error instanceof OperatorError) {
      const next = 'Check DATABASE_URL, and the server: systemctl status postgresql';
      return { findings: [fault(check, error.message, next)], isUsed: false };
    }
    throw error;
  } finally {
    await pool.end();
  }
}

async function ofThisVersion(pool: pg.Pool): Promise<Finding[]> {
  const schemas = [
    ['store', postgresStoreMigrations],
    ['access', accessMigrations.postgres],
  ] as const;
  for (const [schema, migrations] of schemas) {
    try {
      await isCurrent(kyselyOver(pool), migrations, schema);
    } catch (error) {
      if (error instanceof StoreTooNewError) {
        return [fault(schema, error.message, 'Install the version that wrote it, or a later one.')];
      }
      throw error;
    }
  }
  return [];
}

async function standby(
  pool: pg.Pool,
  durability: DatabaseSettings['databaseDurability'],
): Promise<Finding> {
  const check = 'standby';
  const { rows } = await pool.query<{ names: string }>(
    `select current_setting('synchronous_standby_names') as names`,
  );
  if (rows[0]?.names) {
    return ok(check, `An answer waits for ${rows[0].names}.`);
  }
  const alone = 'The database confirms without a standby';
  return {
    'one-machine': ok(check, `${alone}, as CAREGATE_DATABASE_DURABILITY=one-machine allows.`),
    replicated: fault(
      check,
      `${alone}: until there is one, nothing is recorded, so that nothing is answered.`,
      'Bring one back, or set synchronous_standby_names (docs/patroni.md).',
    ),
    '': warning(
      check,
      `${alone}: if its machine is lost, so are the newest records.`,
      'Set synchronous_standby_names, and CAREGATE_DATABASE_DURABILITY=replicated (docs/install.md).',
    ),
  }[durability];
}

async function clock(pool: pg.Pool, now: number): Promise<Finding[]> {
  const { rows } = await pool.query<{ ms: number }>(
    'select extract(epoch from clock_timestamp()) * 1000 as ms',
  );
  const minutes = Math.round((Number(rows[0]?.ms) - now) / 60_000);
  return minutes === 0
    ? []
    : [
        fault(
          'clock',
          `The clock of the database differs by ${minutes} minutes.`,
          'timedatectl status',
        ),
      ];
}

async function isUsed(pool: pg.Pool): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select 1 from pg_stat_activity where datname = current_database()
       and application_name like 'caregate %' and application_name <> 'caregate doctor' limit 1`,
  );
  return rowCount !== 0;
}

async function keys(pool: pg.Pool, now: number): Promise<Finding[]> {
  const { rows: there } = await pool.query<{ keys: string | null }>(
    `select to_regclass('access.keys') as keys`,
  );
  if (there[0]?.keys === null) {
    return [];
  }
  const { rows } = await pool.query<{ key_id: string; expires_ms: number }>(
    endingKeys.replaceAll('from keys', 'from access.keys'),
    [now, now + endsWithinMs],
  );
  return rows.map(ending);
}

export function checkKeys(folder: string, now = Date.now()): Finding[] {
  const file = join(folder, 'access.db');
  if (!existsSync(file)) {
    return [];
  }
  const db = openUnchanged(file);
  try {
    const statement = endingKeys.replace('$1', '?').replace('$2', '?');
    return db
      .prepare(statement)
      .all(now, now + endsWithinMs)
      .map(ending);
  } finally {
    db.close();
  }
}

function ending(row: Readonly<Record<string, unknown>>): Finding {
  const [id, at] = [String(row['key_id']), new Date(Number(row['expires_ms']))];
  return warning('keys', `Key ${id} ends at ${at.toISOString()}.`, `caregate keys rotate ${id}`);
}
