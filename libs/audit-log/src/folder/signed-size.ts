import type { Disk } from '../disk/disk.ts';
import { type Checkpoint, type LogIdentity, LogKeys, VerifierKey } from '../note/checkpoint.ts';
import { isSealValid, type Seal } from '../note/seal.ts';
import { parseGroup, type Group } from './group.ts';
import type { LogPaths } from './layout.ts';
import { readLogFile } from './log-file.ts';
import { signingKey } from './log-key.ts';
import { StoredRecords } from './stored-records.ts';

interface Signed {
  readonly checkpoint: Checkpoint | undefined;
  readonly seal: Seal | undefined;
}

/** Tries `publicKey`, else the signing key; last the key that `log` names: whoever writes the folder may have written it. */
export function signedSize(
  disk: Disk,
  paths: LogPaths,
  publicKey: VerifierKey | undefined,
): { readonly size: number; readonly details: Readonly<Record<string, string | number>> } {
  const named = identityOf(disk, paths);
  const note = disk.read(paths.checkpoint)?.toString();
  const notes = note === undefined ? [] : [note];
  const own = signingKey(disk.read(paths.key) ?? Buffer.alloc(0));
  const origins = [named?.origin ?? [], notes.map((note) => note.split('\n')[0] ?? '')].flat();
  const trusted = publicKey
    ? [publicKey]
    : own
      ? origins.map((name) => VerifierKey.of(name, own))
      : [];
  const keys = [
    ...trusted.map((key) => ({ key, from: publicKey ? 'public key given' : 'audit-key.pem' })),
    ...(named ? [{ key: VerifierKey.parse(named.verifierKey), from: 'audit/log' }] : []),
  ];
  const all = keys.map((each) => ({ ...each, ...signedBy(disk, paths, { notes, key: each.key }) }));
  const found = all.find(({ checkpoint, seal }) => checkpoint ?? seal) ?? all[0];
  if (found === undefined) {
    return { size: 0, details: {} };
  }
  const { key, from, checkpoint, seal } = found;
  return {
    size: Math.max(checkpoint?.size ?? 0, seal?.size ?? 0),
    details: {
      old_public_key: key.text,
      proved_with: from,
      ...(checkpoint && {
        checkpoint_size: checkpoint.size,
        checkpoint_root: checkpoint.root.toString('base64'),
      }),
      ...(seal && { sealed_size: seal.size, sealed_root: seal.root.toString('base64') }),
    },
  };
}

function signedBy(
  disk: Disk,
  paths: LogPaths,
  { notes, key }: { readonly notes: readonly string[]; readonly key: VerifierKey },
): Signed {
  const checkpoints = notes.flatMap((note) => key.tryOpen(note) ?? []);
  const [checkpoint] = checkpoints.sort((one, other) => other.size - one.size);
  const records = new StoredRecords(disk, paths.records, key.name.slice(-12));
  return { checkpoint, seal: lastSeal(records, key.name, checkpoint?.keys ?? LogKeys.of(key)) };
}

function lastSeal(records: StoredRecords, origin: string, keys: LogKeys): Seal | undefined {
  for (const segment of records.segments().reverse()) {
    const groups = Array.from(records.groupsOf(segment, segment.first), ({ bytes }) =>
      parseGroup(bytes),
    );
    const last = groups.findLast(
      (group): group is Group =>
        group !== undefined && isSealValid(origin, group.seal, keys.sealing(group.seal)),
    );
    if (last !== undefined) {
      return last.seal;
    }
  }
  return undefined;
}

function identityOf(disk: Disk, paths: LogPaths): LogIdentity | undefined {
  try {
    return readLogFile(disk, paths);
  } catch {
    return undefined;
  }
}
