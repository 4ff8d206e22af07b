import { DatabaseSync } from 'node:sqlite';
import { AuditBrokenError } from './log/audit-broken-error.ts';
import { schemaStatements } from './log/audit-schema.ts';
import { openCheckpoint, type Checkpoint, type VerifierKey } from './log/checkpoint.ts';
import { readHead } from './log/stored-tree.ts';
import { Frontier, sha256 } from './log/tree.ts';
import { StoredRows } from './stored-rows.ts';

export interface VerifyOptions {
  /** Whose signatures count: best one that was kept elsewhere. */
  readonly key: VerifierKey;
  /** A checkpoint kept elsewhere: without one, a log that was rewritten as a whole, key and all, looks whole. */
  readonly outside?: string;
  readonly onProgress?: (records: number, of: number) => void;
}

export interface VerifyReport {
  readonly size: number;
  readonly root: Buffer;
  /** Stored checkpoints that were checked. */
  readonly checkpoints: number;
  /** Records of which a retention cut left the hash alone. */
  readonly cut: number;
}

// 0x00 and 16 bytes of salt precede the body.
const saltEnd = 17;

/** The operation that a retention cut records, with the first record that it kept as the detail `before_seq`. */
export const cutOperation = 'retentionCut';

/**
 * Recomputes a whole log: every record's hash, patients and place, every node of the tree, every checkpoint. Reads one
 * moment of it, in pieces, so that memory stays small and a running service is not held up.
 *
 * @throws AuditBrokenError at the first thing that does not hold
 * @throws BadCheckpointError where the outside checkpoint is not one of this key
 */
export function verifyLog(db: DatabaseSync, options: VerifyOptions): VerifyReport {
  const outside =
    options.outside === undefined ? undefined : openCheckpoint(options.outside, options.key);
  // Outside of a transaction a savepoint begins one; the tests tamper within theirs.
  db.exec('savepoint verification');
  try {
    return verifySnapshot(db, options, outside);
  } catch (error) {
    throw damaged(error) ?? error;
  } finally {
    db.exec('release verification');
  }
}

function verifySnapshot(
  db: DatabaseSync,
  { key, onProgress }: VerifyOptions,
  outside: Checkpoint | undefined,
): VerifyReport {
  requireSchema(db);
  const logId = requireIdentity(db, key);
  const head = readHead(db);
  const checkpoints = new Checkpoints(db, key, outside);
  const rows = new StoredRows(db);
  const tree = new Frontier();
  let [cut, allowedCut] = [0, 0];
  checkpoints.check(tree);
  for (const [seq, storedLeaf, entry] of rows.records()) {
    if (seq !== tree.size) {
      throw new AuditBrokenError('gap', `Record ${tree.size} is missing`, tree.size);
    }
    if (seq >= head.size) {
      throw new AuditBrokenError('altered', `Record ${seq} lies beyond the head of the log`, seq);
    }
    let holds: boolean;
    let leaf: Buffer;
    if (entry === null) {
      leaf = Buffer.from(storedLeaf);
      holds = cut === seq && rows.patientsOf(seq).length === 0;
      cut += 1;
    } else {
      leaf = sha256(entry);
      // The canonical form has one way to say these. As bytes, not characters: half the time.
      const bytes = Buffer.from(entry.buffer, entry.byteOffset + saltEnd, entry.length - saltEnd);
      const body = bytes.toString('latin1');
      const patients = Buffer.from(JSON.stringify(rows.patientsOf(seq))).toString('latin1');
      holds =
        leaf.equals(storedLeaf) &&
        body.includes(`"seq":${seq},"`) &&
        body.includes(`"log_id":"${logId}","`) &&
        body.includes(`"patients":${patients},"`);
      if (body.includes(`"operation":"${cutOperation}"`)) {
        allowedCut = Math.max(allowedCut, cutUpTo(bytes.toString()));
      }
    }
    tree.append(leaf, (level, index, hash) => {
      holds &&= rows.isNextNode(level, index, hash);
    });
    if (!holds) {
      throw new AuditBrokenError('altered', `Record ${seq} was altered`, seq);
    }
    checkpoints.check(tree);
    if (seq % 65_536 === 65_535) {
      onProgress?.(seq + 1, head.size);
    }
  }
  if (tree.size < head.size) {
    throw new AuditBrokenError(
      'truncated',
      `The log ends after ${tree.size} of ${head.size} records`,
      tree.size,
    );
  }
  if (!tree.toBytes().equals(head.toBytes())) {
    throw new AuditBrokenError('altered', 'The head is not the one of the records');
  }
  if (cut > allowedCut) {
    throw new AuditBrokenError('altered', `Record ${allowedCut} was emptied`, allowedCut);
  }
  rows.requireNoneLeft(tree.size);
  checkpoints.requireNoneLeft(tree.size);
  return { size: tree.size, root: tree.root(), checkpoints: checkpoints.checked, cut };
}

/** The stored checkpoints and the outside one, each compared with the tree once that has grown to its size. */
class Checkpoints {
  checked = 0;
  readonly #key: VerifierKey;
  readonly #stored: Iterator<unknown>;
  readonly #outside: Checkpoint | undefined;
  #next: { readonly size: number; readonly note: string } | undefined;

  constructor(db: DatabaseSync, key: VerifierKey, outside: Checkpoint | undefined) {
    this.#key = key;
    this.#outside = outside;
    this.#stored = db.prepare('select size, note from audit_checkpoint order by size').iterate();
    this.#advance();
  }

  check(tree: Frontier): void {
    if (this.#outside?.size === tree.size && !this.#outside.root.equals(tree.root())) {
      throw new AuditBrokenError(
        'forked',
        `Up to ${tree.size} records this is not the log that the given checkpoint signed`,
      );
    }
    if (this.#next?.size !== tree.size) {
      return;
    }
    let signed: Checkpoint;
    try {
      signed = openCheckpoint(this.#next.note, this.#key);
    } catch {
      throw new AuditBrokenError(
        'bad_signature',
        `The stored checkpoint of ${tree.size} records bears no good signature`,
      );
    }
    if (signed.size !== tree.size || !signed.root.equals(tree.root())) {
      throw new AuditBrokenError(
        'forked',
        `Up to ${tree.size} records this is not the log that its stored checkpoint signed`,
      );
    }
    this.checked += 1;
    this.#advance();
  }

  requireNoneLeft(size: number): void {
    const beyond = Math.max(this.#outside?.size ?? 0, this.#next?.size ?? 0);
    if (beyond > size) {
      throw new AuditBrokenError(
        'truncated',
        `A checkpoint signed ${beyond} records; the log has ${size}`,
        size,
      );
    }
    if (this.#next !== undefined) {
      throw new AuditBrokenError('altered', 'A stored checkpoint is out of place');
    }
  }

  #advance(): void {
    const next = this.#stored.next();
    this.#next = next.done === true ? undefined : (next.value as { size: number; note: string });
  }
}

/** The log's name and key as stored: not to be believed, but to be as the key says. */
function requireIdentity(db: DatabaseSync, key: VerifierKey): string {
  const row = db.prepare('select log_id, origin from audit_log').get();
  const logId = row?.['log_id'];
  if (
    typeof logId !== 'string' ||
    row?.['origin'] !== key.name ||
    !key.name.endsWith(`/${logId}`)
  ) {
    throw new AuditBrokenError('bad_signature', 'The log does not bear the name of the key');
  }
  return logId;
}

function requireSchema(db: DatabaseSync): void {
  const expected = new DatabaseSync(':memory:');
  try {
    schemaStatements().forEach((statement) => {
      expected.exec(statement);
    });
    if (schemaOf(expected) !== schemaOf(db)) {
      throw new AuditBrokenError('altered', 'The tables or triggers are not as they were made');
    }
  } finally {
    expected.close();
  }
}

function schemaOf(db: DatabaseSync): string {
  const rows = db
    .prepare(
      `select type, name, tbl_name, sql from sqlite_schema
       where name not like 'sqlite\\_%' escape '\\' and tbl_name not like 'kysely\\_%' escape '\\'
       order by type, name`,
    )
    .all();
  return JSON.stringify(rows);
}

function cutUpTo(body: string): number {
  const { operation, details } = JSON.parse(body) as {
    operation: string;
    details: Record<string, unknown>;
  };
  const before = details['before_seq'];
  return operation === cutOperation && typeof before === 'number' ? before : 0;
}

/** SQLite finds the file itself damaged (SQLITE_CORRUPT, SQLITE_NOTADB). */
function damaged(error: unknown): AuditBrokenError | undefined {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  return code === 11 || code === 26
    ? new AuditBrokenError('altered', 'The database file is damaged')
    : undefined;
}
