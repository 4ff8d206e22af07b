import { ALARMS, CUT, HOLD_OPERATIONS } from '../../entry/log-operations.ts';
import type { LogSource, StoredEntry } from '../../log-source.ts';
import { emptyRoot, type NodeReader } from '../../tree/tree.ts';
import { Approvers, knownBefore } from '../approvers.ts';
import { cutRecordOf, dateOf, operationAt, type CutRecord } from '../cut-records.ts';
import { LegalHolds } from '../legal-holds.ts';
import { Spans, type MonthSpan } from '../month-spans.ts';

/** What a log has, as far as cuts are concerned: one pass over its records. */
export interface LogSurvey {
  readonly origin: string;
  readonly size: number;
  /** Number of records erased. */
  readonly erased: number;
  /** Of the records that are left. */
  readonly spans: readonly MonthSpan[];
  /** Records that decide what may be erased, in order. */
  readonly records: readonly CutRecord[];
  readonly approvers: Approvers;
  readonly holds: LegalHolds;
}

const saltLength = 16;
const clockStep = `"operation":"${ALARMS['clock-step']}"`;

/** Reads all records once. Does not verify them. */
export async function surveyLog(source: LogSource): Promise<LogSurvey> {
  const size = await source.size();
  const { origin } = source.identity();
  const spans = new Spans();
  const records: CutRecord[] = [];
  let erased = 0;
  for await (const { seq, entry } of storedEntries(source, 0, size)) {
    if (entry === undefined) {
      erased = seq + 1;
      continue;
    }
    const body = bodyText(entry);
    const at = operationAt(body);
    spans.take(seq, dateOf(body, at), body.startsWith(clockStep, at));
    const record = cutRecordOf(seq, body, at);
    if (record !== undefined) {
      records.push(record);
    }
  }
  return { origin, size, erased, spans: spans.all, records, ...stateOf(origin, records, erased) };
}

/** Approvers and holds after these records; approvers whose own records are erased stand in the cut that erased them. */
function stateOf(
  origin: string,
  records: readonly CutRecord[],
  erased: number,
): { approvers: Approvers; holds: LegalHolds } {
  const cut = records.findLast(
    ({ operation, details }) => operation === CUT && Number(details['before_seq']) >= erased,
  );
  const approvers = new Approvers(origin, knownBefore(erased, String(cut?.details['approvers'])));
  const holds = new LegalHolds();
  for (const record of records) {
    approvers.take(record);
    holds.take(record);
  }
  return { approvers, holds };
}

/** The text of a record in an entry, one character per byte. */
export function bodyText(entry: Buffer): string {
  return entry.toString('latin1', saltLength);
}

/** The records without the seals between them. */
export async function* storedEntries(
  source: LogSource,
  from: number,
  to: number,
): AsyncGenerator<StoredEntry> {
  for await (const item of source.read(from, to)) {
    if ('leafHash' in item) {
      yield item;
    }
  }
}

/** Whether a legal hold was placed since the log had `from` records. Reads what came since, and nothing else. */
export async function newHoldsSince(
  source: LogSource,
  from: number,
): Promise<{ readonly isPlaced: boolean; readonly size: number }> {
  const size = await source.size();
  let isPlaced = false;
  for await (const { seq, entry } of storedEntries(source, from, size)) {
    const record = entry && cutRecordOf(seq, bodyText(entry));
    isPlaced ||= record?.operation === HOLD_OPERATIONS.add;
  }
  return { isPlaced, size };
}

/**
 * Runs a computation on nodes of a stored tree twice: first to collect the nodes it needs, then with their values. It MUST
 * ask for the same nodes whatever their values are.
 *
 * @throws MissingNodeError
 */
export async function withNodesOf<T>(
  source: LogSource,
  compute: (read: NodeReader) => T,
): Promise<T> {
  const wanted = new Map<string, readonly [level: number, index: number]>();
  compute((level, index) => {
    wanted.set(`${level}/${index}`, [level, index]);
    return emptyRoot;
  });
  const nodes = new Map<string, Buffer>();
  for (const [place, [level, index]] of wanted) {
    nodes.set(place, await source.node(level, index));
  }
  return compute((level, index) => nodes.get(`${level}/${index}`) as Buffer);
}
