import { basename, join } from 'node:path';
import type { Disk } from '../../disk/disk.ts';
import {
  formatVerifierKey,
  openCheckpoint,
  publicKeyOf,
  type Checkpoint,
  type VerifierKey,
} from '../../note/checkpoint.ts';
import { isSealValid, type Seal } from '../../note/seal.ts';
import { sha256 } from '../../tree/tree.ts';
import { parseGroup } from '../group.ts';
import type { LogPaths } from '../layout.ts';
import { listSegments } from '../segments.ts';
import { StoredRecords } from '../stored-records.ts';

const logIdLength = 12;

/** What a refused log says of its size, as far as a key signed it. */
export interface SignedSizes {
  /** The key that signed them. */
  readonly key: VerifierKey;
  /** The newest, with or without cosignatures. */
  readonly checkpoint: Checkpoint | undefined;
  /** The highest valid one, whether or not all before it is there. */
  readonly seal: Seal | undefined;
  /** Records in all whole groups; nobody signed this. */
  readonly there: number;
}

/** Reads what this key signed of the log that it names. */
export function signedSizes(disk: Disk, paths: LogPaths, key: VerifierKey): SignedSizes {
  const checkpoint = [paths.checkpoint, paths.witnessed]
    .map((path) => checkpointIn(disk.read(path)?.toString(), key))
    .reduce((one, other) => ((other?.size ?? -1) > (one?.size ?? -1) ? other : one), undefined);
  const publicKey = publicKeyOf(key);
  const records = new StoredRecords(disk, paths.records, key.name.slice(-logIdLength));
  let seal: Seal | undefined;
  let there = 0;
  try {
    for (const { bytes } of records.groups(0)) {
      const group = parseGroup(bytes);
      there += group?.entries.length ?? 0;
      if (
        group !== undefined &&
        group.seal.size > (seal?.size ?? 0) &&
        isSealValid(key.name, group.seal, publicKey)
      ) {
        seal = { ...group.seal, root: Buffer.from(group.seal.root) };
      }
    }
  } finally {
    records.close();
  }
  return { key, checkpoint, seal, there };
}

/** Records that the log had as far as it is known. */
export function knownSize({ checkpoint, seal, there }: SignedSizes): number {
  return Math.max(checkpoint?.size ?? 0, seal?.size ?? 0) || there;
}

/** For the record of the break: absent where nothing valid is there. */
export function sizeDetails(sizes: SignedSizes): Record<string, string | number> {
  const { key, checkpoint, seal } = sizes;
  return {
    sizes_signed_by: formatVerifierKey(key),
    old_size: knownSize(sizes),
    ...(checkpoint && {
      checkpoint_size: checkpoint.size,
      checkpoint_root: checkpoint.root.toString('base64'),
    }),
    ...(seal && { sealed_size: seal.size, sealed_root: seal.root.toString('base64') }),
  };
}

/** SHA-256 (hexadecimal) of what `sha256sum checkpoint log records/* witnessed` prints in the folder, of files that are there. */
export function heldDigest(disk: Disk, heldIn: string): string {
  const records = listSegments(disk, join(heldIn, 'records')).map(
    ({ path }) => `records/${basename(path)}`,
  );
  const lines = ['checkpoint', 'log', ...records, 'witnessed'].flatMap((name) => {
    const bytes = disk.read(join(heldIn, name));
    return bytes === undefined ? [] : [`${sha256(bytes).toString('hex')}  ${name}\n`];
  });
  return sha256(Buffer.from(lines.join(''))).toString('hex');
}

function checkpointIn(note: string | undefined, key: VerifierKey): Checkpoint | undefined {
  try {
    return note === undefined ? undefined : openCheckpoint(note, key);
  } catch {
    return undefined;
  }
}
