import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';

/** A folder of its own for each test. */
export function folderForEach(take: (folder: string) => void): void {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'caregate-'));
    take(folder);
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });
}
