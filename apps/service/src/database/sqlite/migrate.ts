import { OperatorError } from '../../config/operator-error.ts';
import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';

/** Migrations of one database file, in the order of their names (`001-first`, `002-...`). Forward only: `up` alone. */
export type Migrations = Readonly<Record<string, Pick<Migration, 'up'>>>;

/** The file was written by a newer program than this one; nothing was changed. */
export class StoreTooNewError extends OperatorError {
  override readonly name = 'StoreTooNewError';

  constructor(unknown: readonly string[]) {
    super(
      `This store was written by a newer version of Caregate (it has "${unknown.join('", "')}"). ` +
        'Start that version, or a later one; nothing was changed.',
    );
  }
}

/**
 * Brings a database to the newest of the migrations, all of them or none. Where nothing is to be done it only reads,
 * so that it never waits for a writer; two processes at once are put in line by the file's write lock.
 *
 * @throws StoreTooNewError where the database knows a migration that this program does not
 */
export async function migrate<DB>(db: Kysely<DB>, migrations: Migrations): Promise<void> {
  if (await isCurrent(db, migrations)) {
    return;
  }
  await db.connection().execute(async (connection) => {
    await sql`begin immediate`.execute(connection);
    try {
      // The other process may have been first while this one waited for the lock.
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
