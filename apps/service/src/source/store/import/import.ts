import type { ImportEnvelope } from '@caregate/domain';
import type { Issue } from '@caregate/domain/validate';
import {
  ImportFailedError,
  reasonOf,
  type Counts,
  type ImportOptions,
  type ImportReport,
  type ImportWarning,
  type Kind,
  type RefusedLine,
} from './import-types.ts';
import type { Input } from './input.ts';
import { splitLines } from './line-splitter.ts';
import { checked, readLine, type ReadLine } from './read-line.ts';
import { storeProblem } from './sqlite-errors.ts';
import type { StoreWriter } from './store-writer.ts';

/**
 * Imports one file (NDJSON, plain or gzip) in one transaction. Without `onRefused` a single wrong line refuses the file:
 * the report then says `imported: false` and names the lines. Memory holds one chunk and one line, whatever the size.
 *
 * @throws ImportFailedError where the file or the store cannot be read or written to the end; the store is as before
 */
export async function importFile(
  writer: StoreWriter,
  input: Input,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const maxBytes = options.maxLineBytes ?? 64 * 2 ** 20;
  const run = new ImportRun(writer, input.name, options);
  return await inTransaction(writer, run, options, async () => {
    for await (const lines of splitLines(input.chunks(), maxBytes)) {
      for (const line of lines) {
        run.take(line.number, readLine(line, maxBytes));
        if (run.gaveUp) {
          return;
        }
      }
      options.onProgress?.({
        bytesRead: input.bytesRead(),
        bytesTotal: input.bytesTotal,
        lines: run.lines,
      });
    }
  });
}

/** The same for envelopes that are objects already, such as those of a generator; `name` stands for the file's name. */
export async function importEnvelopes(
  writer: StoreWriter,
  name: string,
  envelopes: Iterable<ImportEnvelope> | AsyncIterable<ImportEnvelope>,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const run = new ImportRun(writer, name, options);
  return await inTransaction(writer, run, options, async () => {
    let number = 0;
    for await (const envelope of envelopes) {
      number += 1;
      run.take(number, checked(envelope, ''));
      if (run.gaveUp) {
        return;
      }
    }
  });
}

async function inTransaction(
  writer: StoreWriter,
  run: ImportRun,
  options: ImportOptions,
  work: () => Promise<void>,
): Promise<ImportReport> {
  try {
    await writer.begin(options.waitMs ?? 600_000, options.onWaiting);
    await work();
    if (run.isAcceptable) {
      writer.commit();
    } else {
      writer.rollback();
    }
  } catch (error) {
    writer.rollback();
    writer.tidy();
    throw failure(run, error);
  }
  writer.tidy();
  return run.report();
}

function failure(run: ImportRun, error: unknown): unknown {
  if (error instanceof ImportFailedError) {
    return error;
  }
  const problem = storeProblem(error);
  if (problem === undefined) {
    return error;
  }
  const message = `${run.name}: ${problem} Nothing of this file was imported; the store is as before.`;
  return new ImportFailedError('store', message, error);
}

/** One file on its way into the store: counts, refused lines and warnings. */
class ImportRun {
  lines = 0;
  gaveUp = false;
  readonly name: string;
  readonly #writer: StoreWriter;
  readonly #options: ImportOptions;
  readonly #shown: number;
  readonly #refused: RefusedLine[] = [];
  #refusedCount = 0;
  readonly #warnings: ImportWarning[] = [];
  #warningCount = 0;
  readonly #counts: Record<Kind, Counts> = {
    user: { added: 0, updated: 0, unchanged: 0 },
    lab_result: { added: 0, updated: 0, unchanged: 0 },
    insurance: { added: 0, updated: 0, unchanged: 0 },
    mindfulness_minutes: { added: 0, updated: 0, unchanged: 0 },
  };

  constructor(writer: StoreWriter, name: string, options: ImportOptions) {
    this.#writer = writer;
    this.name = name;
    this.#options = options;
    this.#shown = options.shown ?? 20;
  }

  get isAcceptable(): boolean {
    return this.#refusedCount === 0 || this.#options.onRefused !== undefined;
  }

  take(number: number, read: ReadLine): void {
    if (read.kind === 'empty') {
      return;
    }
    this.lines += 1;
    if (read.kind === 'refused') {
      this.#refuse(number, read.issues, read.text);
      return;
    }
    const problem = this.#writer.put(read.record, this.#counts[read.record.kind]);
    if (problem !== undefined) {
      this.#refuse(number, [problem], read.text);
      return;
    }
    for (const warning of read.warnings) {
      this.#warningCount += 1;
      if (this.#warnings.length < this.#shown) {
        this.#warnings.push({ file: this.name, line: number, ...reasonOf(warning) });
      }
    }
  }

  report(): ImportReport {
    return {
      file: this.name,
      imported: this.isAcceptable,
      lines: this.lines,
      counts: this.#counts,
      refused: { count: this.#refusedCount, first: this.#refused, gaveUp: this.gaveUp },
      warnings: { count: this.#warningCount, first: this.#warnings },
    };
  }

  #refuse(line: number, issues: readonly Issue[], text: string | undefined): void {
    this.#refusedCount += 1;
    const refused = { file: this.name, line, reasons: issues.slice(0, 20).map(reasonOf) };
    if (this.#refused.length < this.#shown) {
      this.#refused.push(refused);
    }
    if (this.#options.onRefused !== undefined) {
      this.#options.onRefused({ ...refused, text });
    } else if (this.#refusedCount >= (this.#options.giveUpAfter ?? 10_000)) {
      this.gaveUp = true;
    }
  }
}
