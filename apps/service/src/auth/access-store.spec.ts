import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { AccessStore } from './access-store.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-access-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function openFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${descriptor}`);
      return file.startsWith(folder) ? [file] : [];
    } catch {
      return [];
    }
  });
}

const onLinux = process.platform === 'linux' ? it : it.skip;

describe('opening the access data', () => {
  it('makes a folder that is missing, and a file, for their owner alone', async () => {
    const data = join(folder, 'data');
    const store = await AccessStore.open(data);
    await store.close();
    expect(statSync(data).mode & 0o777).toBe(0o700);
    expect(statSync(join(data, 'access.db')).mode & 0o777).toBe(0o600);
  });

  onLinux('leaves nothing open where a newer program wrote it', async () => {
    const store = await AccessStore.open(folder);
    expect(openFiles()).not.toEqual([]);
    await store.close();
    const file = new DatabaseSync(join(folder, 'access.db'));
    file.exec("insert into kysely_migration values ('999-later', '2030-01-01')");
    file.close();
    await expect(AccessStore.open(folder)).rejects.toThrow('newer version of Caregate');
    expect(openFiles()).toEqual([]);
  });
});
