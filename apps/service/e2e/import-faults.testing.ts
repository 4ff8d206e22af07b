import { expect } from '@jest/globals';
import { otherTeamId, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

function linesOf(users: number, teamId: string): string {
  const people = sampleEnvelopes({ users, teamId });
  return `${Array.from(people, (envelope) => JSON.stringify(envelope)).join('\n')}\n`;
}

/** Writes the named people of the sample to a file. */
export function writePeople(folder: string): string {
  const file = join(folder, 'people.ndjson');
  writeFileSync(file, linesOf(10, sampleTeamId));
  return file;
}

/** Returns people with long unknown fields, which the store keeps: few people fill a page cache or a small disk. */
export function createLongText(): string {
  const filler = Array.from({ length: 8 }, (_, at) => `"a${at}":"${'x'.repeat(50_000)}",`).join('');
  return linesOf(15, otherTeamId).replaceAll('"client_user_id":', `${filler}"client_user_id":`);
}

/** Returns every row of every table in order of the table, except of the lists of imports. */
export function readStore(data: string): Record<string, unknown[]> {
  const db = new DatabaseSync(join(data, 'store.db'), { timeout: 30_000 });
  try {
    expect(db.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
    const tables = db
      .prepare(
        `select name from sqlite_master where type = 'table' and name not in ('commits', 'imports')`,
      )
      .all();
    return Object.fromEntries(
      tables.map(({ name }) => [String(name), db.prepare(`select * from ${String(name)}`).all()]),
    );
  } finally {
    db.close();
  }
}
