import type { LogReader } from '../../folder/log-reader.ts';
import { besideBody } from './body-columns.ts';
import { bodyColumns } from './schema.ts';
import type { KeyObject } from 'node:crypto';
import type { SignedTree } from '../../export/proven-tree.ts';
import type { LogIdentity } from '../../note/checkpoint.ts';
import { signSeal } from '../../note/seal.ts';
import { readHashes, type Queryable } from './stored-tree.ts';
import { rootOfHashes } from '../../tree/tiles.ts';
import { TreeTiles } from '../../tree/tree-tiles.ts';

const leavesAtOnce = 16_384;
const saltLength = 16;

type Value = string | number | Uint8Array | null;

/** Rows of a table, with their values in the order of the columns. */
interface LogTable {
  readonly name: string;
  /** `schema.table`. */
  readonly into: string;
  readonly columns: readonly string[];
  readonly count: number;
  readonly rows: () => Iterable<readonly Value[]>;
}

/** What a copy of a log to the database begins with; `adoptCopy` adds the tiles and a seal over all. */
export function tablesOfLog(log: LogReader): LogTable[] {
  const { logId, origin, verifierKey } = log.identity();
  const beside = ['patients', ...Object.keys(bodyColumns)];
  const events = function* (): Generator<readonly Value[]> {
    for (const item of log.read(0, log.size())) {
      if ('leafHash' in item) {
        const body = item.entry.toString('utf8', saltLength);
        const { columns, patients } = besideBody(body);
        const values: Readonly<Record<string, Value>> = { ...columns, patients };
        const salt = item.entry.subarray(0, saltLength);
        const copies = beside.map((name) => values[name] ?? null);
        yield [logId, item.seq, item.leafHash, salt, body, ...copies];
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
      ['log_id', 'seq', 'leaf_hash', 'salt', 'body', ...beside],
      [log.size(), events],
    ),
    table(
      'audit_checkpoint',
      ['log_id', 'size', 'note'],
      [1, () => [[logId, Number(note.split('\n')[1]), note]]],
    ),
  ];
}

/** Completes the copied records of a log: stores their tiles and seals them, within the transaction of the copy. */
export async function adoptCopy(
  db: Queryable,
  { logId, origin }: LogIdentity,
  key: KeyObject,
  onProgress?: (records: number) => void,
): Promise<void> {
  const { size, root } = await storeTiles(db, logId, onProgress);
  if (size > 0) {
    const { signature } = signSeal(origin, { first: 0, size, root, checkpointSize: 0 }, key);
    await db.query('insert into audit.audit_seal values ($1, 0, $2, $3, 0, $4)', [
      logId,
      size,
      root,
      signature,
    ]);
  }
}

export async function storeTiles(
  db: Queryable,
  logId: string,
  onProgress?: (records: number) => void,
): Promise<SignedTree> {
  const tiles: { level: number; index: number; root: Buffer; hashes: Buffer }[] = [];
  const tree = new TreeTiles((level, index, tile) => {
    tiles.push({ level, index, root: rootOfHashes(tile), hashes: Buffer.from(tile) });
  });
  for (;;) {
    const { size } = tree;
    const leaves = await readHashes(db, logId, [0, size, size + leavesAtOnce]);
    for (const leaf of leaves) {
      tree.append(leaf.toString('latin1'));
    }
    await db.query(
      `insert into audit.audit_tile (log_id, level, idx, root, hashes)
       select $1, t.* from unnest($2::smallint[], $3::bigint[], $4::bytea[], $5::bytea[]) as t`,
      [
        logId,
        tiles.map(({ level }) => level),
        tiles.map(({ index }) => index),
        tiles.map(({ root }) => root),
        tiles.map(({ hashes }) => hashes),
      ],
    );
    tiles.length = 0;
    onProgress?.(tree.size);
    if (leaves.length < leavesAtOnce) {
      return { size: tree.size, root: tree.root() };
    }
  }
}
