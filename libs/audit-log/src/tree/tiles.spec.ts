import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { MissingNodeError } from '../errors.ts';
import { nodesOfTiles, tileBytes, tileWidth } from './tiles.ts';
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

describe('tiles', () => {
  it('are as wide as the log reaches', () => {
    expect([0, 1, 255, 256, 257].map((size) => tileWidth(size, 0, 0))).toEqual([
      0, 1, 255, 256, 256,
    ]);
    expect(tileWidth(70_000, 0, 273)).toBe(70_000 - 273 * 256);
    expect(tileWidth(70_000, 1, 0)).toBe(256);
    expect(tileWidth(70_000, 1, 1)).toBe(17);
    expect(tileWidth(70_000, 2, 0)).toBe(1);
  });

  it('give every node of the tree, also where those above them are not full', () => {
    const { read } = treeOf(70_000);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 70_000 }), (size) => {
        const nodes = nodesOfTiles(
          (level, index) =>
            tileWidth(size, level, index) === 256 ? tileBytes(read, level, index) : undefined,
          (index) => (index < size ? read(0, index) : undefined),
        );
        expect(frontierAt(size, nodes).root()).toEqual(frontierAt(size, read).root());
      }),
      { numRuns: 30 },
    );
  });

  it('say which hash is missing', () => {
    const nodes = nodesOfTiles(
      () => undefined,
      () => undefined,
    );
    expect(() => nodes(3, 5)).toThrow(MissingNodeError);
  });
});
