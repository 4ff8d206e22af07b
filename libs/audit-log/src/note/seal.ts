import { sign, verify, type KeyObject } from 'node:crypto';

/** The signed end of a group of records. */
export interface Seal {
  /** Number of the first record of the group, which is the size that the seal before has. */
  readonly first: number;
  /** Records in the log with this group. */
  readonly size: number;
  /** Root of the tree of that size. */
  readonly root: Buffer;
  /** Size of the newest checkpoint that was durable when the group was written. */
  readonly checkpointSize: number;
  /** Ed25519, 64 bytes. */
  readonly signature: Buffer;
}

/** First line of what a seal signs: nothing else that the key of a log signs begins with it. */
const label = 'caregate audit seal v1';

/** The tree that a seal signs. */
export type SealedTree = Omit<Seal, 'signature'>;

/** What is signed: label, origin, first record, size, root (base64) and size of the newest durable checkpoint, a line each. */
export function sealText(
  origin: string,
  { first, size, root, checkpointSize }: SealedTree,
): string {
  return `${label}\n${origin}\n${first}\n${size}\n${root.toString('base64')}\n${checkpointSize}\n`;
}

/** Signs the end of a group, with the private key of the log. */
export function signSeal(origin: string, tree: SealedTree, key: KeyObject): Seal {
  return { ...tree, signature: sign(null, Buffer.from(sealText(origin, tree)), key) };
}

/** Whether the seal is signed by the log of this name; `key` is its public key. */
export function isSealValid(origin: string, seal: Seal, key: KeyObject): boolean {
  return verify(null, Buffer.from(sealText(origin, seal)), key, seal.signature);
}
