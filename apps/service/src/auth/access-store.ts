import type { Kysely } from 'kysely';
import { join } from 'node:path';
import { CursorSeal } from '../crypto/cursor-seal.ts';
import {
  makeFolder,
  migrate,
  openSqlite,
  openSqliteReader,
  type Prepare,
  requireNotMoved,
  type SqliteReader,
  type WithWriteLock,
  withWriteLock,
} from '@caregate/data-store/database';
import { AccessChanges, readOnly, type RecordAct } from './access-acts.ts';
import { AccessEvents } from './access-events.ts';
import { AccessNameStore } from './access-names.ts';
import { heldAccess, type Held } from './access-report.ts';
import { accessMigrations, type AccessSchema } from './access-schema.ts';
import { BreakGlassStore } from './break-glass-store.ts';
import { keyLookup, KeyCheck } from './keys/key-check.ts';
import { KeyStore } from './keys/key-store.ts';
import { DeskStore } from './desks/desk-store.ts';
import { SecretStore } from './secret-store.ts';
import { PinStore } from './sessions/pin-store.ts';
import { sessionLookup } from './sessions/session-lookup.ts';
import { SessionStore } from './sessions/session-store.ts';
import { StaffStore } from './staff/staff-store.ts';
import { TeamStore } from './team-store.ts';

export interface AccessDatabase {
  readonly db: Kysely<AccessSchema>;
  readonly withWriteLock: WithWriteLock;
  readonly reader: Kysely<AccessSchema>;
  readonly prepare: Prepare;
  /** Changes whenever the database does; missing where asking costs as much as a lookup. */
  readonly version?: () => number;
  readonly close: () => Promise<void>;
}

export interface AccessOptions {
  readonly now?: () => number;
  /** Records every change before it takes effect; without it, the store rejects changes. */
  readonly acts?: RecordAct;
}

/** Apart from the health data, so that imports never delay a revocation. */
export class AccessStore {
  readonly secrets: SecretStore;
  /** Shared by all kinds of cursor; each is bound to values of its own. */
  readonly cursorSeal: CursorSeal;
  readonly teams: TeamStore;
  readonly keys: KeyStore;
  readonly keyCheck: KeyCheck;
  readonly breakGlass: BreakGlassStore;
  readonly names: AccessNameStore;
  readonly now: () => number;
  readonly staff: StaffStore;
  readonly desks: DeskStore;
  readonly sessions: SessionStore;
  readonly pins: PinStore;
  readonly events = new AccessEvents();
  readonly #database: AccessDatabase;

  constructor(database: AccessDatabase, options: AccessOptions) {
    const { db, withWriteLock, reader, prepare, version } = database;
    const { now = Date.now, acts = readOnly } = options;
    this.#database = database;
    this.now = now;
    const changes = new AccessChanges({ db, withWriteLock, acts, now });
    this.secrets = new SecretStore(changes, reader);
    this.cursorSeal = new CursorSeal(() => this.secrets.cursors(), now);
    this.teams = new TeamStore(changes);
    this.keys = new KeyStore(changes);
    this.keyCheck = new KeyCheck(db, { now, lookUp: keyLookup(reader, prepare), version });
    this.staff = new StaffStore(changes);
    this.desks = new DeskStore(changes);
    this.sessions = new SessionStore(changes, sessionLookup(reader, prepare));
    this.pins = new PinStore(changes);
    this.names = new AccessNameStore(db);
    this.breakGlass = new BreakGlassStore(changes, this.events);
  }

  static async open(dataFolder: string, options: AccessOptions = {}): Promise<AccessStore> {
    makeFolder(dataFolder);
    requireNotMoved(dataFolder);
    const file = join(dataFolder, 'access.db');
    const db = openSqlite<AccessSchema>(file);
    let reader: SqliteReader<AccessSchema>;
    try {
      await migrate(db, accessMigrations.sqlite);
      requireNotMoved(dataFolder);
      // A connection of its own: on the one that writes, a look-up would read what is not committed yet.
      reader = openSqliteReader(file);
    } catch (error) {
      await db.destroy();
      throw error;
    }
    const { prepare, version } = reader;
    const close = async (): Promise<void> => {
      await Promise.all([db.destroy(), reader.close()]);
    };
    const database = { db, withWriteLock, reader: reader.db, prepare, version, close };
    return new AccessStore(database, options);
  }

  async held(teamId?: string): Promise<Held[]> {
    return await heldAccess(this, this.#database.db, { teamId, now: this.now() });
  }

  async ready(): Promise<void> {
    await this.#database.db.selectFrom('teams').select('team_id').limit(1).execute();
  }

  async close(): Promise<void> {
    await this.keyCheck.close();
    await this.#database.close();
  }
}
