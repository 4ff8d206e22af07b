export interface Checkpoint {
  readonly size: number;
  readonly root: Buffer;
}
export function leafHash(salt: Uint8Array, body: string | Uint8Array): Buffer;
export function treeRoot(leaves: readonly Buffer[]): Buffer;
export function inclusionProof(index: number, leaves: readonly Buffer[]): Buffer[];
export function consistencyProof(older: number, leaves: readonly Buffer[]): Buffer[];
export class GrowingTree {
  readonly size: number;
  add(leaf: Buffer): void;
  root(): Buffer;
}
export function openCheckpoint(note: string, publicKey: string): Checkpoint | undefined;
export function verifyExport(
  lines: AsyncIterable<string> | Iterable<string>,
  publicKey: string,
  oldNotes?: readonly string[],
): Promise<[code: number, sentence: string]>;
