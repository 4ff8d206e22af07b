import { rootOfHashes } from '../../tree/tiles.ts';
import { TreeTiles } from '../../tree/tree-tiles.ts';
import { readHashes, type Queryable } from './stored-tree.ts';

const leavesAtOnce = 16_384;

export async function storeTiles(
  db: Queryable,
  logId: string,
  onProgress?: (records: number) => void,
): Promise<{ readonly size: number; readonly root: Buffer }> {
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
