import type { DatabaseSync } from 'node:sqlite';
import type { OnFilling } from './fill-progress.ts';
import { SearchTables } from './search-tables.ts';

/**
 * Fills the tables that are made of others in a store that was written before there were any, in one transaction. Does
 * nothing to a store that has them.
 */
export function fill(raw: DatabaseSync, onFilling?: OnFilling): void {
  if (unfilled(raw).size === 0) {
    return;
  }
  raw.exec('begin immediate');
  try {
    // Another process may have filled them while this one waited for the lock.
    const missing = unfilled(raw);
    if (missing.has('sources')) {
      fillSources(raw);
    }
    if (missing.has('people')) {
      fillPeople(raw, onFilling);
    }
    raw.exec('delete from unfilled');
    raw.exec('commit');
  } catch (error) {
    if (raw.isTransaction) {
      raw.exec('rollback');
    }
    throw error;
  }
}

function unfilled(raw: DatabaseSync): ReadonlySet<unknown> {
  return new Set(
    raw
      .prepare('select what from unfilled')
      .all()
      .map(({ what }) => what),
  );
}

/** Points that were imported before there was the table of sources are told to be of their provider and type. */
function fillSources(raw: DatabaseSync): void {
  const keep = raw.prepare(
    `insert into mindfulness_sources (team_id, user_id, provider, type, body) values (?, ?, ?, ?, ?)
      on conflict do nothing`,
  );
  const known = raw.prepare(
    'select distinct team_id, user_id, provider, type from mindfulness_minutes',
  );
  for (const { team_id = null, user_id = null, provider = null, type = null } of known.all()) {
    keep.run(team_id, user_id, provider, type, JSON.stringify({ provider, type }));
  }
}

function fillPeople(raw: DatabaseSync, onFilling?: OnFilling): void {
  // Of the same facts, another version may make other tokens.
  raw.exec('delete from people_index; delete from people');
  const tables = new SearchTables(raw);
  const of = count(raw, 'lab_results') + count(raw, 'users');
  let done = 0;
  for (const row of raw.prepare('select team_id, order_id, user_id from lab_results').iterate()) {
    const [team, order, user] = [row['team_id'], row['order_id'], row['user_id']] as Uint8Array[];
    if (team !== undefined && order !== undefined && user !== undefined) {
      tables.orderChanged(team, order, user);
    }
    done += 1;
    onFilling?.(done, of);
  }
  for (const row of raw.prepare('select team_id, user_id from users').iterate()) {
    const [team, user] = [row['team_id'], row['user_id']] as Uint8Array[];
    if (team !== undefined && user !== undefined) {
      tables.touch(team, user);
    }
    done += 1;
    onFilling?.(done, of);
  }
  tables.flush();
}

function count(raw: DatabaseSync, table: 'lab_results' | 'users'): number {
  return Number(raw.prepare(`select count(*) as n from ${table}`).get()?.['n']);
}
