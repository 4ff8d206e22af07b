import { csvHeader, csvRow } from './csv.ts';
import { fhirEvents } from './fhir-event.ts';
import { matcher, records, reportRecord, type OnRecords, type RecordFilter } from './records.ts';
import type { LogReader } from '@caregate/audit-log';

export const FORMATS = ['fhir', 'csv', 'ndjson'] as const;
export type ExportFormat = (typeof FORMATS)[number];

export interface ExportParts {
  readonly format: ExportFormat;
  readonly filter: RecordFilter;
  readonly checkpoint?: string | undefined;
  readonly onRecords?: OnRecords | undefined;
}

const pieceLength = 64 * 1024;

/** In chunks, with constant memory use. @throws AuditBrokenError: discard what was exported before */
export async function* exportText(
  logs: readonly LogReader[],
  { format, filter, checkpoint, onRecords }: ExportParts,
): AsyncGenerator<string> {
  const isWhole = Object.values(filter).every((wanted) => wanted === undefined);
  for (const log of format === 'ndjson' ? logs : []) {
    const matching = matcher(filter, log.identity.logId);
    const { checkpoint: newest, head } = await log.tree();
    yield* log.ndjson(checkpoint ?? newest, (stored) => {
      reportRecord(stored.seq, head.size, onRecords);
      return isWhole || matching(stored) !== undefined;
    });
  }
  if (format !== 'ndjson') {
    yield* inPieces(lines(logs, { format, filter, checkpoint, onRecords }));
  }
}

async function* lines(
  logs: readonly LogReader[],
  { format, filter, checkpoint, onRecords }: ExportParts,
): AsyncGenerator<string> {
  if (format === 'csv') {
    yield csvHeader;
  }
  for (const log of logs) {
    for await (const record of records(log, filter, { note: checkpoint, onRecords })) {
      if (format === 'csv') {
        yield csvRow(record);
      } else {
        for (const event of fhirEvents(record)) {
          yield `${JSON.stringify(event)}\n`;
        }
      }
    }
  }
}

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
