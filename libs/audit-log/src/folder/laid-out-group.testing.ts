import { hashEntries, joinGroup } from './group.ts';

/** A group without its seal, and the hashes of its leaves. */
export function layOutGroup(
  first: number,
  entries: readonly (readonly Uint8Array[])[],
): { readonly bytes: Buffer; readonly leaves: readonly Buffer[] } {
  const parts = entries.map((entry) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(entry.reduce((sum, part) => sum + part.length, 0));
    return Buffer.concat([length, ...entry]);
  });
  const bytes = joinGroup(
    first,
    parts.map((part) => ({ count: 1, bytes: part })),
  );
  return { bytes, leaves: hashEntries(bytes).map((leaf) => Buffer.from(leaf, 'latin1')) };
}
