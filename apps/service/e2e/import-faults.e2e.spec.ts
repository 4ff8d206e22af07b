import { beforeEach, describe, expect, it } from '@jest/globals';
import { otherTeamId, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { caregateIn, type Ended } from '../src/cli/caregate.testing.ts';
import { bin, newFolder } from './caregate.testing.ts';

const TABLES = [
  'users',
  'user_totals',
  'order_totals',
  'lab_results',
  'insurances',
  'mindfulness_minutes',
  'mindfulness_sources',
];

// A small disk for this test needs a mount namespace, which only Linux has.
const namespaces = spawnSync('unshare', ['--map-root-user', '--mount', 'true']).status === 0;
const itWithNamespaces = namespaces ? it : it.skip;

let folder: string;

beforeEach(() => {
  folder = newFolder();
});

function linesOf(users: number, teamId = otherTeamId): string[] {
  const created = sampleEnvelopes({ users, teamId });
  return Array.from(created, (envelope) => JSON.stringify(envelope));
}

/** Returns people with long unknown fields, which the store keeps: few people fill a page cache or a small disk. */
function longTextOf(users: number): string {
  const field = (name: string): string => `"${name}":"${'x'.repeat(50_000)}",`;
  const filler = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8'].map(field).join('');
  return `${linesOf(users).join('\n').replaceAll('"client_user_id":', `${filler}"client_user_id":`)}\n`;
}

/** Writes the named people of the sample to a file. */
function peopleFile(): string {
  const file = join(folder, 'people.ndjson');
  writeFileSync(file, `${linesOf(10, sampleTeamId).join('\n')}\n`);
  return file;
}

/** Imports in this process. Tests that kill it or fill its disk start another process. */
function runImport(...words: string[]): Promise<Ended> {
  return caregateIn({}, ['import', ...words]);
}

/** Returns every row of every table in order of the table. */
function contents(data: string): Record<string, unknown[]> {
  const db = new DatabaseSync(join(data, 'store.db'), { timeout: 30_000 });
  try {
    expect(db.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
    return Object.fromEntries(
      TABLES.map((table) => [table, db.prepare(`select * from ${table}`).all()]),
    );
  } finally {
    db.close();
  }
}

/** Creates a store with the named people, and returns its contents. */
async function filledStore(
  data = join(folder, 'data'),
): Promise<{ data: string; before: Record<string, unknown[]> }> {
  const file = peopleFile();
  expect(await runImport(file, '--data', data)).toMatchObject({ code: 0 });
  const before = contents(data);
  expect(before['users']!.length).toBeGreaterThan(5);
  return { data, before };
}

describe('the store is unchanged', () => {
  // Only in the long tier, since it writes more than SQLite's page cache of 256 MB.
  const inLongTier = process.env['TIER'] === 'long' ? it : it.skip;
  inLongTier('when the import is killed in the middle of its writing', async () => {
    const { data, before } = await filledStore();
    const child = spawn(process.execPath, [bin, 'import', '-', '--data', data], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const killed = once(child, 'exit');
    const written = join(data, 'store.db-wal');
    // More than the page cache, so that uncommitted pages are on the disk when the process is killed.
    const lines = longTextOf(15);
    let copies = 0;
    while (!(statSync(written, { throwIfNoEntry: false })?.size ?? 0)) {
      const renamed = lines.replaceAll(
        /("(?:(?:user|order)_id|order":\{"id)":")[0-9a-f]{8}/gu,
        (_all, key: string) => {
          return `${key}${copies.toString(16).padStart(8, '0')}`;
        },
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
    expect(contents(data)).toEqual(before);
    expect((await runImport(peopleFile(), '--data', data)).code).toBe(0);
    expect(contents(data)).toEqual(before);
  });

  itWithNamespaces('when the disk is full', async () => {
    const mount = join(folder, 'small');
    mkdirSync(mount);
    const small = `mount -t tmpfs -o size=4m tmpfs "$1" && shift && exec "$@"`;
    const file = join(folder, 'large.ndjson');
    writeFileSync(file, longTextOf(15));
    const people = peopleFile();
    // The tmpfs exists only in its mount namespace, so the imports and the check run in it.
    const script = `
      node="$0"; data="$1/data"; caregate="$2"; people="$3"; large="$4"
      "$node" "$caregate" import "$people" --data "$data" || exit 90
      "$node" "$caregate" import "$large" --data "$data"; echo "exit $?"
      cp -r "$data" "$5"`;
    const copy = join(folder, 'copy');
    const inside = ['-c', script, process.execPath, mount, bin, people, file, copy];
    const { status, stdout, stderr } = spawnSync(
      'unshare',
      ['--map-root-user', '--mount', 'sh', '-c', small, 'sh', mount, 'sh', ...inside],
      { encoding: 'utf8' },
    );
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(stdout).toContain('exit 1');
    expect(stderr).toMatch(/large\.ndjson: (?:The disk is full|Disk read or write error)/u);
    expect(stderr).toContain('the store is unchanged');
    const { before } = await filledStore(join(folder, 'other'));
    // Each import has its own random number.
    const toText = (all: typeof before): string =>
      JSON.stringify(all).replaceAll(/"changed_in":\d+/gu, '');
    expect(toText(contents(copy))).toBe(toText(before));
  });
});

it('skips lines that are not valid where it is asked to, into a file for its owner', async () => {
  const { data } = await filledStore();
  const [first = '', ...rest] = linesOf(3);
  const file = join(folder, 'mixed.ndjson');
  const wrong = first.replace(/"created_on":"[^"]*"/u, '"created_on":"yesterday"');
  writeFileSync(file, `${first}\n${wrong}\n${rest.join('\n')}\n`);
  expect((await runImport(file, '--data', data)).code).toBe(2);
  const skipped = join(folder, 'refused.ndjson');
  const again = (): Promise<Ended> => runImport(file, '--data', data, '--skip-invalid', skipped);
  expect((await again()).code).toBe(0);
  expect(statSync(skipped).mode & 0o777).toBe(0o600);
  expect((await again()).out).toMatch(/unchanged/u);
});
