import { formatRecordTime, RECORD_FIELDS, type AuditRecord } from '../audit-record.ts';

/**
 * Spreadsheets interpret cells that begin with one of these as formulas. `'` is included so that escaping is
 * reversible.
 */
const startsFormula = /^[=+\-@\t\r\n＝＋－＠']/u;

/** IDs and names for a team's auditors. Positions would reveal the number of records of all teams. */
interface Names {
  readonly recordId: string;
  readonly actorName: string | null;
  readonly deviceName: string | null;
}

export function formatCsvHeader(first: 'seq' | 'record_id'): string {
  const names = first === 'seq' ? [] : ['actor_name', 'device_name'];
  const fields = ['log_id', ...RECORD_FIELDS, ...names, 'details', 'patients'];
  return formatCsvLine([first, 'recorded_at', ...fields]);
}

export function formatCsvRow(record: AuditRecord, nameColumns?: Names): string {
  return formatCsvLine([
    nameColumns?.recordId ?? record.seq,
    formatRecordTime(record),
    record.log_id,
    ...RECORD_FIELDS.map((field) => record[field]),
    ...(nameColumns === undefined ? [] : [nameColumns.actorName, nameColumns.deviceName]),
    JSON.stringify(record.details),
    record.patients.join(' '),
  ]);
}

/**
 * Formats a CSV line (RFC 4180). Quotes strings, and puts an apostrophe before formulas, so that spreadsheets neither
 * split nor run them. Null is empty.
 */
export function formatCsvLine(cells: readonly (string | number | null)[]): string {
  const quoted = cells.map((cell) => {
    const text = String(cell).replaceAll('"', '""');
    return cell === null ? '' : `"${startsFormula.test(text) ? "'" : ''}${text}"`;
  });
  return `${quoted.join(',')}\r\n`;
}
