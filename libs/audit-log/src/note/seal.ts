import { sign, verify, type KeyObject } from 'node:crypto';

/** The signed end of a group of records. */
export interface Seal {
  readonly first: number;
  readonly size: number;
  readonly root: Buffer;
  /** Size of the newest durable checkpoint when the group was written. */
  readonly checkpointSize: number;
  readonly signature: Buffer;
}

/** No other text signed by the key of a log begins with it. */
const label = 'caregate audit seal v1';

export type SealedTree = Omit<Seal, 'signature'>;

export function sealText(
  origin: string,
  { first, size, root, checkpointSize }: SealedTree,
): string {
  return `${label}\n${origin}\n${first}\n${size}\n${root.toString('base64')}\n${checkpointSize}\n`;
}

export function signSeal(origin: string, tree: SealedTree, key: KeyObject): Seal {
  return { ...tree, signature: sign(null, Buffer.from(sealText(origin, tree)), key) };
}

export function isSealValid(
  origin: string,
  seal: Seal,
  { publicKey }: { readonly publicKey: KeyObject },
): boolean {
  return verify(null, Buffer.from(sealText(origin, seal)), publicKey, seal.signature);
}
