import { validateImportEnvelope, type Issue } from '@caregate/domain/validate';
import { findLengthIssues, type Warning, listWarnings } from '@caregate/domain';
import type { Line } from './line-splitter.ts';
import { toRecord, type StoreRecord } from './record.ts';

export type ReadLine =
  | { readonly kind: 'empty' }
  | {
      readonly kind: 'record';
      readonly record: StoreRecord;
      readonly warnings: readonly Warning[];
      readonly text: string;
    }
  | {
      readonly kind: 'refused';
      readonly issues: readonly Issue[];
      readonly text: string | undefined;
    };

// With `ignoreBOM`, the decoder keeps a BOM in the text, which only the first line of a file may begin with.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const blank = /^[ \t\r]*$/u;

/** @param team the only team whose records are allowed, as the 16 bytes of its ID */
export function readLine(line: Line, maxBytes: number, team?: Uint8Array): ReadLine {
  if (line.bytes === undefined) {
    return refuseLine(`is longer than ${Math.floor(maxBytes / 2 ** 20)} MiB`);
  }
  let text: string;
  try {
    text = utf8.decode(line.bytes);
  } catch {
    return refuseLine(
      isUtf16(line) ? 'is UTF-16 text; save the file as UTF-8' : 'is not UTF-8 text',
    );
  }
  if (line.number === 1 && text.startsWith('\uFEFF')) {
    text = text.slice(1);
  }
  if (blank.test(text.slice(0, 100)) && blank.test(text)) {
    return { kind: 'empty' };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refuseLine(describeJsonError(error), text);
  }
  return checkEnvelope(value, text, team);
}

export function checkEnvelope(value: unknown, text: string, team?: Uint8Array): ReadLine {
  try {
    const tooLong = findLengthIssues(value);
    if (tooLong.length > 0) {
      return { kind: 'refused', issues: tooLong, text };
    }
    const verdict = validateImportEnvelope(value);
    if (!verdict.ok) {
      return { kind: 'refused', issues: verdict.issues, text };
    }
    const { record, issues } = toRecord(verdict.value);
    if (team !== undefined && Buffer.compare(team, record.team_id) !== 0) {
      const { kind } = record;
      const path = kind === 'user' || kind === 'order' ? [kind, 'team_id'] : ['team_id'];
      issues.push({ path, message: 'is not the team given with --team' });
    }
    return issues.length === 0
      ? { kind: 'record', record, warnings: listWarnings(verdict.value), text }
      : { kind: 'refused', issues, text };
  } catch (error) {
    if (error instanceof RangeError) {
      return refuseLine('is nested too deeply', text);
    }
    throw error;
  }
}

function refuseLine(message: string, text?: string): ReadLine {
  return { kind: 'refused', issues: [{ path: [], message }], text };
}

/** Returns only the position of an error, since the parser's message quotes the text, which may be personal data. */
function describeJsonError(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const place = /at position (\d+)/u.exec(message);
  if (place !== null) {
    return `is not valid JSON (at character ${Number(place[1]) + 1})`;
  }
  return message.includes('end of JSON')
    ? 'is not valid JSON (unexpected end)'
    : 'is not valid JSON';
}

function isUtf16({ number, bytes }: Line): boolean {
  const mark = number === 1 && bytes !== undefined && bytes.length > 1 ? bytes.readUInt16BE() : 0;
  return mark === 0xfeff || mark === 0xfffe;
}
