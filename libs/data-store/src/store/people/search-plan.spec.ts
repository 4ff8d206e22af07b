import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleEnvelopes } from '@caregate/sample-data';
import { importEnvelopes } from '../import/import.ts';
import { parsePeopleQuery } from '../../people/people-query.ts';
import { teamA } from '../store.testing.ts';
import { openSqliteForWriting, openSqliteStore, storeFile } from '../open-store.ts';
import { ImportWriter } from '../import/import-writer.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-plan-'));
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

describe('a search in SQLite', () => {
  it('reads the index of people first, and then only who is in it: no list of a team is read through', async () => {
    const store = await openSqliteStore(folder);
    const prepared = jest.spyOn(DatabaseSync.prototype, 'prepare');
    for (const text of ['amara', 'amara okonkwo', '1986-04-12', '555-0101', 'MRN-000101']) {
      const query = parsePeopleQuery(text);
      if ('reason' in query) {
        throw new Error(query.reason);
      }
      await store.searchPeople(teamA, { query, limit: 8, labs: true });
      const after = { bySound: false, after: 1 };
      await store.peopleNamed(teamA, { query, after, limit: 8, labs: true });
    }
    const page = { key: 'created_at', direction: 'desc', page: 1, size: 10 } as const;
    for (const asked of [{ patientName: 'okonk' }, { searchInput: '1986-04-12' }]) {
      await store.orders(teamA, { ...page, ...asked });
    }
    const statements = new Set(prepared.mock.calls.map(([statement]) => statement));
    await store.close();
    const searches = [...statements].filter((statement) => statement.includes('people_index'));
    expect(searches.length).toBeGreaterThanOrEqual(3);
    const lists = [...statements].filter((statement) => statement.includes('order_totals'));
    const raw = new DatabaseSync(storeFile(folder), { readOnly: true });
    for (const statement of lists) {
      const plan = raw.prepare(`explain query plan ${statement}`).all();
      const steps = plan.map(({ detail }) => String(detail)).join('\n');
      expect(steps).toMatch(
        /SEARCH orders USING COVERING INDEX orders_of_user \(team_id=\? AND user_id=\?\)/u,
      );
      expect(steps).not.toContain('USING COVERING INDEX orders_by');
    }
    for (const statement of searches) {
      const plan = raw.prepare(`explain query plan ${statement}`).all();
      const steps = plan.map(({ detail }) => String(detail)).join('\n');
      // FTS5 searches (M) between two row ids (> and <), and returns them in order.
      expect(steps).toMatch(/SCAN found VIRTUAL TABLE INDEX \d+:M1><\n/u);
      expect(steps).toMatch(/SEARCH people USING INTEGER PRIMARY KEY/u);
      expect(steps).not.toMatch(/SCAN (?:people|orders|users)\b/u);
    }
    raw.close();
  });
});

describe('an import into SQLite', () => {
  it('looks up what it needs by a whole key: a line costs the same whatever a team has', async () => {
    const writer = new ImportWriter(await openSqliteForWriting(folder));
    const prepared = jest.spyOn(DatabaseSync.prototype, 'prepare');
    for (let round = 0; round < 2; round += 1) {
      await importEnvelopes(writer, 'people', [...sampleEnvelopes({ users: 3 })]);
    }
    const lookUps = new Set(
      prepared.mock.calls
        .map(([statement]) => statement.trim())
        .filter((statement) => /^select\b.*\bwhere\b/su.test(statement)),
    );
    await writer.close();
    expect(lookUps.size).toBeGreaterThan(8);
    const raw = new DatabaseSync(storeFile(folder), { readOnly: true });
    const wide = [...lookUps].flatMap((statement) =>
      raw
        .prepare(`explain query plan ${statement}`)
        .all()
        .map(({ detail }) => String(detail))
        // A team has one total; one of its people is enough to know the numbers of a team.
        .filter((step) =>
          /^SCAN (?!.*(?:VALUES CLAUSE|CONSTANT ROW))|^(?!SEARCH (?:order_totals|people USING COVERING INDEX)).*\(team_id=\?\)$/u.test(
            step,
          ),
        )
        .map((step) => `${step}: ${statement}`),
    );
    raw.close();
    expect(wide).toEqual([]);
  });
});
