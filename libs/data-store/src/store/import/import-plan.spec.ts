import { expect, it, jest } from '@jest/globals';
import { sampleEnvelopes } from '@caregate/sample-data';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteForWriting, getStoreFile } from '../open-store.ts';
import { importEnvelopes } from './import.ts';
import { ImportWriter } from './import-writer.ts';

it('looks up every record of an import by an index, however many a team has', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'caregate-plan-'));
  const prepare = jest.spyOn(DatabaseSync.prototype, 'prepare');
  const writer = new ImportWriter(await openSqliteForWriting(folder));
  for (let round = 0; round < 2; round += 1) {
    await importEnvelopes(writer, 'people', [...sampleEnvelopes({ users: 3 })]);
  }
  await writer.close();
  const statements = new Set(prepare.mock.calls.map(([statement]) => statement.trim()));
  prepare.mockRestore();
  const lookups = [...statements].filter((text) => /^select\b.*\bwhere\b/su.test(text));
  expect(lookups.length).toBeGreaterThan(8);
  const db = new DatabaseSync(getStoreFile(folder), { readOnly: true });
  const steps = lookups.flatMap((text) =>
    db
      .prepare(`explain query plan ${text}`)
      .all()
      .map(({ detail }) => `${String(detail)}: ${text}`),
  );
  db.close();
  rmSync(folder, { recursive: true });
  // A team has one row of totals; one of its people is enough to know the numbers of a team.
  const wide =
    /^SCAN (?!.*(?:VALUES CLAUSE|CONSTANT ROW))|^(?!SEARCH (?:order_totals|people USING COVERING INDEX))[^:]*\(team_id=\?\):/u;
  expect(steps.filter((step) => wide.test(step))).toEqual([]);
});
