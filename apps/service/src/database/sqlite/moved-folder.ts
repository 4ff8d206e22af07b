import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FolderError } from './make-folder.ts';

/** Of a data folder whose data is in a database now: says which, as `host:port/database`. */
const markerFile = 'moved-to-database';

export function movedMarker(dataFolder: string): string {
  return join(dataFolder, markerFile);
}

/** Where the data of a folder was moved to, as `host:port/database`; undefined where it is still there. */
export function movedTo(dataFolder: string): string | undefined {
  const file = movedMarker(dataFolder);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

/**
 * A folder that was moved must not be served any more, or its log would grow in two places.
 *
 * @throws FolderError
 */
export function requireNotMoved(dataFolder: string): void {
  const to = movedTo(dataFolder);
  if (to !== undefined) {
    throw new FolderError(
      `The data of ${dataFolder} was moved to PostgreSQL at ${to}: set DATABASE_URL to its address.`,
    );
  }
}
