import { namesPatient, PostgresLogReader, type Queryable } from '@caregate/audit-log/postgres';
import type { OnRecords } from '../offline/tell-reading.ts';
import { csvHeader, csvRow } from './csv.ts';
import { fhirLines, inPieces, type ExportFormat } from './export-text.ts';
import { withoutOtherPatients, type RecordFilter } from './records.ts';
import { exportNdjson, isMatch, type LogIdentity, parseBody } from '@caregate/audit-log';

const atOnce = 1000;

/** The matching records of logs of a database, log by log, as text in chunks. */
export async function* exportRecords(
  db: Queryable,
  logs: readonly LogIdentity[],
  parts: {
    readonly format: Exclude<ExportFormat, 'ndjson'>;
    readonly filter: RecordFilter;
    readonly onProgress?: OnRecords;
  },
): AsyncGenerator<string> {
  const { format, filter, onProgress } = parts;
  let of = 0;
  for (const log of logs) {
    of += await new PostgresLogReader(db, log).size();
  }
  let done = 0;
  if (format === 'csv') {
    yield csvHeader;
  }
  for (const { logId } of logs) {
    for await (const rows of pages(db, logId, { filter, end: Number.MAX_SAFE_INTEGER })) {
      done += rows.length;
      // Records that came meanwhile are exported, too.
      onProgress?.(done, Math.max(done, of));
      const found = rows
        .filter((row) => isShown(row, filter))
        .map((row) => withoutOtherPatients(parseBody(row['body'] as string), filter.patient));
      yield* inPieces(format === 'csv' ? found.map(csvRow) : fhirLines(found));
    }
  }
}

/** One log for the independent verifier, up to its latest checkpoint; see `exportNdjson`. */
export async function* exportLog(
  log: PostgresLogReader,
  filter: RecordFilter,
  onProgress?: OnRecords,
): AsyncGenerator<string> {
  const checkpoint = await log.checkpoint();
  if (Object.values(filter).every((one) => one === undefined)) {
    yield* exportNdjson(log, checkpoint);
    return;
  }
  const end = Number(checkpoint.split('\n')[1]);
  const shown = new Set<number>();
  for await (const rows of pages(log.db, log.identity().logId, { filter, end })) {
    rows.filter((row) => isShown(row, filter)).forEach((row) => shown.add(Number(row['seq'])));
    onProgress?.(Number(rows.at(-1)?.['seq'] ?? end - 1) + 1, end);
  }
  yield* exportNdjson(log, checkpoint, (seq) => shown.has(seq));
}

/** Whether the record matches: what the query finds for a patient is checked against the record itself. */
function isShown(row: Readonly<Record<string, unknown>>, { patient }: RecordFilter): boolean {
  return row['shown'] === true && isMatch({ about: patient }, parseBody(row['body'] as string));
}

/** All records of a log, each with whether it matches the filter; in pages, to limit memory use. */
async function* pages(
  db: Queryable,
  logId: string,
  { filter, end }: { readonly filter: RecordFilter; readonly end: number },
): AsyncGenerator<Record<string, unknown>[]> {
  const values: unknown[] = [logId];
  const clauses = ['e.body is not null'];
  const add = (value: unknown, clause: (slot: string) => string): void => {
    if (value !== undefined) {
      clauses.push(clause(`$${values.push(value)}`));
    }
  };
  add(filter.fromUs, (from) => `e.recorded_at_us >= ${from}`);
  add(filter.toUs, (to) => `e.recorded_at_us <= ${to}`);
  add(filter.team, (team) => `e.team_id = ${team}`);
  add(filter.actor, (actor) => `e.actor_id = ${actor}`);
  add(filter.operation, (operation) => `e.operation = ${operation}`);
  add(filter.decision, (decision) => `e.decision = ${decision}`);
  add(filter.patient && `"asked_user_id":"${filter.patient}"`, (asked) => {
    const slot = (value: unknown): string => `$${values.push(value)}`;
    return `(${namesPatient(filter.patient ?? '', slot)} or position(${asked} in e.body) > 0)`;
  });
  const [after, before] = [values.length + 1, values.length + 2];
  const text = `select e.seq, e.leaf_hash, e.salt, e.body, (${clauses.join(' and ')}) is true as shown
    from audit.audit_event e
    where e.log_id = $1 and e.seq > $${after} and e.seq < $${before} order by e.seq limit ${atOnce}`;
  let last = -1;
  for (;;) {
    const { rows } = await db.query(text, [...values, last, end]);
    yield rows;
    if (rows.length < atOnce) {
      return;
    }
    last = Number(rows.at(-1)?.['seq']);
  }
}
