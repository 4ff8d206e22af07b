import * as ours from '@caregate/audit-log';
import { flag, report } from './command.ts';

// Roots and proofs of our tree compared with the independent verifier's, at every size and every place.
interface Theirs {
  readonly treeRoot: (leaves: readonly Buffer[]) => Buffer;
  readonly inclusionProof: (index: number, leaves: readonly Buffer[]) => Buffer[];
  readonly consistencyProof: (older: number, leaves: readonly Buffer[]) => Buffer[];
}
const verifier = new URL('../../audit-verifier/src/verify.mjs', import.meta.url).href;
const theirs = (await import(verifier)) as Theirs;

const most = flag('sizes', 1024);
// Theirs hashes the whole list for each proof, so that places are taken in steps; 1 takes all, for hours.
const step = flag('step', 97);
const leaves = Array.from({ length: most }, (_, at) =>
  ours.leafHash(Buffer.alloc(16, at % 251), Buffer.from(String(at))),
);
const nodes = new Map<string, Buffer>();
const read: ours.NodeReader = (level, index) =>
  (level === 0 ? leaves[index] : nodes.get(`${level}/${index}`)) as Buffer;
const roots: Buffer[] = [];
const tree = new ours.Frontier();
const figures = { sizes: 0, proofs: 0, different: 0, 'not verified': 0 };

for (let size = 0; size <= most; size += 1) {
  const of = leaves.slice(0, size);
  const root = tree.root();
  roots.push(root);
  compare([root], [theirs.treeRoot(of)]);
  figures.sizes += 1;
  for (let at = size % step; at < size; at += step) {
    const inclusion = ours.inclusionProof(at, size, read);
    const consistency = ours.consistencyProof(at, size, read);
    compare(inclusion, theirs.inclusionProof(at, of));
    compare(consistency, theirs.consistencyProof(at, of));
    figures.proofs += 2;
    const holds =
      ours.verifyInclusion(leaves[at] as Buffer, at, size, inclusion, root) &&
      ours.verifyConsistency(at, size, consistency, roots[at] as Buffer, root);
    figures['not verified'] += holds ? 0 : 1;
  }
  if (size < most) {
    tree.append(leaves[size] as Buffer, (level, index, hash) =>
      nodes.set(`${level}/${index}`, hash),
    );
  }
}
report(figures, figures.different === 0 && figures['not verified'] === 0);

function compare(one: readonly Buffer[], other: readonly Buffer[]): void {
  const isSame =
    one.length === other.length && one.every((hash, at) => hash.equals(other[at] as Buffer));
  figures.different += isSame ? 0 : 1;
}
