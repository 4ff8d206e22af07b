import { expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bin, newFolder } from './caregate.testing.ts';
import { createLongText, readStore, writePeople } from './import-faults.testing.ts';

// A small disk for this test needs a mount namespace, which only Linux has.
const namespaces = spawnSync('unshare', ['--map-root-user', '--mount', 'true']).status === 0;

(namespaces ? it : it.skip)('an import that fills the disk leaves the store as it was', () => {
  const folder = newFolder();
  const [mount, large] = [join(folder, 'small'), join(folder, 'large.ndjson')];
  mkdirSync(mount);
  writeFileSync(large, createLongText());
  // The tmpfs exists only in its mount namespace, so the imports run in it.
  const script = `
    mount -t tmpfs -o size=4m tmpfs "$1" || exit 91
    node="$0"; data="$1/data"; caregate="$2"
    "$node" "$caregate" import "$3" --data "$data" || exit 90
    cp -r "$data" "$5/before"
    "$node" "$caregate" import "$4" --data "$data"; echo "exit $?"
    cp -r "$data" "$5/after"`;
  const inside = ['-c', script, process.execPath, mount, bin, writePeople(folder), large, folder];
  const words = ['--map-root-user', '--mount', 'sh', ...inside];
  const { status, stdout, stderr } = spawnSync('unshare', words, { encoding: 'utf8' });
  expect({ status, stderr }).toMatchObject({ status: 0 });
  expect(stdout).toContain('exit 1');
  expect(stderr).toMatch(/large\.ndjson: (?:The disk is full|Disk read or write error)/u);
  expect(stderr).toContain('the store is unchanged');
  const before = readStore(join(folder, 'before'));
  expect(before['users']!.length).toBeGreaterThan(5);
  expect(readStore(join(folder, 'after'))).toEqual(before);
});
