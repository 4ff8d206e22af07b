import { DatabaseSync } from 'node:sqlite';
import {
  AuditBrokenError,
  type Checkpoint,
  type VerifierKey,
  openCheckpoint,
} from '@caregate/audit-log';
import { schemaStatements } from './audit-schema.ts';
import { readHead } from './stored-tree.ts';
import { LogChecks, type VerifyReport } from './log-checks.ts';
import { StoredRows } from './stored-rows.ts';

export interface VerifyOptions {
  /** The public key to verify with, preferably one kept in another place. */
  readonly key: VerifierKey;
  /** A checkpoint kept in another place: without one, a completely rewritten log passes verification. */
  readonly outside?: string;
  readonly onProgress?: (records: number, of: number) => void;
}

/**
 * Verifies a whole log: hash, patients and position of every record, every node of the tree, every checkpoint. Reads a
 * snapshot in chunks, so that memory use is small and a running service is not blocked.
 *
 * @throws AuditBrokenError at the first failure
 * @throws BadCheckpointError if the external checkpoint is not signed by this key
 */
export function verifyLog(db: DatabaseSync, options: VerifyOptions): VerifyReport {
  const outside =
    options.outside === undefined ? undefined : openCheckpoint(options.outside, options.key);
  // A savepoint works inside and outside of a transaction; the tests tamper within one.
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
  const checkpoints = db.prepare('select size, note from audit_checkpoint order by size').iterate();
  const checks = new LogChecks({ logId, size: head.size, key, outside, checkpoints });
  const rows = new StoredRows(db);
  for (const record of rows.records()) {
    checks.take(record, rows);
    const { size } = checks.tree;
    if (size % 1024 === 0 || size === head.size) {
      onProgress?.(size, head.size);
    }
  }
  return checks.finish(
    (tree) => tree.toBytes().equals(head.toBytes()),
    (size) => {
      rows.requireNoneLeft(size);
    },
  );
}

/** Checks that the stored name of the log matches the key. */
function requireIdentity(db: DatabaseSync, key: VerifierKey): string {
  const row = db.prepare('select log_id, origin from audit_log').get();
  const logId = row?.['log_id'];
  if (
    typeof logId !== 'string' ||
    row?.['origin'] !== key.name ||
    !key.name.endsWith(`/${logId}`)
  ) {
    throw new AuditBrokenError(
      'bad_signature',
      'The name of the log does not match the public key',
    );
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
      throw new AuditBrokenError('altered', 'The tables or triggers were changed');
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

/** SQLite finds the file itself damaged (SQLITE_CORRUPT, SQLITE_NOTADB). */
function damaged(error: unknown): AuditBrokenError | undefined {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  return code === 11 || code === 26
    ? new AuditBrokenError('altered', 'The database file is damaged')
    : undefined;
}
