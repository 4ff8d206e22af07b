import { ProcessStopped } from './simulated-disk.testing.ts';
import type { Disk, DiskFile } from './disk.ts';
import { nodeDisk } from './node-disk.ts';

/**
 * The disk of this machine for a process that is killed at a call, counted from 1: that call does nothing, or, where it
 * appends, half of it, and so do all that come after it.
 */
export function stoppingDisk(stopAt: number): Disk {
  let calls = 0;
  const call = <T>(effect: () => T, inPart?: () => void): T => {
    calls += 1;
    if (calls === stopAt) {
      inPart?.();
    }
    if (calls >= stopAt) {
      throw new ProcessStopped(`The process was stopped at call ${stopAt}`);
    }
    return effect();
  };
  const file = (opened: DiskFile): DiskFile => ({
    size: () => call(() => opened.size()),
    read: (at, length, into) => call(() => opened.read(at, length, into)),
    append: (bytes) => {
      const half = bytes.subarray(0, bytes.length / 2);
      call(
        () => {
          opened.append(bytes);
        },
        () => {
          opened.append(half);
        },
      );
    },
    reserve: (bytes) => {
      call(() => {
        opened.reserve(bytes);
      });
    },
    sync: () => {
      call(() => {
        opened.sync();
      });
    },
    truncate: (size) => {
      call(() => {
        opened.truncate(size);
      });
    },
    // A process that ends closes its files.
    close: () => {
      opened.close();
    },
  });
  return {
    open: (path) => call(() => file(nodeDisk.open(path))),
    create: (path) => call(() => file(nodeDisk.create(path))),
    read: (path) => call(() => nodeDisk.read(path)),
    list: (folder) => call(() => nodeDisk.list(folder)),
    makeFolder: (folder) => {
      call(() => {
        nodeDisk.makeFolder(folder);
      });
    },
    rename: (from, to) => {
      call(() => {
        nodeDisk.rename(from, to);
      });
    },
    remove: (path) => {
      call(() => {
        nodeDisk.remove(path);
      });
    },
    syncFolder: (folder) => {
      call(() => {
        nodeDisk.syncFolder(folder);
      });
    },
  };
}
