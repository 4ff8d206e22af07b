export interface Checkpoint {
  readonly size: number;
  readonly root: Buffer;
}
export type Verdict = [code: number, sentence: string];
export function leafHash(salt: Uint8Array, body: string | Uint8Array): Buffer;
export class GrowingTree {
  readonly size: number;
  add(leaf: Buffer): void;
  root(): Buffer;
}
export function openCheckpoint(note: string, publicKey: string): Checkpoint | undefined;
/** `publicKeys` may be several keys, separated by white space; one of them must have signed the log. */
export function verifyExport(
  lines: AsyncIterable<string> | Iterable<string>,
  publicKeys: string,
  notes?: readonly string[],
): Promise<Verdict>;
export function verifyDatabase(
  file: string,
  publicKeys: string,
  notes?: readonly string[],
): Promise<Verdict>;
