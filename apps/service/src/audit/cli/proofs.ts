import { ProvenTree, VerifierKey } from '@caregate/audit-log';
import type { AnyLogReader } from '../offline/open-log.ts';

/** @throws RangeError if the tree of the checkpoint has no such record */
export async function inclusionProof(reader: AnyLogReader, seq: number): Promise<object> {
  const { checkpoint, size, root, tree } = await signedTree(reader);
  if (seq >= size) {
    throw new RangeError(`The signed log has ${size} records: its last one is ${size - 1}.`);
  }
  const { hashes, leafHash } = await tree.inclusion(seq);
  return {
    ...{ log: reader.identity().origin, seq, size, leaf_hash: leafHash.toString('base64') },
    ...{ proof: texts(hashes), root: root.toString('base64'), checkpoint },
  };
}

export async function consistencyProof(
  reader: AnyLogReader,
  older: number,
  size: number,
): Promise<object> {
  const { tree } = await signedTree(reader);
  const { hashes, olderRoot, root } = await tree.consistency(older, size);
  return {
    log: reader.identity().origin,
    old: { size: older, root: olderRoot.toString('base64') },
    new: { size, root: root.toString('base64') },
    proof: texts(hashes),
  };
}

export async function signedTree(reader: AnyLogReader): Promise<{
  readonly checkpoint: string;
  readonly size: number;
  readonly root: Buffer;
  readonly tree: ProvenTree;
}> {
  const checkpoint = await reader.checkpoint();
  const { size, root } = VerifierKey.parse(reader.identity().verifierKey).open(checkpoint);
  return { checkpoint, size, root, tree: new ProvenTree(reader, { size, root }) };
}

function texts(hashes: readonly Buffer[]): string[] {
  return hashes.map((hash) => hash.toString('base64'));
}
