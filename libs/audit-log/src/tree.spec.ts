import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { share } from '@caregate/seeded/seed';
import {
  buildConsistencyProof,
  emptyRoot,
  Frontier,
  buildInclusionProof,
  hashNode,
  readFrontier,
  type NodeReader,
} from './tree.ts';
import { leafHash, verifyConsistency, verifyInclusion } from './testing/verify-proofs.testing.ts';

const most = 300;
/** Trees of all small sizes. */
const trees = [
  ...Array.from({ length: 35 }, (_, size) => size),
  ...share(
    Array.from({ length: most - 34 }, (_, at) => 35 + at),
    8,
  ),
];
const leaves = Array.from({ length: most }, (_, at) => leafHash(Buffer.of(at % 256), Buffer.of(1)));
const nodes = new Map<string, Buffer>();
const roots: Buffer[] = [];
const grown = new Frontier();
for (const leaf of leaves) {
  roots.push(grown.computeRoot());
  nodes.set(`0/${String(grown.size)}`, leaf);
  grown.append(leaf.toString('latin1'), (level, index, hash) =>
    nodes.set(`${String(level)}/${String(index)}`, Buffer.from(hash, 'latin1')),
  );
}
roots.push(grown.computeRoot());

const read: NodeReader = (level, index) => {
  const hash = nodes.get(`${String(level)}/${String(index)}`);
  if (hash === undefined) {
    throw new Error('no such node');
  }
  return Promise.resolve(hash);
};

/** Computes the tree hash as RFC 6962, 2.1 defines it. */
function treeHash(of: readonly Buffer[]): Buffer {
  if (of.length <= 1) {
    return of[0] ?? emptyRoot;
  }
  let k = 1;
  while (k * 2 < of.length) {
    k *= 2;
  }
  return hashNode(treeHash(of.slice(0, k)), treeHash(of.slice(k)));
}

describe('the tree', () => {
  it('knows the roots of RFC 6962 implementations', () => {
    expect(emptyRoot.toString('hex')).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
    expect(leafHash(Buffer.alloc(0), Buffer.alloc(0)).toString('hex')).toBe(
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    );
    // Leaves of the reference tests of Certificate Transparency.
    const inputs = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657'];
    inputs.push('606162636465666768696a6b6c6d6e6f');
    const tree = new Frontier();
    inputs.forEach((hex) => {
      tree.append(leafHash(Buffer.from(hex, 'hex')).toString('latin1'));
    });
    expect(tree.computeRoot().toString('hex')).toBe(
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    );
  });

  it('has the root of the definition, grown or read back', async () => {
    for (const size of trees) {
      expect(roots[size]).toEqual(treeHash(leaves.slice(0, size)));
      const tree = await readFrontier(size, read);
      expect(tree.computeRoot()).toEqual(roots[size]);
      expect(Frontier.parse(size, tree.toBytes())?.computeRoot()).toEqual(roots[size]);
    }
  });

  it('proves every leaf in a tree', async () => {
    for (const size of trees) {
      for (let index = 0; index < size; index += 1) {
        const proof = await buildInclusionProof(index, size, read);
        if (!verifyInclusion(leaves[index]!, index, size, proof, roots[size]!)) {
          throw new Error(`leaf ${String(index)} of ${String(size)}`);
        }
      }
    }
  });

  it('proves every older tree the beginning of a newer one', async () => {
    for (const size of trees) {
      for (let older = 0; older <= size; older += 1) {
        const proof = await buildConsistencyProof(older, size, read);
        if (!verifyConsistency(older, size, proof, roots[older]!, roots[size]!)) {
          throw new Error(`${String(older)} in ${String(size)}`);
        }
      }
    }
  });

  it('accepts no inclusion proof with a single bit, hash, place or size changed', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat(), fc.nat(), async (size, pick, bit) => {
        const index = pick % size;
        const proof = await buildInclusionProof(index, size, read);
        const [leaf, root] = [leaves[index]!, roots[size]!];
        const at = bit % ((proof.length + 2) * 256);
        const [changedLeaf, changedRoot, ...changedProof] = flip([leaf, root, ...proof], at);
        expect(verifyInclusion(changedLeaf!, index, size, changedProof, changedRoot!)).toBe(false);
        expect(verifyInclusion(leaf, index, size, [...proof, leaf], root)).toBe(false);
        expect(proof.length > 0 && verifyInclusion(leaf, index, size, proof.slice(1), root)).toBe(
          false,
        );
        const other = bit % size;
        expect(
          other !== index &&
            !leaves[other]!.equals(leaf) &&
            verifyInclusion(leaves[other]!, index, size, proof, root),
        ).toBe(false);
      }),
      { numRuns: 200 },
    );
  });

  it('accepts no consistency proof with a single bit or hash changed', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat(), fc.nat(), async (size, pick, bit) => {
        const older = 1 + (pick % size);
        const proof = await buildConsistencyProof(older, size, read);
        const [oldRoot, newRoot] = [roots[older]!, roots[size]!];
        const [changedOld, changedNew, ...changed] = flip(
          [oldRoot, newRoot, ...proof],
          bit % ((proof.length + 2) * 256),
        );
        expect(verifyConsistency(older, size, changed, changedOld!, changedNew!)).toBe(false);
        expect(verifyConsistency(older, size, [...proof, oldRoot], oldRoot, newRoot)).toBe(false);
      }),
      { numRuns: 200 },
    );
  });

  it('refuses what lies outside of the tree', async () => {
    await expect(buildInclusionProof(5, 5, read)).rejects.toThrow(RangeError);
    await expect(buildInclusionProof(-1, 5, read)).rejects.toThrow(RangeError);
    await expect(buildConsistencyProof(6, 5, read)).rejects.toThrow(RangeError);
    expect(Frontier.parse(3, Buffer.alloc(32))).toBeUndefined();
    expect(Frontier.parse(1, Buffer.alloc(33))).toBeUndefined();
    expect(verifyInclusion(leaves[0]!, 1, 1, [], roots[1]!)).toBe(false);
    expect(verifyConsistency(2, 1, [], roots[2]!, roots[1]!)).toBe(false);
  });
});

const sizes = fc.integer({ min: 1, max: most });

/** Returns copies of the hashes, each with one bit changed. */
function flip(hashes: readonly Buffer[], bit: number): Buffer[] {
  const copies = hashes.map((hash) => Buffer.from(hash));
  const hash = copies[Math.floor(bit / 256)]!;
  const at = Math.floor((bit % 256) / 8);
  hash[at] = hash[at]! ^ (1 << (bit % 8));
  return copies;
}
