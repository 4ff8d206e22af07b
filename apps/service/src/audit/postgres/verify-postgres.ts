import { AuditBrokenError } from '../log/audit-broken-error.ts';
import { openCheckpoint } from '../log/checkpoint.ts';
import { emptyRoot } from '../log/tree.ts';
import {
  LogChecks,
  type RelatedRows,
  type StoredRecord,
  type VerifyReport,
} from '../log-checks.ts';
import type { VerifyOptions } from '../verify.ts';
import { requireTriggers } from './audit-triggers.ts';
import { columnsOf } from './body-columns.ts';
import { bodyColumns } from './audit-tables.ts';
import { readHead, readNodes, type Place, type Queryable } from './stored-tree.ts';

const recordsAtOnce = 2048;
const names = Object.keys(bodyColumns);

/**
 * Verifies the log with the name of the key in a database: like `verifyLog`, plus the columns copied from the bodies. Reads
 * a snapshot in chunks over this connection, which must not be in a transaction.
 *
 * @throws AuditBrokenError at the first failure
 * @throws BadCheckpointError if the external checkpoint is not signed by this key
 */
export async function verifyPostgresLog(
  session: Queryable,
  options: VerifyOptions,
): Promise<VerifyReport> {
  await session.query('begin transaction isolation level repeatable read read only');
  try {
    return await verifyInTransaction(session, options);
  } finally {
    await session.query('rollback');
  }
}

/** The same within the current transaction, which may have written the log. */
export async function verifyInTransaction(
  session: Queryable,
  options: VerifyOptions,
): Promise<VerifyReport> {
  const { key } = options;
  const outside = options.outside === undefined ? undefined : openCheckpoint(options.outside, key);
  await requireTriggers(session);
  const logId = await logOf(session, key.name);
  const head = await readHead(session, logId);
  const { rows } = await session.query(
    'select size::float8 as size, note from audit.audit_checkpoint where log_id = $1 order by 1',
    [logId],
  );
  const checks = new LogChecks({
    logId,
    size: head.size,
    key,
    outside,
    checkpoints: rows.values(),
  });
  await takeAll(session, logId, checks, () => {
    options.onProgress?.(checks.tree.size, head.size);
  });
  const report = checks.finish(
    (tree) => tree.root().equals(head.root),
    () => undefined,
  );
  await requireNoneLeft(session, logId, report.size);
  return report;
}

async function takeAll(
  session: Queryable,
  logId: string,
  checks: LogChecks,
  onPage: () => void,
): Promise<void> {
  let rows = await readPage(session, logId, 0);
  while (rows.length > 0) {
    const beside = await relatedRowsOf(session, logId, { checks, count: rows.length });
    // The server reads the next page while this one is checked.
    const next = readPage(session, logId, checks.tree.size + rows.length);
    next.catch(() => undefined);
    for (const row of rows) {
      const record = recordOf(row);
      checks.take(record, beside);
      if (record[2] !== null && !columnsHold(row)) {
        throw new AuditBrokenError('altered', `Record ${record[0]} was altered`, record[0]);
      }
      beside.requireHead(checks);
    }
    onPage();
    rows = await next;
  }
}

async function readPage(
  session: Queryable,
  logId: string,
  from: number,
): Promise<Record<string, unknown>[]> {
  const { rows } = await session.query(
    `select seq, leaf_hash, salt, body, ${names.join(', ')} from audit.audit_event
     where log_id = $1 and seq >= $2 order by seq limit ${recordsAtOnce}`,
    [logId, from],
  );
  return rows;
}

function recordOf(row: Record<string, unknown>): StoredRecord {
  const { seq, leaf_hash: leaf, salt, body } = row;
  const entry =
    salt === null || body === null
      ? null
      : Buffer.concat([Buffer.of(0), salt as Buffer, Buffer.from(body as string)]);
  return [Number(seq), leaf as Buffer, entry];
}

function columnsHold(row: Record<string, unknown>): boolean {
  const expected = columnsOf(row['body'] as string);
  return names.every((name) => {
    const stored = row[name];
    return typeof expected[name] === 'number'
      ? Number(stored) === expected[name] && stored !== null
      : stored === expected[name];
  });
}

/** Patients, nodes and heads of the next `count` records. */
async function relatedRowsOf(
  session: Queryable,
  logId: string,
  { checks, count }: { checks: LogChecks; count: number },
): Promise<RelatedRows & { requireHead(checks: LogChecks): void }> {
  const from = checks.tree.size;
  const places: Place[] = [];
  const dry = checks.tree.copy();
  for (let at = 0; at < count; at += 1) {
    dry.append(emptyRoot, (level, index) => places.push([level, index]));
  }
  const nodes = await readNodes(session, logId, places);
  const span = [logId, from, from + count];
  const patients = await session.query(
    `select seq, user_id from audit.audit_patient where log_id = $1 and seq >= $2 and seq < $3
     order by seq, user_id`,
    span,
  );
  const byRecord = new Map<number, string[]>();
  for (const { seq, user_id: userId } of patients.rows) {
    const known = byRecord.get(Number(seq));
    if (known === undefined) {
      byRecord.set(Number(seq), [userId as string]);
    } else {
      known.push(userId as string);
    }
  }
  const { rows: heads } = await session.query(
    'select size, root from audit.audit_head where log_id = $1 and size > $2 and size <= $3',
    span,
  );
  const roots = new Map(heads.map(({ size, root }) => [Number(size), root as Buffer]));
  return {
    patientsOf: (seq) => byRecord.get(seq) ?? [],
    isNextNode: (level, index, hash) => nodes.get(`${level}/${index}`)?.equals(hash) === true,
    requireHead: ({ tree }) => {
      if (roots.get(tree.size)?.equals(tree.root()) === false) {
        throw new AuditBrokenError('altered', `The head of ${tree.size} records was altered`);
      }
    },
  };
}

/** By the name that the key has: not to be believed, but to be as the key says. */
async function logOf(session: Queryable, origin: string): Promise<string> {
  const { rows } = await session.query('select log_id from audit.audit_log where origin = $1', [
    origin,
  ]);
  const logId = rows[0]?.['log_id'];
  if (rows.length !== 1 || typeof logId !== 'string' || !origin.endsWith(`/${logId}`)) {
    throw new AuditBrokenError(
      'bad_signature',
      'The name of the log does not match the public key',
    );
  }
  return logId;
}

async function requireNoneLeft(session: Queryable, logId: string, size: number): Promise<void> {
  let nodes = 0;
  for (let count = Math.floor(size / 2); count > 0; count = Math.floor(count / 2)) {
    nodes += count;
  }
  const { rows } = await session.query(
    `select (select count(*) from audit.audit_node where log_id = $1) = $3 as nodes,
            not exists (select 1 from audit.audit_patient where log_id = $1 and (seq < 0 or seq >= $2))
              as patients`,
    [logId, size, nodes],
  );
  if (rows[0]?.['nodes'] !== true) {
    throw new AuditBrokenError('altered', 'The tree has unexpected nodes');
  }
  if (rows[0]['patients'] !== true) {
    throw new AuditBrokenError('altered', 'Patients are listed for records that do not exist');
  }
}
