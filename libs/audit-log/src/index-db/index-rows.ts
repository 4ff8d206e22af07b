import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { idsOf } from '../entry/packed-uuids.ts';
import { membersOf, saltLength } from '../entry/record-text.ts';
import { link, type RecordRow } from './index-chain.ts';
import { PostingInserts, Postings } from './postings.ts';

export interface IndexedMembers {
  /** A number that mostly grows, such as the time. */
  readonly time: string;
  readonly texts: readonly string[];
  /** A list of ids, which `packSortedUuids` may have packed. */
  readonly ids: string;
}

/** All conditions must hold. */
export interface RecordQuery {
  /** Of the time, inclusive both. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** One of these, by the name of a text. */
  readonly texts?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly id?: string | undefined;
}

export function recordSchema({ time, texts }: IndexedMembers): string {
  const columns = texts.map((name) => `, "${name}" text`).join('');
  const indexes = texts.map(
    (name) => `create index if not exists "record_${name}" on record ("${name}", seq);`,
  );
  return `
    create table if not exists record (seq integer primary key, "${time}" integer${columns}) strict;
    ${indexes.join('\n')}`;
}

export class Inserts {
  readonly #members: IndexedMembers;
  readonly #record: StatementSync;
  readonly #postings: PostingInserts;

  constructor(db: DatabaseSync, members: IndexedMembers) {
    this.#members = members;
    const values = members.texts.map(() => ', ?').join('');
    this.#record = db.prepare(`insert or replace into record values (?, ?${values})`);
    this.#postings = new PostingInserts(db);
  }

  add(seq: number, entry: Buffer, before: Buffer): Buffer {
    const record = membersOf(entry.toString('utf8', saltLength));
    const at = record[this.#members.time];
    const texts = this.#members.texts.map((name) => {
      const value = record[name];
      return typeof value === 'string' ? value : null;
    });
    const row: RecordRow = [seq, Number.isSafeInteger(at) ? (at as number) : null, ...texts];
    this.#record.run(...row);
    const ids = [...new Set(idsOf(record[this.#members.ids]))].sort();
    this.#postings.add(seq, ids);
    return link(before, row, ids);
  }

  get isFull(): boolean {
    return this.#postings.isFull;
  }

  flush(): void {
    this.#postings.flush();
  }
}

export class IndexRows {
  readonly #records: StatementSync;
  readonly #postings: Postings;

  constructor(db: DatabaseSync) {
    this.#records = db.prepare('select * from record where seq >= ? and seq < ? order by seq');
    this.#postings = new Postings(db);
  }

  /** The chain with the next records; undefined if one is missing, or an id has no record. */
  extend(before: Buffer, from: number, to: number): Buffer | undefined {
    const records = this.#records.all(from, to);
    if (!this.#postings.read(from, to) || records.length !== to - from) {
      return undefined;
    }
    let chain = before;
    for (const [place, record] of records.entries()) {
      const row = Object.values(record) as unknown as RecordRow;
      const [seq] = row;
      if (seq !== from + place) {
        return undefined;
      }
      chain = link(chain, row, this.#postings.take(seq));
    }
    return chain;
  }
}

/** The caller binds `$first`, `$below` and `$limit`. */
export function recordQuery(
  { time, texts }: IndexedMembers,
  query: RecordQuery,
  order: 'asc' | 'desc',
): { readonly sql: string; readonly values: Record<string, SQLInputValue> } {
  const clauses = ['r.seq >= $first', 'r.seq < $below'];
  const values: Record<string, SQLInputValue> = {};
  const add = (name: string, value: SQLInputValue | undefined, clause: string): void => {
    if (value !== undefined) {
      values[name] = value;
      clauses.push(clause);
    }
  };
  add('id', query.id, 'p.id = $id and p.last >= $first and p.first < $below');
  for (const name of texts) {
    const wanted = query.texts?.[name];
    if (typeof wanted === 'string') {
      add(`is_${name}`, wanted, `r."${name}" = $is_${name}`);
    } else if (wanted !== undefined) {
      const list = `select value from json_each($is_${name})`;
      add(`is_${name}`, JSON.stringify(wanted), `r."${name}" in (${list})`);
    }
  }
  // The plus prevents an index on time, which would sort the whole span.
  add('from', query.from, `+r."${time}" >= $from`);
  add('to', query.to, `+r."${time}" <= $to`);
  // `cross join` fixes the join order: few records have the id.
  const tables =
    query.id === undefined
      ? 'record r'
      : 'posting p cross join json_each(p.records) mark cross join record r on r.seq = mark.value';
  return {
    sql: `select r.seq as seq from ${tables} where ${clauses.join(' and ')}
          order by r.seq ${order} limit $limit`,
    values,
  };
}
