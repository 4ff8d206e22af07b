import type { LogReader } from '@caregate/audit-log';
import { matchesFilter, parseRecord, type RecordFilter } from '../audit-record.ts';
import { readRecords, reportRecord, type OnRecords } from '../read-logs.ts';
import { formatCsvHeader, formatCsvRow } from './csv.ts';
import { toFhirEvents } from './fhir-event.ts';

export const FORMATS = ['fhir', 'csv', 'ndjson'] as const;
export type ExportFormat = (typeof FORMATS)[number];

export interface ExportParts {
  readonly format: ExportFormat;
  readonly filter: RecordFilter;
  readonly checkpoint?: string | undefined;
  readonly onRecords?: OnRecords | undefined;
}

const chunkLength = 64 * 1024;

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
    yield* joinChunks(formatLines(logs, parts));
    return;
  }
  const isUnfiltered = Object.values(filter).every((value) => value === undefined);
  for (const log of logs) {
    const { logId } = log.identity;
    const { checkpoint, head } = await log.tree();
    yield* log.exportNdjson(note ?? checkpoint, ({ seq, body }) => {
      reportRecord(seq, head.size, onRecords);
      return isUnfiltered || matchesFilter(filter, parseRecord(body, { logId, seq }));
    });
  }
}

async function* formatLines(
  logs: readonly LogReader[],
  { format, filter, checkpoint: note, onRecords }: ExportParts,
): AsyncGenerator<string> {
  if (format === 'csv') {
    yield formatCsvHeader('seq');
  }
  for await (const record of readRecords(logs, filter, { note, onRecords })) {
    if (format === 'csv') {
      yield formatCsvRow(record);
    } else {
      for (const event of toFhirEvents(record)) {
        yield `${JSON.stringify(event)}\n`;
      }
    }
  }
}

/** Joins short texts, so that they need fewer writes. */
export async function* joinChunks(
  texts: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string> {
  let chunk = '';
  for await (const text of texts) {
    chunk += text;
    if (chunk.length > chunkLength) {
      yield chunk;
      chunk = '';
    }
  }
  if (chunk !== '') {
    yield chunk;
  }
}
