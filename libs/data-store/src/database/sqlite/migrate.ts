import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { OperatorError } from '../../operator-error.ts';
import { withWriteLock } from '../with-write-lock.ts';

/** Migrations in order of their names (`001-first`, `002-...`). Forward only. */
export type Migrations = Readonly<Record<string, Pick<Migration, 'up'>>>;

export function statements(texts: readonly string[]): Pick<Migration, 'up'> {
  return {
    up: async (db: Kysely<unknown>): Promise<void> => {
      for (const text of texts) {
        await sql.raw(text).execute(db);
      }
    },
  };
}

export class StoreTooNewError extends OperatorError {
  override readonly name = 'StoreTooNewError';

  constructor(unknown: readonly string[]) {
    super(
      `This store was written by a newer version of Caregate (unknown migrations: "${unknown.join('", "')}"). ` +
        'Use that version or a later one. Nothing was changed.',
    );
  }
}

/** Migrates a database in one transaction. If it is current, this never waits for a writer. @throws StoreTooNewError */
export async function migrate<DB>(db: Kysely<DB>, migrations: Migrations): Promise<void> {
  if (!(await isCurrent(db, migrations))) {
    await withWriteLock(db, (connection) => runMissing(connection, migrations));
  }
}

/** Call it in a transaction with a lock: another process may have migrated meanwhile. @param schema of PostgreSQL */
export async function runMissing<DB>(
  db: Kysely<DB>,
  migrations: Migrations,
  schema?: string,
): Promise<void> {
  if (await isCurrent(db, migrations, schema)) {
    return;
  }
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
    ...(schema !== undefined && { migrationTableSchema: schema }),
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    throw error instanceof Error ? error : new Error('A migration failed', { cause: error });
  }
}

export function unknownMigrations(names: readonly string[], migrations: Migrations): string[] {
  return names.filter((name) => !Object.hasOwn(migrations, name));
}

export async function isCurrent<DB>(
  db: Kysely<DB>,
  migrations: Migrations,
  schema?: string,
): Promise<boolean> {
  const found =
    schema === undefined
      ? sql`select 1 from sqlite_schema where type = 'table' and name = 'kysely_migration'`
      : sql`select 1 from pg_catalog.pg_tables where schemaname = ${schema} and tablename = 'kysely_migration'`;
  if ((await found.execute(db)).rows.length === 0) {
    return false;
  }
  const table = sql.id(...(schema === undefined ? [] : [schema]), 'kysely_migration');
  const { rows } = await sql<{ name: string }>`select name from ${table}`.execute(db);
  const unknown = unknownMigrations(
    rows.map(({ name }) => name),
    migrations,
  );
  if (unknown.length > 0) {
    throw new StoreTooNewError(unknown);
  }
  return rows.length === Object.keys(migrations).length;
}
