import type { AnyLogReader } from '../offline/open-log.ts';

/** @throws RangeError if the tree of the checkpoint has no such record */
export async function inclusionText(
  reader: AnyLogReader,
  seq: number,
  checkpoint: string,
): Promise<string> {
  const size = sizeOf(checkpoint);
  if (seq >= size) {
    throw new RangeError(`The signed log has ${size} records: its last one is ${size - 1}.`);
  }
  return json({
    log: reader.identity().origin,
    seq,
    size,
    leaf_hash: (await reader.leaf(seq)).toString('base64'),
    proof: texts(await reader.inclusion(seq, size)),
    root: (await reader.root(size)).toString('base64'),
    checkpoint,
  });
}

export async function consistencyText(
  reader: AnyLogReader,
  older: number,
  size: number,
): Promise<string> {
  const proof = texts(await reader.consistency(older, size));
  return json({
    log: reader.identity().origin,
    old: { size: older, root: (await reader.root(older)).toString('base64') },
    new: { size, root: (await reader.root(size)).toString('base64') },
    proof,
  });
}

function sizeOf(checkpoint: string): number {
  return Number(checkpoint.split('\n')[1]);
}

function texts(hashes: readonly Buffer[]): string[] {
  return hashes.map((hash) => hash.toString('base64'));
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
