import type { Kysely } from 'kysely';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { makeFolder } from '../database/sqlite/make-folder.ts';
import { requireNotMoved } from '../database/sqlite/moved-folder.ts';
import { migrate } from '../database/sqlite/migrate.ts';
import { openSqlite } from '../database/sqlite/open-sqlite.ts';
import { AccessEvents } from './access-events.ts';
import { accessMigrations, type AccessSchema } from './access-schema.ts';
import { BreakGlassStore } from './break-glass-store.ts';
import { withWriteLock, type WithWriteLock } from '../database/with-write-lock.ts';
import { singleKeyLookup, type KeyLookup } from './keys/key-lookup.ts';
import { KeyStore } from './keys/key-store.ts';

/** The database of the access data, SQLite or PostgreSQL. */
export interface AccessDatabase {
  readonly db: Kysely<AccessSchema>;
  readonly withWriteLock: WithWriteLock;
  readonly lookUp: KeyLookup;
  readonly close: () => Promise<void>;
}

/** Keys and grants, in `access.db` (separate from the health data, so that imports never delay a revocation) or a schema. */
export class AccessStore {
  readonly keys: KeyStore;
  readonly breakGlass: BreakGlassStore;
  readonly events = new AccessEvents();
  readonly #database: AccessDatabase;

  constructor(database: AccessDatabase, now: () => number) {
    const { db, withWriteLock, lookUp } = database;
    this.#database = database;
    this.keys = new KeyStore(db, { now, withWriteLock, lookUp });
    this.breakGlass = new BreakGlassStore(db, { events: this.events, now, withWriteLock });
  }

  /**
   * Opens the access data of a data folder; creates folder and tables if they are missing.
   *
   * @param options.now milliseconds since 1970, for tests
   * @throws StoreTooNewError if it was written by a newer version
   */
  static async open(
    dataFolder: string,
    options: { readonly now?: () => number } = {},
  ): Promise<AccessStore> {
    makeFolder(dataFolder);
    requireNotMoved(dataFolder);
    const db = openSqlite<AccessSchema>(join(dataFolder, 'access.db'), { cacheMiB: 8 });
    try {
      await migrate(db, accessMigrations);
      requireNotMoved(dataFolder);
    } catch (error) {
      await db.destroy();
      throw error;
    }
    const lookUp = singleKeyLookup(db);
    const database = { db, withWriteLock, lookUp, close: () => db.destroy() };
    return new AccessStore(database, options.now ?? Date.now);
  }

  /** 32 bytes, created once for all instances, so that cursors survive restarts and are valid on every instance. */
  async cursorSecret(): Promise<Buffer> {
    const { db } = this.#database;
    await db
      .insertInto('cursor_secret')
      .values({ id: 1, secret: randomBytes(32) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const { secret } = await db
      .selectFrom('cursor_secret')
      .select('secret')
      .executeTakeFirstOrThrow();
    return Buffer.from(secret);
  }

  /** Resolves if the data can be read. */
  async ready(): Promise<void> {
    await this.#database.db.selectFrom('teams').select('team_id').limit(1).execute();
  }

  async close(): Promise<void> {
    await this.keys.close();
    await this.#database.close();
  }
}
