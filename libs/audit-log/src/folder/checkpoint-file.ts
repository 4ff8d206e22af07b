import type { Disk } from '../disk/disk.ts';
import { type Checkpoint, type VerifierKey } from '../note/checkpoint.ts';
import type { LogPaths } from './layout.ts';
import { refused } from './log-refused.ts';

export interface SignedCheckpoint extends Checkpoint {
  readonly note: string;
}

export function readCheckpoint(disk: Disk, paths: LogPaths, key: VerifierKey): SignedCheckpoint {
  const note = disk.read(paths.checkpoint)?.toString();
  if (note === undefined) {
    throw refused('checkpoint_missing');
  }
  try {
    const { origin, size, root } = key.open(note);
    return { origin, size, root, note };
  } catch (error) {
    const what = error instanceof Error ? error.message : 'it can not be read';
    throw refused('checkpoint_wrong', what);
  }
}
