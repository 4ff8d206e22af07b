import { AuditBrokenError, MissingNodeError } from '../../errors.ts';
import { LogKeys, type LogIdentity } from '../../note/checkpoint.ts';
import { isSealValid, type Seal } from '../../note/seal.ts';
import { hashesInBlock, levelsInBlock, rootOfHashes } from '../../tree/blocks.ts';
import { emptyRoot, rootAt, type NodeReader } from '../../tree/tree.ts';

export interface Queryable {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

export function identityOf(row: Readonly<Record<string, unknown>>): LogIdentity {
  return {
    logId: row['log_id'] as string,
    origin: row['origin'] as string,
    verifierKey: row['verifier_key'] as string,
  };
}

export async function readSeal(db: Queryable, logId: string): Promise<Seal | undefined> {
  const { rows } = await db.query(
    `select ${sealColumns} from audit.audit_seal where log_id = $1
     order by size desc limit 1`,
    [logId],
  );
  return rows[0] && sealOf(rows[0]);
}

/** @param note a checkpoint that is not older. @throws AuditBrokenError if the newest seal of a log is not by its key */
export function requireSeal(
  log: LogIdentity,
  seal: Seal | undefined,
  note: string | undefined,
): Seal {
  const keys = LogKeys.named(log, note);
  if (seal === undefined || !isSealValid(log.origin, seal, keys.sealing(seal))) {
    throw new AuditBrokenError('bad_signature', 'The newest seal of the log is not by its key');
  }
  return seal;
}

export const sealColumns = 'first, size, root, checkpoint_size, signature';

export function sealOf(row: Readonly<Record<string, unknown>>): Seal {
  return {
    first: Number(row['first']),
    size: Number(row['size']),
    root: row['root'] as Buffer,
    checkpointSize: Number(row['checkpoint_size']),
    signature: row['signature'] as Buffer,
  };
}

/** Number of records, sealed or not. */
export async function readSize(db: Queryable, logId: string): Promise<number> {
  const { rows } = await db.query(
    'select max(seq) as seq from audit.audit_event where log_id = $1',
    [logId],
  );
  return rows[0]?.['seq'] == null ? 0 : Number(rows[0]['seq']) + 1;
}

/** Records up to the last seal. @throws AuditBrokenError if there are others */
export async function sealedSize(db: Queryable, logId: string): Promise<number> {
  const { rows } = await db.query(
    `select (select max(seq) + 1 from audit.audit_event where log_id = $1) as size,
       (select size from audit.audit_seal where log_id = $1 order by size desc limit 1) as sealed`,
    [logId],
  );
  const [size, sealed] = [Number(rows[0]?.['size'] ?? 0), Number(rows[0]?.['sealed'] ?? 0)];
  if (size > sealed) {
    throw new AuditBrokenError('bad_signature', `Record ${sealed} is not sealed`, sealed);
  }
  return sealed;
}

export async function readCheckpoint(
  db: Queryable,
  logId: string,
): Promise<{ readonly size: number; readonly note: string } | undefined> {
  const { rows } = await db.query(
    `select size, note from audit.audit_checkpoint where log_id = $1 order by size desc limit 1`,
    [logId],
  );
  return rows[0] && { size: Number(rows[0]['size']), note: rows[0]['note'] as string };
}

/** Runs `compute` to collect the nodes, then with their values: it MUST request the same ones. @throws MissingNodeError */
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
  return compute((level, index) => nodes.get(`${level}/${index}`) ?? missing([level, index]));
}

export async function hasTree(
  db: Queryable,
  logId: string,
  { size, root }: { readonly size: number; readonly root: Buffer },
): Promise<boolean> {
  try {
    return (await withNodes(db, logId, (read) => rootAt(size, read))).equals(root);
  } catch (error) {
    if (error instanceof MissingNodeError) {
      return false;
    }
    throw error;
  }
}

/** @throws AuditBrokenError if the log does not begin with these records; `says` tells who says that it does */
export async function requireTree(
  db: Queryable,
  { logId, size, root }: { readonly logId: string; readonly size: number; readonly root: Buffer },
  says: string,
): Promise<void> {
  const has = await readSize(db, logId);
  if (has < size) {
    throw new AuditBrokenError(
      'truncated',
      `Log ${logId} has ${has} records in the database, and had ${size} (${says})`,
      has,
    );
  }
  if (!(await hasTree(db, logId, { size, root }))) {
    throw new AuditBrokenError(
      'forked',
      `The first ${size} records of log ${logId} are not those that were there (${says})`,
    );
  }
}

type Place = readonly [level: number, index: number];

/** Hashes of one block from `first` on, from the block or from those below it. */
const slices = `
  select coalesce(
    (select substring(t.hashes from 32 * (w.first % ${hashesInBlock})::int + 1 for 32 * w.count)
     from audit.audit_node t where t.log_id = $1 and t.level = w.level and t.idx = w.first / ${hashesInBlock}),
    case when w.level = 0 then
      (select string_agg(e.leaf_hash, ''::bytea order by e.seq) from audit.audit_event e
       where e.log_id = $1 and e.seq >= w.first and e.seq < w.first + w.count)
    else
      (select string_agg(t.root, ''::bytea order by t.idx) from audit.audit_node t
       where t.log_id = $1 and t.level = w.level - 1 and t.idx >= w.first and t.idx < w.first + w.count)
    end) as hashes
  from unnest($2::smallint[], $3::bigint[], $4::int[]) with ordinality as w (level, first, count, at) order by w.at`;

async function readNodes(
  db: Queryable,
  logId: string,
  places: readonly Place[],
): Promise<ReadonlyMap<string, Buffer>> {
  if (places.length === 0) {
    return new Map();
  }
  const counts = places.map(([level]) => 2 ** (level % levelsInBlock));
  const { rows } = await db.query(slices, [
    logId,
    places.map(([level]) => Math.floor(level / levelsInBlock)),
    places.map(([, index], at) => index * (counts[at] as number)),
    counts,
  ]);
  return new Map(
    places.map((place, at) => {
      const hashes = rows[at]?.['hashes'] as Buffer | null | undefined;
      return hashes?.length === 32 * (counts[at] as number)
        ? [place.join('/'), rootOfHashes(hashes)]
        : missing(place);
    }),
  );
}

/** Hashes `from` to before `to` of a level of blocks; fewer if some are missing. */
export async function readHashes(
  db: Queryable,
  logId: string,
  [level, from, to]: readonly [level: number, from: number, to: number],
): Promise<Buffer[]> {
  const { rows } = await db.query(
    level === 0
      ? 'select leaf_hash as hash from audit.audit_event where log_id = $1 and seq >= $2 and seq < $3 order by seq'
      : `select root as hash from audit.audit_node where log_id = $1 and level = ${level - 1} and idx >= $2 and idx < $3
         order by idx`,
    [logId, from, to],
  );
  return rows.map(({ hash }) => hash as Buffer);
}

function missing([level, index]: Place): never {
  throw new MissingNodeError(level, index);
}
