import { Kysely, PostgresDialect } from 'kysely';
import { statSync, unwatchFile, watchFile, type Stats } from 'node:fs';
import { join } from 'node:path';
import {
  createAdvisoryLock,
  createPostgresTables,
  createSqliteTables,
  makeFolder,
  openPostgres,
  openSqlite,
  openSqliteReader,
  createPreparedPool,
  requireNotMoved,
  waitForPostgres,
  withWriteLock,
  type WithWriteLock,
} from '@caregate/data-store/database';
import { ProblemError } from '../problem/problem-error.ts';
import { getSampledTraceId } from '../trace/request-trace.ts';
import type { RecordAct } from './access-acts.ts';
import type { AuditAct } from '../audit/audit-entries.ts';
import { AccessEvents } from './access-alarms.ts';
import { buildCreateStatements, type AccessSchema } from './access-schema.ts';

export interface AccessOptions {
  readonly now?: () => number;
  /** Records every change before it takes effect. Without it, changes are rejected. */
  readonly acts?: RecordAct;
}

export interface AccessEngine {
  /** A connection that sees what is committed and never waits for a change. */
  readonly reader: Kysely<AccessSchema>;
  readonly writer: Kysely<AccessSchema>;
  readonly withWriteLock: WithWriteLock;
  readonly close: () => Promise<void>;
  /** Path of the SQLite file; undefined on PostgreSQL. */
  readonly file?: string;
}

/** The database of access data. It is separate from the health data, so that imports never delay a revocation. */
export class AccessDatabase {
  readonly now: () => number;
  readonly events = new AccessEvents();
  readonly #engine: AccessEngine;
  readonly #record: RecordAct;
  readonly #stopWatching: () => void;
  #isFileLost = false;

  constructor(engine: AccessEngine, { now = Date.now, acts = rejectChanges }: AccessOptions) {
    this.#engine = engine;
    this.now = now;
    this.#record = acts;
    const { file } = engine;
    this.#stopWatching = file === undefined ? () => undefined : this.#watch(file);
  }

  static async openSqlite(
    dataFolder: string,
    options: AccessOptions = {},
  ): Promise<AccessDatabase> {
    makeFolder(dataFolder);
    requireNotMoved(dataFolder);
    const file = join(dataFolder, 'access.db');
    const writer = openSqlite<AccessSchema>(file);
    try {
      await createSqliteTables(writer, buildCreateStatements('sqlite'));
      requireNotMoved(dataFolder);
      const { db: reader, close: closeReader } = openSqliteReader<AccessSchema>(file);
      const close = async (): Promise<void> => {
        await Promise.all([writer.destroy(), closeReader()]);
      };
      return new AccessDatabase({ reader, writer, withWriteLock, close, file }, options);
    } catch (error) {
      await writer.destroy();
      throw error;
    }
  }

  /** @param url the primary, never a replica, since a revocation must take effect immediately */
  static async openPostgres(url: string, options: AccessOptions = {}): Promise<AccessDatabase> {
    // Changes use one connection, one after the other, so that they leave the other connections to reads.
    const [reading, writing] = [3, 1].map((connections) =>
      openPostgres(url, 'caregate access', { connections }),
    ) as [ReturnType<typeof openPostgres>, ReturnType<typeof openPostgres>];
    const close = async (): Promise<void> => {
      const open = [reading, writing].filter((pool) => !pool.ending);
      await Promise.all(open.map((pool) => pool.end()));
    };
    try {
      await waitForPostgres(reading, 0);
      await createPostgresTables(reading, 'access', buildCreateStatements('postgres'));
    } catch (error) {
      await close();
      throw error;
    }
    const [reader, writer] = [reading, writing].map((pool) => {
      const dialect = new PostgresDialect({ pool: createPreparedPool(pool, getSampledTraceId) });
      return new Kysely<AccessSchema>({ dialect }).withSchema('access');
    }) as [Kysely<AccessSchema>, Kysely<AccessSchema>];
    const lock = createAdvisoryLock('caregate access');
    return new AccessDatabase({ reader, writer, withWriteLock: lock, close }, options);
  }

  /**
   * @throws ProblemError 503 if the file was deleted or replaced. A revocation in the new file would have no effect
   * here.
   */
  get reader(): Kysely<AccessSchema> {
    this.#requireFile();
    return this.#engine.reader;
  }

  /**
   * Runs a transaction, and commits it after the audit record is durable. If the process is killed in between, there
   * is a record without a change, but never a change without a record.
   * @param body calls `record` last, unless its changes need no audit record
   */
  async change<Result>(
    body: (
      transaction: Kysely<AccessSchema>,
      record: (act: AuditAct) => Promise<void>,
    ) => Promise<Result>,
  ): Promise<Result> {
    this.#requireFile();
    let recorded: AuditAct | undefined;
    const record = async (act: AuditAct): Promise<void> => {
      await this.#record(act, 'allowed');
      recorded = act;
    };
    try {
      const { withWriteLock: lock, writer } = this.#engine;
      return await lock(writer, (transaction) => body(transaction, record));
    } catch (error) {
      if (recorded !== undefined) {
        await this.#record(recorded, 'failed').catch(() => undefined);
      }
      throw error;
    }
  }

  /** Records a refused action, and changes nothing. */
  async recordRefusal(act: AuditAct): Promise<void> {
    await this.#record(act, 'denied');
  }

  async checkReady(): Promise<void> {
    await this.reader.selectFrom('teams').select('team_id').limit(1).execute();
  }

  async close(): Promise<void> {
    this.#stopWatching();
    await this.#engine.close();
  }

  /** SQLite doesn't notice that an open file was deleted or replaced. */
  #watch(file: string): () => void {
    const { ino: originalInode } = statSync(file);
    const onChange = ({ ino }: Stats): void => {
      const isLost = ino !== originalInode;
      if (isLost && !this.#isFileLost) {
        this.events.emit('access-file-lost', { file });
      }
      this.#isFileLost = isLost;
    };
    watchFile(file, { interval: 1000, persistent: false }, onChange);
    return () => {
      unwatchFile(file, onChange);
    };
  }

  #requireFile(): void {
    if (this.#isFileLost) {
      const cause = new Error('access.db was deleted or replaced while the service runs');
      throw new ProblemError({ type: 'unavailable', headers: { 'retry-after': '60' } }, { cause });
    }
  }
}

const rejectChanges: RecordAct = () =>
  Promise.reject(
    new Error('This store was opened without an audit log, so nothing can be changed'),
  );
