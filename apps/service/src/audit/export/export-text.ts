import { exportNdjson } from './export-ndjson.ts';
import type { AuditReader } from '../log/audit-reader.ts';
import { csvHeader, csvRow } from './csv.ts';
import { fhirEvents } from './fhir-event.ts';
import { records, type RecordFilter } from './records.ts';
import type { RecordBody } from '../record-body.ts';

export const FORMATS = ['fhir', 'csv', 'ndjson'] as const;
export type ExportFormat = (typeof FORMATS)[number];

export interface ExportParts {
  readonly format: ExportFormat;
  readonly filter: RecordFilter;
  /** The log is exported up to the size of this checkpoint. */
  readonly checkpoint: string;
}

const pieceLength = 64 * 1024;

/** An export as text in chunks, with constant memory use. */
export function exportText(reader: AuditReader, parts: ExportParts): Iterable<string> {
  const { format, filter, checkpoint } = parts;
  const found = records(reader.db, filter, Number(checkpoint.split('\n')[1]));
  switch (format) {
    case 'fhir':
      return inPieces(fhirLines(found));
    case 'csv':
      return inPieces(csvLines(found));
    case 'ndjson':
      return isAny(filter)
        ? exportNdjson(reader, checkpoint)
        : exportNdjson(reader, checkpoint, amongThese(found));
  }
}

export function* fhirLines(found: Iterable<RecordBody>): Generator<string> {
  for (const record of found) {
    for (const event of fhirEvents(record)) {
      yield `${JSON.stringify(event)}\n`;
    }
  }
}

function* csvLines(found: Iterable<RecordBody>): Generator<string> {
  yield csvHeader;
  for (const record of found) {
    yield csvRow(record);
  }
}

export function* inPieces(lines: Iterable<string>): Generator<string> {
  let piece = '';
  for (const line of lines) {
    piece += line;
    if (piece.length > pieceLength) {
      yield piece;
      piece = '';
    }
  }
  if (piece !== '') {
    yield piece;
  }
}

/** Whether a record matches, called for each record in order: the others are exported as hashes. */
function amongThese(found: Iterator<RecordBody>): (seq: number) => boolean {
  let next = found.next();
  return (seq) => {
    while (next.done !== true && next.value.seq < seq) {
      next = found.next();
    }
    return next.done !== true && next.value.seq === seq;
  };
}

function isAny(filter: RecordFilter): boolean {
  return Object.values(filter).every((wanted) => wanted === undefined);
}
