import { readHashes, type Queryable } from './stored-tree.ts';
import { TreeEdge, type FullTile } from './tree-edge.ts';

const leavesAtOnce = 16_384;

/** Stores the tiles of a log whose records were copied here, within the transaction of the copy. */
export async function storeTiles(
  db: Queryable,
  logId: string,
  onProgress?: (records: number) => void,
): Promise<void> {
  const tree = TreeEdge.empty();
  for (;;) {
    const { size } = tree;
    const leaves = await readHashes(db, logId, [0, size, size + leavesAtOnce]);
    const tiles: FullTile[] = [];
    for (const leaf of leaves) {
      tree.append(leaf, (tile) => tiles.push(tile));
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
    onProgress?.(tree.size);
    if (leaves.length < leavesAtOnce) {
      return;
    }
  }
}
