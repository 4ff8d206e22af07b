import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import { sampleEnvelopes } from '@caregate/sample-data';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { editLog } from '../audit/records.testing.ts';
import { commandFolder, type Ended } from '../cli/caregate.testing.ts';

const at = commandFolder('spec');
/** A data folder. Each test works on a copy of it. */
let source: string;
let folder: string;

const dayMs = 86_400_000;
const named = (daysAgo: number): string =>
  `${new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
const TODAY = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/u;

beforeAll(async () => {
  source = join(at.folder, 'source');
  const lines = Array.from(sampleEnvelopes({ users: 2 }), (each) => JSON.stringify(each));
  writeFileSync(join(at.folder, 'people.ndjson'), lines.join('\n'));
  const words = ['import', join(at.folder, 'people.ndjson'), '--data', source];
  expect(await at.caregate(...words)).toMatchObject({ code: 0 });
});

beforeEach(() => {
  rmSync(at.data, { recursive: true, force: true });
  cpSync(source, at.data, { recursive: true });
  folder = join(at.folder, 'backups');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  at.env = { CAREGATE_BACKUP_FOLDER: folder, CAREGATE_BACKUP_DAYS: '7' };
});

/** Fills the backup folder with copies that are too old, and with files that a backup must not remove. */
function fill(): { readonly old: readonly string[]; readonly others: readonly string[] } {
  const old = [named(400), named(8), `${named(9)}.part`];
  const others = [named(6), 'first', '2020-01-01', `x${named(400)}`];
  for (const name of [...old, ...others]) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'store.db'), '');
  }
  return { old, others };
}

const backUp = (): Promise<Ended> => at.caregate('backup');

it('names the copy by its time, then removes the copies that are too old and nothing else', async () => {
  const { old, others } = fill();
  const {
    folder: path,
    removed,
    same_disk: isSame,
  } = await at.json<{
    folder: string;
    removed: string[];
    same_disk: boolean;
  }>('backup');
  expect([removed.sort(), isSame]).toEqual([[...old].sort(), true]);
  const left = readdirSync(folder).filter((name) => !others.includes(name));
  expect(left).toEqual([expect.stringMatching(TODAY)]);
  expect(path).toBe(join(folder, left[0]!));
  expect(readdirSync(folder)).toEqual(expect.arrayContaining([...others]));
  const target = join(at.folder, 'restored');
  expect(await at.caregate('restore', path, '--data', target)).toMatchObject({ code: 0 });
  rmSync(target, { recursive: true });
});

it.each<[string, () => void, number, RegExp]>([
  [
    'the disk of the folder is not mounted',
    () => {
      at.env = { ...at.env, CAREGATE_BACKUP_FOLDER: join(folder, 'disk') };
    },
    2,
    /^CAREGATE_BACKUP_FOLDER: \S+ does not exist/u,
  ],
  [
    'the data is in PostgreSQL',
    () => {
      at.env = { ...at.env, DATABASE_URL: 'postgresql://caregate:secret@127.0.0.1/caregate' };
    },
    2,
    /is in PostgreSQL at 127\.0\.0\.1\/caregate\. Back up that database with pg_dump/u,
  ],
  [
    'the store is lost',
    () => {
      rmSync(join(at.data, 'store.db'));
    },
    2,
    /store\.db is missing, and the audit log has an import of .* caregate restore BACKUP/u,
  ],
  [
    'the store is damaged',
    () => {
      const file = join(at.data, 'store.db');
      const bytes = readFileSync(file);
      bytes.fill(0xa5, 4096, 4096 * 6);
      writeFileSync(file, bytes);
    },
    1,
    /./u,
  ],
])('removes nothing if %s', async (_, spoil, code, message) => {
  fill();
  spoil();
  const before = readdirSync(folder, { recursive: true });
  const ended = await backUp();
  expect([ended.code, ended.out]).toEqual([code, '']);
  expect(ended.err).toMatch(message);
  expect(readdirSync(folder, { recursive: true })).toEqual(before);
});

it('removes nothing if the audit log fails verification', async () => {
  const { old, others } = fill();
  editLog(at.data, `update audit_record set body = replace(body, '"allowed"', '"denied_"')`);
  const { code, err } = await backUp();
  expect([code, err]).toEqual([1, expect.stringMatching(/audit log/u)]);
  expect(readdirSync(folder)).toEqual(expect.arrayContaining([...old, ...others]));
});
