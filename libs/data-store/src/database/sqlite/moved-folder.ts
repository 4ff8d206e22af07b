import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FolderError } from './make-folder.ts';

/** Contains the destination as `host:port/database`. */
const markerFile = 'moved-to-database';

export function movedMarker(dataFolder: string): string {
  return join(dataFolder, markerFile);
}

/** The database that has the data of a folder, as `host:port/database`; undefined if it was not moved. */
export function movedTo(dataFolder: string): string | undefined {
  const file = movedMarker(dataFolder);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

/** A moved folder must not be served: its log would grow in two places. @throws FolderError */
export function requireNotMoved(dataFolder: string): void {
  const to = movedTo(dataFolder);
  if (to !== undefined) {
    throw new FolderError(
      `The data of ${dataFolder} was moved to PostgreSQL at ${to}: set DATABASE_URL to that database.`,
    );
  }
}
