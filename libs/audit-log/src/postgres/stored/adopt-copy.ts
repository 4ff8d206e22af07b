import type { KeyObject } from 'node:crypto';
import type { SignedTree } from '../../export/proven-tree.ts';
import type { LogIdentity } from '../../note/checkpoint.ts';
import { signSeal } from '../../note/seal.ts';
import { readHashes, type Queryable } from './stored-tree.ts';
import { rootOfHashes } from '../../tree/tiles.ts';
import { TreeTiles } from '../../tree/tree-tiles.ts';

const leavesAtOnce = 16_384;

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
