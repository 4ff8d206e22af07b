import { openLog } from '../offline/open-log.ts';
import { tellReading, type OnRecords } from '../offline/tell-reading.ts';
import { csvHeader, csvRow } from './csv.ts';
import { fhirEvents } from './fhir-event.ts';
import { records, type RecordFilter } from './records.ts';
import { exportNdjson, type RecordBody } from '@caregate/audit-log';

export const FORMATS = ['fhir', 'csv', 'ndjson'] as const;
export type ExportFormat = (typeof FORMATS)[number];

export interface ExportParts {
  readonly format: ExportFormat;
  readonly filter: RecordFilter;
  /** The log is exported up to the size of this checkpoint. */
  readonly checkpoint: string;
  readonly onProgress?: OnRecords | undefined;
}

const pieceLength = 64 * 1024;

/**
 * An export of the log of a data folder as text in chunks, with constant memory use.
 *
 * @throws AuditBrokenError if the log does not hold: what was exported before is to be thrown away
 */
export async function* exportText(dataDir: string, parts: ExportParts): AsyncGenerator<string> {
  const { format, filter, checkpoint, onProgress = () => undefined } = parts;
  const isWhole = Object.values(filter).every((wanted) => wanted === undefined);
  const log = tellReading(openLog(dataDir), onProgress);
  // For NDJSON of a part the log is read twice, side by side: only what is written tells how far it is.
  const beside = openLog(dataDir);
  try {
    const found = records(format === 'ndjson' ? beside : log, filter, checkpoint);
    switch (format) {
      case 'fhir':
        yield* inPieces(fhirLines(found));
        break;
      case 'csv':
        yield* inPieces(csvLines(found));
        break;
      case 'ndjson':
        yield* exportNdjson(log, checkpoint, isWhole ? undefined : amongThese(found));
        break;
    }
  } finally {
    log.close();
    beside.close();
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
