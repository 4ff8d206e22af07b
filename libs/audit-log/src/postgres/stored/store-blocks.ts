import { rootOfHashes } from '../../tree/blocks.ts';
import { GrowingTree } from '../../tree/growing-tree.ts';
import { readHashes, type Queryable } from './stored-tree.ts';

const leavesAtOnce = 16_384;

export async function storeBlocks(
  db: Queryable,
  logId: string,
  onProgress?: (records: number) => void,
): Promise<{ readonly size: number; readonly root: Buffer }> {
  const blocks: { level: number; index: number; root: Buffer; hashes: Buffer }[] = [];
  const tree = new GrowingTree((level, index, block) => {
    blocks.push({ level, index, root: rootOfHashes(block), hashes: Buffer.from(block) });
  });
  for (;;) {
    const { size } = tree;
    const leaves = await readHashes(db, logId, [0, size, size + leavesAtOnce]);
    for (const leaf of leaves) {
      tree.append(leaf.toString('latin1'));
    }
    await db.query(
      `insert into audit.audit_node (log_id, level, idx, root, hashes)
       select $1, t.* from unnest($2::smallint[], $3::bigint[], $4::bytea[], $5::bytea[]) as t`,
      [
        logId,
        blocks.map(({ level }) => level),
        blocks.map(({ index }) => index),
        blocks.map(({ root }) => root),
        blocks.map(({ hashes }) => hashes),
      ],
    );
    blocks.length = 0;
    onProgress?.(tree.size);
    if (leaves.length < leavesAtOnce) {
      return { size: tree.size, root: tree.root() };
    }
  }
}
