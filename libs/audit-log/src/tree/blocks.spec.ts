import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { MissingNodeError } from '../errors.ts';
import { isFullBlock, nodesFromBlocks } from './blocks.ts';
import { Frontier, frontierAt, sha256, type NodeReader } from './tree.ts';

/** A tree of this size, whose nodes are kept. */
function treeOf(size: number): { tree: Frontier; read: NodeReader } {
  const nodes = new Map<string, Buffer>();
  const tree = new Frontier();
  for (let seq = 0; seq < size; seq += 1) {
    const leaf = sha256(Buffer.from(String(seq)));
    nodes.set(`0/${seq}`, leaf);
    tree.appendText(leaf.toString('latin1'), (level, index, hash) =>
      nodes.set(`${level}/${index}`, Buffer.from(hash, 'latin1')),
    );
  }
  return { tree, read: (level, index) => nodes.get(`${level}/${index}`) as Buffer };
}

function blockOf(read: NodeReader, level: number, index: number): Buffer {
  return Buffer.concat(Array.from({ length: 256 }, (_, at) => read(8 * level, 256 * index + at)));
}

describe('blocks', () => {
  it('are full once the log has all their records', () => {
    expect([0, 255, 256, 257].map((size) => isFullBlock(size, 0, 0))).toEqual([
      ...[false, false, true, true],
    ]);
    expect([70_000, 131_072].map((size) => isFullBlock(size, 1, 1))).toEqual([false, true]);
  });

  it('give every node of the tree, also where those above them are not full', () => {
    const { read } = treeOf(70_000);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 70_000 }), (size) => {
        const nodes = nodesFromBlocks(
          (level, index) =>
            isFullBlock(size, level, index) ? blockOf(read, level, index) : undefined,
          (index) => (index < size ? read(0, index) : undefined),
        );
        expect(frontierAt(size, nodes).root()).toEqual(frontierAt(size, read).root());
      }),
      { numRuns: 30 },
    );
  });

  it('say which hash is missing', () => {
    const nodes = nodesFromBlocks(
      () => undefined,
      () => undefined,
    );
    expect(() => nodes(3, 5)).toThrow(MissingNodeError);
  });
});
