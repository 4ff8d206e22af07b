import type { ImportEnvelope } from '@caregate/domain';
import type { Issue } from '@caregate/domain/validate';
import { isUnanswered, describePostgresProblem } from '../../database/postgres/postgres-errors.ts';
import { describeStoreProblem } from '../../database/sqlite/sqlite-errors.ts';
import { formatUuid } from '../schema.ts';
import {
  ImportFailedError,
  createCounts,
  describeIssue,
  type ImportOptions,
  type ImportReport,
  type ImportWarning,
  type RefusedLine,
} from './import-types.ts';
import type { ImportWriter } from './import-writer.ts';
import type { Input } from './input.ts';
import { splitLines, type Line } from './line-splitter.ts';
import { checkEnvelope, readLine, type ReadLine } from './read-line.ts';

/** Maximum number of refused lines and warnings in a report. */
const MOST_REPORTED = 20;
/** Size of a batch. Each batch takes several statements. */
const ENVELOPES_AT_ONCE = 1000;
const BYTES_AT_ONCE = 2 * 2 ** 20;

/**
 * Imports an NDJSON file, plain or gzip, in one transaction. Without `onRefused`, a single invalid line refuses the
 * file. Needs a few MiB of memory and one line. @throws ImportFailedError if the file can't be read or the store
 * can't be written; the store is unchanged then
 */
export async function importFile(
  writer: ImportWriter,
  input: Input,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const maxBytes = options.maxLineBytes ?? 64 * 2 ** 20;
  const read = async function* (): AsyncGenerator<NumberedLine[]> {
    for await (const lines of groupLines(splitLines(input.readChunks(), maxBytes))) {
      yield lines.map((line) => ({
        number: line.number,
        read: readLine(line, maxBytes, options.team),
      }));
    }
  };
  return await new ImportRun(writer, input.name, options).import(read(), (lines) =>
    options.onProgress?.({ bytesRead: input.getBytesRead(), bytesTotal: input.bytesTotal, lines }),
  );
}

/** Imports envelopes as {@link importFile} imports lines. */
export async function importEnvelopes(
  writer: ImportWriter,
  name: string,
  envelopes: Iterable<ImportEnvelope> | AsyncIterable<ImportEnvelope>,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const read = async function* (): AsyncGenerator<NumberedLine[]> {
    let number = 0;
    let lines: NumberedLine[] = [];
    for await (const envelope of envelopes) {
      number += 1;
      lines.push({ number, read: checkEnvelope(envelope, '', options.team) });
      if (lines.length >= ENVELOPES_AT_ONCE) {
        yield lines;
        lines = [];
      }
    }
    yield lines;
  };
  return await new ImportRun(writer, name, options).import(read());
}

async function* groupLines(batches: AsyncIterable<Line[]>): AsyncGenerator<Line[]> {
  let lines: Line[] = [];
  let size = 0;
  for await (const batch of batches) {
    lines = lines.concat(batch);
    size += batch.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0);
    if (size >= BYTES_AT_ONCE) {
      yield lines;
      [lines, size] = [[], 0];
    }
  }
  yield lines;
}

interface NumberedLine {
  readonly number: number;
  readonly read: ReadLine;
}

/** The import of one file, in one transaction. */
class ImportRun {
  readonly #writer: ImportWriter;
  readonly #name: string;
  readonly #options: ImportOptions;
  readonly #counts = createCounts();
  readonly #teams = new Set<string>();
  readonly #refused: RefusedLine[] = [];
  readonly #warnings: ImportWarning[] = [];
  #lines = 0;
  #refusedCount = 0;
  #warningCount = 0;
  #gaveUp = false;

  constructor(writer: ImportWriter, name: string, options: ImportOptions) {
    this.#writer = writer;
    this.#name = name;
    this.#options = options;
  }

  async import(
    batches: AsyncIterable<readonly NumberedLine[]>,
    onProgress?: (lines: number) => void,
  ): Promise<ImportReport> {
    const { waitMs = 600_000, onWaiting, beforeCommit } = this.#options;
    let isCommitting = false;
    try {
      await this.#writer.begin(waitMs, onWaiting);
      for await (const lines of batches) {
        await this.#write(lines);
        if (this.#gaveUp) {
          break;
        }
        onProgress?.(this.#lines);
      }
      if (this.#isAcceptable()) {
        await beforeCommit?.(this.#report());
        isCommitting = true;
        await this.#writer.commit();
      } else {
        await this.#writer.rollback();
      }
    } catch (error) {
      await this.#writer.rollback();
      throw this.#toError(error, isCommitting);
    }
    return this.#report();
  }

  async #write(lines: readonly NumberedLine[]): Promise<void> {
    const records = lines.flatMap(({ read }) => (read.kind === 'record' ? [read.record] : []));
    const issues = (await this.#writer.write(records, this.#counts)).values();
    for (const { number, read } of lines) {
      if (read.kind === 'empty') {
        continue;
      }
      this.#lines += 1;
      if (read.kind === 'refused') {
        this.#refuse(number, read.issues, read.text);
      } else {
        const issue = issues.next().value;
        if (issue === undefined) {
          this.#accept(number, read);
        } else {
          this.#refuse(number, [issue], read.text);
        }
      }
      if (this.#gaveUp) {
        return;
      }
    }
  }

  #accept(line: number, { record, warnings }: Extract<ReadLine, { kind: 'record' }>): void {
    this.#teams.add(formatUuid(record.team_id));
    this.#warningCount += warnings.length;
    for (const warning of warnings.slice(0, MOST_REPORTED - this.#warnings.length)) {
      this.#warnings.push({ file: this.#name, line, ...describeIssue(warning) });
    }
  }

  #refuse(line: number, issues: readonly Issue[], text: string | undefined): void {
    const { onRefused, giveUpAfter = 10_000 } = this.#options;
    this.#refusedCount += 1;
    const refused = {
      file: this.#name,
      line,
      reasons: issues.slice(0, MOST_REPORTED).map(describeIssue),
    };
    if (this.#refused.length < MOST_REPORTED) {
      this.#refused.push(refused);
    }
    onRefused?.({ ...refused, text });
    this.#gaveUp = onRefused === undefined && this.#refusedCount >= giveUpAfter;
  }

  #isAcceptable(): boolean {
    return this.#refusedCount === 0 || this.#options.onRefused !== undefined;
  }

  #report(): ImportReport {
    return {
      file: this.#name,
      imported: this.#isAcceptable(),
      lines: this.#lines,
      counts: this.#counts,
      refused: { count: this.#refusedCount, first: this.#refused, gaveUp: this.#gaveUp },
      warnings: { count: this.#warningCount, first: this.#warnings },
      teams: [...this.#teams].sort(),
    };
  }

  #toError(error: unknown, isCommitting: boolean): unknown {
    const problem =
      error instanceof ImportFailedError
        ? undefined
        : (describeStoreProblem(error) ?? describePostgresProblem(error));
    if (problem === undefined) {
      return error;
    }
    const state =
      isCommitting && isUnanswered(error)
        ? 'It did not confirm the commit: this file is imported whole or not at all. Import it again, which changes nothing if it was.'
        : 'Nothing was imported from this file; the store is unchanged.';
    return new ImportFailedError('store', `${this.#name}: ${problem} ${state}`, error);
  }
}
