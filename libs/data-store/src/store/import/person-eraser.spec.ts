import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { newDatabase } from '@caregate/postgres';
import type { ImportEnvelope } from '@caregate/domain';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { bytes, onEachEngine } from '../store.testing.ts';
import type { ImportReport } from './import-types.ts';
import { importEnvelopes } from './import.ts';
import { openPostgresForWriting, openSqliteForWriting, openSqliteStore } from '../open-store.ts';
import { ImportWriter } from '../import/import-writer.ts';
import { PersonEraser } from '../import/person-eraser.ts';

const everybody = Array.from(sampleEnvelopes({ users: 8 }), (line) => JSON.stringify(line));
const { user_id: amara } = (JSON.parse(everybody[0] ?? '') as { user: { user_id: string } }).user;
const others = everybody.filter((line) => !line.includes(amara));

/** Values that only the erased person has, in each line about her. */
const CANARIES = ['zqcanary', '9998887766'];

/** Returns a version of her lines. Version 1 is longer, so that version 2 leaves free pages with old content. */
function linesOfHer(version: number): string[] {
  return everybody
    .filter((line) => line.includes(amara))
    .map((line) =>
      line
        .replaceAll(/amara/giu, `Zqcanary${version}`)
        .replaceAll('MRN-000101', 'ZQCANARY-101')
        .replaceAll('14 Larkspur Hollow', 'Zqcanary '.repeat(version === 1 ? 1500 : 1))
        .replaceAll('2125550123', '9998887766')
        .replaceAll('"result":"', `"result":"zqcanary${version} `),
    );
}

async function imports(writer: ImportWriter, lines: readonly string[]): Promise<ImportReport> {
  const envelopes = lines.map((line) => JSON.parse(line) as ImportEnvelope);
  return await importEnvelopes(writer, 'spec', envelopes);
}

function canariesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .flatMap(({ parentPath, name }) => {
      const text = readFileSync(join(parentPath, name)).toString('latin1').toLowerCase();
      return CANARIES.filter((canary) => text.includes(canary)).map((one) => `${name}: ${one}`);
    });
}

const person = { team_id: bytes(sampleTeamId), user_id: bytes(amara) };
const done = (): Promise<void> => Promise.resolve();
const gone = expect.stringContaining('was erased from this store');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-eraser-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

onEachEngine((withStore) => {
  it('an erased person leaves a store as if they had never been there, and is refused from then on', async () => {
    await withStore(async ({ writer, open, rows }) => {
      const eraser = new PersonEraser(await open());
      await imports(writer, others);
      const without = await rows();
      await imports(writer, linesOfHer(1));
      await imports(writer, linesOfHer(2));
      const stored = await eraser.read(person);
      expect(stored?.versions).not.toEqual([]);
      const withHer = await rows();
      const refusal = new Error('not recorded');
      await expect(eraser.erase(person, () => Promise.reject(refusal))).rejects.toBe(refusal);
      expect(await rows()).toEqual(withHer);
      expect(await eraser.excludeErased([person])).toEqual([person]);

      expect(await eraser.erase(person, done)).toBe(true);
      expect(await rows()).toEqual(without);
      expect(await eraser.excludeErased([person])).toEqual([]);
      expect(await eraser.countPeople(person.team_id)).toBe(7);
      expect(await eraser.read(person)).toBeUndefined();
      expect(await eraser.erase(person, done)).toBe(false);

      const [user, info] = linesOfHer(3) as [string, string];
      const again = await imports(writer, [...others, user, info]);
      expect(again).toMatchObject({ imported: false, refused: { count: 2 } });
      expect(again.refused.first.map(({ reasons }) => reasons)).toEqual([
        [{ path: 'user.user_id', message: gone }],
        [{ path: 'user_id', message: gone }],
      ]);
      // Other people of the team are still imported.
      expect(await imports(writer, others)).toMatchObject({ imported: true });
      expect(await rows()).toEqual(without);
      await eraser.close();
    });
  });
});

it('no byte of an erased person is in a data folder, beside a service that had read them', async () => {
  const writer = new ImportWriter(await openSqliteForWriting(folder));
  await imports(writer, others);
  await imports(writer, linesOfHer(1));
  await imports(writer, linesOfHer(2));
  const service = await openSqliteStore(folder);
  const shown = await service.getUserInfo(sampleTeamId, amara);
  expect(JSON.stringify(shown)).toContain('Zqcanary2');
  expect(canariesIn(folder)).not.toEqual([]);
  const eraser = new PersonEraser(await openSqliteForWriting(folder));
  await eraser.erase(person, done);
  await eraser.scrub();
  expect(canariesIn(folder)).toEqual([]);
  expect(await imports(writer, others)).toMatchObject({ imported: true });
  await Promise.all([service.close(), writer.close(), eraser.close()]);
  expect(canariesIn(folder)).toEqual([]);
});

it("no byte of an erased person is in PostgreSQL's tables and statistics after a full vacuum", async () => {
  const databaseUrl = await newDatabase();
  const writer = new ImportWriter(await openPostgresForWriting(databaseUrl, 0));
  await imports(writer, others);
  await imports(writer, linesOfHer(1));
  await imports(writer, linesOfHer(2));
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const { rows } = await client.query<{ folder: string }>(
    `select current_setting('data_directory') || '/base/' || oid as folder
     from pg_database where datname = current_database()`,
  );
  const base = rows[0]?.folder ?? '';
  await client.query('analyze; checkpoint');
  expect(canariesIn(base)).not.toEqual([]);
  const eraser = new PersonEraser(await openPostgresForWriting(databaseUrl, 0));
  await eraser.erase(person, done);
  await eraser.scrub();
  await client.query('vacuum full');
  await client.query('checkpoint');
  expect(canariesIn(base)).toEqual([]);
  await Promise.all([client.end(), writer.close(), eraser.close()]);
});
