import type { LogReader } from '@caregate/audit-log';
import { isMatch, parseRecord, type RecordFilter } from '../audit-record.ts';
import { readRecords, reportRecord, type OnRecords } from '../read-logs.ts';
import { csvHeader, csvRow } from './csv.ts';
import { fhirEvents } from './fhir-event.ts';

export const FORMATS = ['fhir', 'csv', 'ndjson'] as const;
export type ExportFormat = (typeof FORMATS)[number];

export interface ExportParts {
  readonly format: ExportFormat;
  readonly filter: RecordFilter;
  readonly checkpoint?: string | undefined;
  readonly onRecords?: OnRecords | undefined;
}

const pieceLength = 64 * 1024;

/**
 * Yields an export in chunks, with constant memory use. @throws AuditBrokenError if the log is broken; discard all
 * chunks yielded before
 */
export async function* exportText(
  logs: readonly LogReader[],
  parts: ExportParts,
): AsyncGenerator<string> {
  const { format, filter, checkpoint: note, onRecords } = parts;
  if (format !== 'ndjson') {
    yield* inPieces(lines(logs, parts));
    return;
  }
  const isWhole = Object.values(filter).every((wanted) => wanted === undefined);
  for (const log of logs) {
    const { logId } = log.identity;
    const { checkpoint, head } = await log.tree();
    yield* log.ndjson(note ?? checkpoint, ({ seq, body }) => {
      reportRecord(seq, head.size, onRecords);
      return isWhole || isMatch(filter, parseRecord(body, { logId, seq }));
    });
  }
}

async function* lines(
  logs: readonly LogReader[],
  { format, filter, checkpoint: note, onRecords }: ExportParts,
): AsyncGenerator<string> {
  if (format === 'csv') {
    yield csvHeader('seq');
  }
  for await (const record of readRecords(logs, filter, { note, onRecords })) {
    if (format === 'csv') {
      yield csvRow(record);
    } else {
      for (const event of fhirEvents(record)) {
        yield `${JSON.stringify(event)}\n`;
      }
    }
  }
}

/** Joins short texts, so that they need fewer writes. */
export async function* inPieces(
  texts: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string> {
  let piece = '';
  for await (const text of texts) {
    piece += text;
    if (piece.length > pieceLength) {
      yield piece;
      piece = '';
    }
  }
  if (piece !== '') {
    yield piece;
  }
}
