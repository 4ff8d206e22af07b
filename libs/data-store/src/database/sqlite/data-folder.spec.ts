import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderError, makeFolder } from './data-folder.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-folder-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const onLinux = process.platform === 'linux' ? it : it.skip;

describe('makeFolder', () => {
  it('makes all folders that are missing, for their owner alone, and does nothing the second time', () => {
    const path = join(folder, 'a', 'b', 'c');
    makeFolder(path);
    makeFolder(path);
    for (const made of [path, join(folder, 'a', 'b'), join(folder, 'a')]) {
      expect(statSync(made).mode & 0o777).toBe(0o700);
    }
    makeFolder(`${join(folder, 'd', 'e')}/`);
    expect(statSync(join(folder, 'd', 'e')).isDirectory()).toBe(true);
  });

  onLinux('says where a file system takes no new folders', () => {
    expect(() => {
      makeFolder('/proc/caregate');
    }).toThrow(FolderError);
    expect(() => {
      makeFolder('/proc/caregate/data');
    }).toThrow('/proc/caregate cannot be created: folders cannot be created in /proc.');
  });
});
