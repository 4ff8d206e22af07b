import { expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { caregateIn } from '../src/cli/caregate.testing.ts';
import { bin, newFolder } from './caregate.testing.ts';
import { createLongText, readStore, writePeople } from './import-faults.testing.ts';

it('an import that is killed in the middle of its writing leaves the store as it was', async () => {
  const folder = newFolder();
  const data = join(folder, 'data');
  const people = ['import', writePeople(folder), '--data', data];
  expect(await caregateIn({}, people)).toMatchObject({ code: 0 });
  const before = readStore(data);
  expect(before['users']!.length).toBeGreaterThan(5);
  const child = spawn(process.execPath, [bin, 'import', '-', '--data', data], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const killed = once(child, 'exit');
  const written = join(data, 'store.db-wal');
  // More than SQLite's page cache of 256 MB, so that uncommitted pages are on the disk when the process is killed.
  const lines = createLongText();
  let copies = 0;
  while (!(statSync(written, { throwIfNoEntry: false })?.size ?? 0)) {
    const renamed = lines.replaceAll(
      /("(?:(?:user|order)_id|order":\{"id)":")[0-9a-f]{8}/gu,
      (_all, key: string) => `${key}${copies.toString(16).padStart(8, '0')}`,
    );
    const unique = renamed.replaceAll('"client_user_id":"', `"client_user_id":"${copies}-`);
    if (!child.stdin.write(unique)) {
      await Promise.race([once(child.stdin, 'drain'), killed]);
    }
    expect(child.exitCode).toBeNull();
    copies += 1;
    await sleep(1);
  }
  child.stdin.on('error', () => undefined);
  child.kill('SIGKILL');
  await killed;
  expect(readStore(data)).toEqual(before);
  expect(await caregateIn({}, people)).toMatchObject({ code: 0 });
  expect(readStore(data)).toEqual(before);
});
