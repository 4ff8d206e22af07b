import { idBytes, type Members } from '../record.ts';
import type { Search } from './storage.ts';

/** Where the dialects differ. */
export interface Dialect {
  readonly table: string;
  /** The expression for a record's log. */
  readonly logId: string;
  /** The placeholder of the parameter at this position, from 1. */
  readonly slot: (position: number) => string;
  /** Whether the column with several IDs contains this parameter. */
  readonly contains: (column: string, slot: string) => string;
}

/** The records whose copies fit, newest first. It may find one of another ID: the body decides. */
export function findQuery(
  search: Search,
  { time, texts, ids }: Members,
  { table, logId, slot: slotAt, contains }: Dialect,
): { readonly text: string; readonly values: (string | number | Buffer)[] } {
  const values: (string | number | Buffer)[] = [];
  const slot = (value: string | number | Buffer): string => slotAt(values.push(value));
  const list = (all: readonly string[]): string => all.map(slot).join(', ');
  const clauses = texts.flatMap((name) => {
    const wanted = search.texts[name];
    return wanted === undefined ? [] : [`${name} in (${list(wanted)})`];
  });
  const { fromUs, toUs, log, withoutLogs = [], after } = search;
  if (log !== undefined) {
    clauses.push(`${logId} = ${slot(log)}`);
  }
  if (withoutLogs.length > 0) {
    clauses.push(`${logId} not in (${list(withoutLogs)})`);
  }
  if (fromUs !== undefined) {
    clauses.push(`${time} >= ${slot(fromUs)}`);
  }
  if (toUs !== undefined) {
    clauses.push(`${time} <= ${slot(toUs)}`);
  }
  if (after !== undefined) {
    const place = [after.timeUs, after.logId, after.seq].map(slot).join(', ');
    clauses.push(`(${time}, ${logId}, seq) < (${place})`);
  }
  const order = `order by ${time} desc, log_id desc, seq desc limit ${slot(search.limit)}`;
  const select = (more: readonly string[]): string =>
    `select ${logId} as log_id, seq, ${time}, salt, body from ${table}
     where ${[...clauses, ...more].join(' and ') || 'true'} ${order}`;
  if (search.id === undefined) {
    return { text: select([]), values };
  }
  // Each half reads an index of its own in the order of the answer.
  const id = slot(idBytes(search.id));
  const alone = select([`${ids.one} = ${id}`]);
  const among = select([`${ids.many} is not null`, contains(ids.many, id)]);
  return {
    text: `select * from (select * from (${alone}) as alone union all select * from (${among}) as among) as both_ ${order}`,
    values,
  };
}
