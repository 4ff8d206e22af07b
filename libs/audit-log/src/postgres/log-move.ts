import type { KeyObject } from 'node:crypto';
import { AuditBrokenError } from '../errors.ts';
import type { LogReader } from '../folder/log-reader.ts';
import { loadOrMakeKey } from '../note/audit-key.ts';
import { VerifierKey } from '../note/checkpoint.ts';
import { signSeal } from '../note/seal.ts';
import { verifyFolder } from '../verify/verify-folder.ts';
import { PostgresLog, type LogSession } from './postgres-log.ts';
import { saltLength } from '../entry/record-text.ts';
import { copiesOf, type Copies } from './stored/copies.ts';
import { auditTables } from './stored/schema.ts';
import type { Queryable } from './stored/stored-tree.ts';
import { storeBlocks } from './stored/store-blocks.ts';
import { verifyInTransaction } from './verify/verify-postgres.ts';

type Value = string | number | Uint8Array | null;

interface LogTable {
  readonly name: string;
  /** `schema.table`. */
  readonly into: string;
  readonly columns: readonly string[];
  readonly count: number;
  readonly rows: () => Iterable<readonly Value[]>;
}

/** Moves the log of a data folder to PostgreSQL: copy its `tables`, then call `adopt` and `record`, in one transaction. */
export class LogMove {
  static readonly targets: readonly string[] = auditTables.map((name) => `audit.${name}`);
  readonly #dataDir: string;
  readonly #log: LogReader | undefined;
  readonly #key: KeyObject;

  /** @param log the locked log of the folder, if it has one */
  constructor(dataDir: string, log: LogReader | undefined) {
    this.#dataDir = dataDir;
    this.#log = log;
    this.#key = log?.signingKey() ?? loadOrMakeKey(dataDir);
  }

  /** @throws AuditBrokenError if the log of the folder does not hold */
  async verify(): Promise<void> {
    if (this.#log !== undefined) {
      const { name } = VerifierKey.parse(this.#log.identity().verifierKey);
      const key = VerifierKey.of(name, this.#key);
      await verifyFolder(this.#dataDir, { key, isLive: false });
    }
  }

  /** What a copy begins with; `adopt` adds the blocks and a seal over all. @param copies as the tables have them */
  tables(copies: Copies): LogTable[] {
    return this.#log === undefined ? [] : tablesOf(this.#log, copies);
  }

  /** Completes the copied tables and verifies them. @throws AuditBrokenError if they are not the log of the folder */
  async adopt(db: Queryable): Promise<void> {
    if (this.#log === undefined) {
      return;
    }
    const { logId, origin } = this.#log.identity();
    const [size, note] = [this.#log.size(), this.#log.checkpoint()];
    const tree = await storeBlocks(db, logId);
    if (tree.size > 0) {
      const seal = { first: 0, size: tree.size, root: tree.root, checkpointSize: 0 };
      await db.query('insert into audit.audit_seal values ($1, 0, $2, $3, 0, $4)', [
        logId,
        tree.size,
        tree.root,
        signSeal(origin, seal, this.#key).signature,
      ]);
    }
    await db.query('analyze audit.audit_event, audit.audit_node');
    const key = VerifierKey.of(origin, this.#key);
    const report = await verifyInTransaction(db, { key, outside: note });
    if (report.size !== size || !report.root.equals(key.open(note).root)) {
      throw new AuditBrokenError('altered', 'The moved log does not match the log in the folder');
    }
  }

  async record(session: LogSession, text: string): Promise<void> {
    const log = await PostgresLog.open(session, this.#key);
    await log.append([text]);
    await log.checkpoint();
  }
}

function tablesOf(log: LogReader, columns: Copies): LogTable[] {
  const { logId, origin, verifierKey } = log.identity();
  const events = function* (): Generator<readonly Value[]> {
    for (const item of log.read(0, log.size())) {
      if ('leafHash' in item) {
        const body = item.entry.toString('utf8', saltLength);
        const salt = item.entry.subarray(0, saltLength);
        yield [
          logId,
          item.seq,
          item.leafHash,
          salt,
          body,
          ...Object.values(copiesOf(body, columns)),
        ];
      }
    }
  };
  const table = (
    name: string,
    columns: readonly string[],
    [count, rows]: readonly [number, LogTable['rows']],
  ): LogTable => ({ name, into: `audit.${name}`, columns, count, rows });
  const note = log.checkpoint();
  const identity = [logId, origin, verifierKey, Date.now() * 1000];
  return [
    table(
      'audit_log',
      ['log_id', 'origin', 'verifier_key', 'created_at_us'],
      [1, () => [identity]],
    ),
    table(
      'audit_event',
      ['log_id', 'seq', 'leaf_hash', 'salt', 'body', ...Object.keys(columns)],
      [log.size(), events],
    ),
    table(
      'audit_checkpoint',
      ['log_id', 'size', 'note'],
      [1, () => [[logId, Number(note.split('\n')[1]), note]]],
    ),
  ];
}
