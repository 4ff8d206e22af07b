import { AuditBrokenError } from '../log/audit-broken-error.ts';
import type { Checkpoint } from '../log/checkpoint.ts';
import { MissingNodeError } from '../log/stored-tree.ts';
import { emptyRoot, frontierAt, leafHash, type Frontier, type NodeReader } from '../log/tree.ts';

/** A connection or a pool. */
export interface Queryable {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

/** Size and root of the tree after the last commit. */
export interface Head {
  readonly size: number;
  readonly root: Buffer;
}

const recordsAtOnce = 1000;

export async function readHead(db: Queryable, logId: string): Promise<Head> {
  const { rows } = await db.query(
    'select size, root from audit.audit_head where log_id = $1 order by size desc limit 1',
    [logId],
  );
  return rows[0] === undefined
    ? { size: 0, root: emptyRoot }
    : { size: Number(rows[0]['size']), root: rows[0]['root'] as Buffer };
}

/** The latest checkpoint of at most this size. */
export async function readCheckpoint(
  db: Queryable,
  logId: string,
  mostSize = Number.MAX_SAFE_INTEGER,
): Promise<{ readonly size: number; readonly note: string } | undefined> {
  const { rows } = await db.query(
    `select size, note from audit.audit_checkpoint where log_id = $1 and size <= $2
     order by size desc limit 1`,
    [logId, mostSize],
  );
  return rows[0] === undefined
    ? undefined
    : { size: Number(rows[0]['size']), note: rows[0]['note'] as string };
}

/**
 * Runs a computation on nodes of the tree twice: first to collect the required nodes, then with their values, which are read
 * by one statement. The computation MUST request the same nodes whatever their values are.
 *
 * @throws MissingNodeError
 */
export async function withNodes<T>(
  db: Queryable,
  logId: string,
  compute: (read: NodeReader) => T,
): Promise<T> {
  const places: Place[] = [];
  compute((level, index) => {
    places.push([level, index]);
    return emptyRoot;
  });
  const nodes = await readNodes(db, logId, places);
  return compute((level, index) => {
    const hash = nodes.get(`${level}/${index}`);
    if (hash === undefined) {
      throw new MissingNodeError(`Node ${level}/${index} of the tree is missing`);
    }
    return hash;
  });
}

export type Place = readonly [level: number, index: number];

export async function readNodes(
  db: Queryable,
  logId: string,
  places: readonly Place[],
): Promise<ReadonlyMap<string, Buffer>> {
  if (places.length === 0) {
    return new Map();
  }
  const leaves = places.filter(([level]) => level === 0).map(([, index]) => index);
  const inner = places.filter(([level]) => level > 0);
  const { rows } = await db.query(
    `select 0 as level, seq as idx, leaf_hash as hash from audit.audit_event
     where log_id = $1 and seq = any($2::bigint[])
     union all
     select w.level, w.idx, n.hash from unnest($3::smallint[], $4::bigint[]) as w (level, idx)
     -- offset 0 forces index lookups; a join with a table not yet analyzed may read all nodes of the log each time.
     cross join lateral (select hash from audit.audit_node
                         where log_id = $1 and level = w.level and idx = w.idx offset 0) as n`,
    [logId, leaves, inner.map(([level]) => level), inner.map(([, index]) => index)],
  );
  return new Map(
    rows.map(({ level, idx, hash }) => [`${String(level)}/${String(idx)}`, hash as Buffer]),
  );
}

/**
 * The tree of a checkpoint, read from the stored nodes.
 *
 * @throws AuditBrokenError if they do not match the root of the checkpoint
 */
export async function frontierOfCheckpoint(
  db: Queryable,
  logId: string,
  { size, root }: Checkpoint,
): Promise<Frontier> {
  try {
    const frontier = await withNodes(db, logId, (read) => frontierAt(size, read));
    if (frontier.root().equals(root)) {
      return frontier;
    }
  } catch (error) {
    if (!(error instanceof MissingNodeError)) {
      throw error;
    }
  }
  throw new AuditBrokenError('forked', 'The stored tree does not match its checkpoint');
}

/**
 * Verifies everything between a known tree and the stored head: the hash of each record, each node, the head.
 *
 * @throws AuditBrokenError if anything is missing, changed or unexpected
 */
export async function extendVerified(
  db: Queryable,
  logId: string,
  known: Frontier,
  head: Head,
): Promise<Frontier> {
  if (head.size < known.size) {
    throw new AuditBrokenError(
      'truncated',
      'The log is truncated: it is shorter than before',
      head.size,
    );
  }
  const { rows } = await db.query(
    'select max(seq) as seq from audit.audit_event where log_id = $1',
    [logId],
  );
  const end = rows[0]?.['seq'] == null ? 0 : Number(rows[0]['seq']) + 1;
  if (end !== head.size) {
    throw new AuditBrokenError(
      end < head.size ? 'truncated' : 'altered',
      'The end of the log does not match its head',
      Math.min(end, head.size),
    );
  }
  const grown = known.copy();
  while (grown.size < head.size) {
    await extendByPage(db, logId, grown);
  }
  if (!grown.root().equals(head.root)) {
    throw new AuditBrokenError('altered', 'The head does not match the stored records');
  }
  return grown;
}

async function extendByPage(db: Queryable, logId: string, grown: Frontier): Promise<void> {
  const from = grown.size;
  const { rows } = await db.query(
    `select seq, leaf_hash, salt, body from audit.audit_event
     where log_id = $1 and seq >= $2 and seq < $3 order by seq`,
    [logId, from, from + recordsAtOnce],
  );
  const places: Place[] = [];
  const dry = grown.copy();
  rows.forEach(() => {
    dry.append(emptyRoot, (level, index) => places.push([level, index]));
  });
  const nodes = await readNodes(db, logId, places);
  for (const { seq, leaf_hash: stored, salt, body } of rows) {
    if (Number(seq) !== grown.size) {
      throw new AuditBrokenError('gap', `Record ${grown.size} is missing`, grown.size);
    }
    const at = grown.size;
    const leaf = leafHash((salt as Buffer | null) ?? emptyRoot, Buffer.from(String(body)));
    let holds = leaf.equals(stored as Buffer);
    grown.append(leaf, (level, index, hash) => {
      holds &&= nodes.get(`${level}/${index}`)?.equals(hash) === true;
    });
    if (!holds) {
      throw new AuditBrokenError('altered', `Record ${at} was altered`, at);
    }
  }
  if (grown.size === from) {
    throw new AuditBrokenError('gap', `Record ${from} is missing`, from);
  }
}
