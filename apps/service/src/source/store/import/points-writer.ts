import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Counts } from './import-types.ts';
import type { PointsRecord } from './record.ts';

/** Rows per statement: 32 take half as long again as one; larger batches are not faster (measured). */
const batches = [32, 8, 1];

/** Inserts points in batches; compares single points only if some exist already. Sources are written once per line. */
export class PointsWriter {
  readonly #add: readonly { readonly size: number; readonly statement: StatementSync }[];
  readonly #body: StatementSync;
  readonly #change: StatementSync;
  readonly #source: StatementSync;

  constructor(raw: DatabaseSync) {
    const columns = 'team_id, user_id, start_us, provider, type, end_us, body';
    this.#add = batches.map((size) => ({
      size,
      statement: raw.prepare(
        `insert into mindfulness_minutes (${columns})
          values ${Array<string>(size).fill('(?, ?, ?, ?, ?, ?, ?)').join(', ')}
          on conflict do nothing`,
      ),
    }));
    const byKey =
      'team_id = ? and user_id = ? and start_us = ? and provider = ? and type = ? and end_us = ?';
    this.#body = raw.prepare(`select body from mindfulness_minutes where ${byKey}`);
    this.#change = raw.prepare(`update mindfulness_minutes set body = ? where ${byKey}`);
    this.#source = raw.prepare(
      `insert into mindfulness_sources (team_id, user_id, provider, type, body) values (?, ?, ?, ?, ?)
        on conflict do update set body = excluded.body where body <> excluded.body`,
    );
  }

  put(record: PointsRecord, counts: Counts): void {
    const { team, user, provider, type, source } = record;
    this.#source.run(team, user, provider, type, source);
    const added = this.#addAll(record);
    const updated = added < record.points.length ? this.#updateChanged(record) : 0;
    counts.added += added;
    counts.updated += updated;
    counts.unchanged += Math.max(0, record.points.length - added - updated);
  }

  #addAll({ team, user, provider, type, points }: PointsRecord): number {
    let added = 0;
    let next = 0;
    for (const { size, statement } of this.#add) {
      for (; points.length - next >= size; next += size) {
        const values: SQLInputValue[] = [];
        for (const point of points.slice(next, next + size)) {
          values.push(team, user, point.startUs, provider, type, point.endUs, point.body);
        }
        added += Number(statement.run(...values).changes);
      }
    }
    return added;
  }

  /** If a line has two points with the same key, the later one wins, as with two lines. */
  #updateChanged({ team, user, provider, type, points }: PointsRecord): number {
    let updated = 0;
    for (const { startUs, endUs, body } of points) {
      const key = [team, user, startUs, provider, type, endUs] as const;
      if (this.#body.get(...key)?.['body'] !== body) {
        this.#change.run(body, ...key);
        updated += 1;
      }
    }
    return updated;
  }
}
