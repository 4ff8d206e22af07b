import { dirname, join } from 'node:path';
import type { Disk } from '../disk/disk.ts';
import { createAnew } from '../disk/whole-file.ts';
import type { LogSource } from '../log-source.ts';
import { tilesOf } from '../tree/tile-path.ts';
import { tileBytes, tilePath } from '../tree/tiles.ts';

/**
 * Writes a checkpoint and all tiles of its tree as static files (C2SP tlog-tiles).
 *
 * @param folder an absolute path; must be empty
 * @throws AuditBrokenError if a hash is missing
 */
export async function writeTiles(
  source: LogSource,
  checkpoint: string,
  disk: Disk,
  folder: string,
  onProgress?: (tiles: number, of: number) => void,
): Promise<void> {
  const made = new Set([folder]);
  const makeFolder = (path: string): void => {
    if (!made.has(path)) {
      makeFolder(dirname(path));
      disk.makeFolder(path);
      made.add(path);
    }
  };
  const tiles = [...tilesOf(Number(checkpoint.split('\n')[1]))];
  for (const [done, { level, index, width }] of tiles.entries()) {
    const path = join(folder, tilePath(level, index, width));
    makeFolder(dirname(path));
    const tile = await source.withNodes((read) => tileBytes(read, level, index, width));
    createAnew(disk, path, tile);
    onProgress?.(done + 1, tiles.length);
  }
  createAnew(disk, join(folder, 'checkpoint'), Buffer.from(checkpoint));
}
