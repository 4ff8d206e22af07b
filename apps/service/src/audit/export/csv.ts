import { instantOfRecord, type RecordBody } from '../record-body.ts';

/** A spreadsheet takes a cell that begins with one of these for a formula; `'` is here so that the mark can be undone. */
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

export const csvHeader: string = csvLine(['seq', 'recorded_at', ...fields, 'details', 'patients']);

/** A row a record; several patients in one cell, with spaces between. */
export function csvRow(record: RecordBody): string {
  return csvLine([
    record.seq,
    instantOfRecord(record),
    ...fields.map((field) => record[field]),
    JSON.stringify(record.details),
    record.patients.join(' '),
  ]);
}

/**
 * A line of RFC 4180. Each text is quoted, so that a spreadsheet set to semicolons can't cut a formula out of its middle;
 * one that begins like a formula, or with an apostrophe, gets an apostrophe in front. Nothing at all stands for null.
 */
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
