import { OperatorError } from '../../config/operator-error.ts';
import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';

/** Migrations in order of their names (`001-first`, `002-...`). Forward only. */
export type Migrations = Readonly<Record<string, Pick<Migration, 'up'>>>;

/** A migration that runs these statements. */
export function statements(texts: readonly string[]): Pick<Migration, 'up'> {
  return {
    up: async (db: Kysely<unknown>): Promise<void> => {
      for (const text of texts) {
        await sql.raw(text).execute(db);
      }
    },
  };
}

/** The store was written by a newer version; nothing was changed. */
export class StoreTooNewError extends OperatorError {
  override readonly name = 'StoreTooNewError';

  constructor(unknown: readonly string[]) {
    super(
      `This store was written by a newer version of Caregate (unknown migrations: "${unknown.join('", "')}"). ` +
        'Use that version or a later one. Nothing was changed.',
    );
  }
}

/**
 * Migrates a database in one transaction. If it is current, this only reads and never waits for a writer; the write lock of
 * the file serializes concurrent processes.
 *
 * @throws StoreTooNewError if the database has an unknown migration
 */
export async function migrate<DB>(db: Kysely<DB>, migrations: Migrations): Promise<void> {
  if (await isCurrent(db, migrations)) {
    return;
  }
  await db.connection().execute(async (connection) => {
    await sql`begin immediate`.execute(connection);
    try {
      // Another process may have migrated while this one waited for the lock.
      if (!(await isCurrent(connection, migrations))) {
        const migrator = new Migrator({
          db: connection,
          provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
        });
        const { error } = await migrator.migrateToLatest();
        if (error !== undefined) {
          throw error instanceof Error ? error : new Error('A migration failed', { cause: error });
        }
      }
      await sql`commit`.execute(connection);
    } catch (error) {
      await sql`rollback`.execute(connection);
      throw error;
    }
  });
}

async function isCurrent<DB>(db: Kysely<DB>, migrations: Migrations): Promise<boolean> {
  const tables = await sql`
    select 1 from sqlite_schema where type = 'table' and name = 'kysely_migration'`.execute(db);
  if (tables.rows.length === 0) {
    return false;
  }
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const unknown = rows.map((row) => row.name).filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length > 0) {
    throw new StoreTooNewError(unknown);
  }
  return rows.length === Object.keys(migrations).length;
}
