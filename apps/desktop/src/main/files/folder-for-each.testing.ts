import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';

/** Gives each test its own temporary folder. */
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
