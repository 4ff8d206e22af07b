import { instantOfRecord } from '../system-record.ts';
import type { RecordBody } from '../record/record-body.ts';

/** Spreadsheets interpret cells that begin with one of these as formulas; `'` is included so that escaping is reversible. */
const startsFormula = /^[=+\-@\t\r\n＝＋－＠']/u;

const fields = [
  'log_id',
  'server_id',
  'team_id',
  'actor_type',
  'actor_id',
  'role',
  'key_id',
  'session_id',
  'operation',
  'data_category',
  'decision',
  'reason_code',
  'http_status',
  'purpose_of_use',
  'break_glass_id',
  'order_id',
  'record_count',
  'request_id',
  'client_ip',
  'device_id',
  'policy_version',
] as const satisfies readonly (keyof RecordBody)[];

/** A team's auditors get IDs and names instead of positions, which would reveal the number of records of all teams. */
interface Names {
  readonly recordId: string;
  readonly actorName: string | null;
  readonly deviceName: string | null;
}

export function csvHeader(first: 'seq' | 'record_id'): string {
  const names = first === 'seq' ? [] : ['actor_name', 'device_name'];
  return csvLine([first, 'recorded_at', ...fields, ...names, 'details', 'patients']);
}

export function csvRow(record: RecordBody, named?: Names): string {
  return csvLine([
    named?.recordId ?? record.seq,
    instantOfRecord(record),
    ...fields.map((field) => record[field]),
    ...(named === undefined ? [] : [named.actorName, named.deviceName]),
    JSON.stringify(record.details),
    record.patients.join(' '),
  ]);
}

/** RFC 4180. Quotes strings, prefixes formulas with an apostrophe: spreadsheets must not split or run them. Null is empty. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: string | number | null): string {
  if (value === null) {
    return '';
  }
  const text = String(value);
  return `"${startsFormula.test(text) ? "'" : ''}${text.replaceAll('"', '""')}"`;
}
