import type { ImportEnvelope } from '@caregate/domain';
import type { Issue } from '@caregate/domain/validate';
import {
  ImportFailedError,
  noCounts,
  reasonOf,
  type ImportOptions,
  type ImportReport,
  type ImportWarning,
  type RefusedLine,
} from './import-types.ts';
import type { Input } from './input.ts';
import { splitLines } from './line-splitter.ts';
import { checked, readLine, type ReadLine } from './read-line.ts';
import { postgresProblem } from '../../../database/postgres/postgres-errors.ts';
import { storeProblem } from '../../../database/sqlite/sqlite-errors.ts';
import { uuidText } from '../schema.ts';
import type { StoreRecord } from './record.ts';
import type { LateRefusal, RecordWriter } from './record-writer.ts';

/**
 * Imports one file (NDJSON, plain or gzip) in one transaction. Without `onRefused`, a single invalid line refuses the file:
 * the report then has `imported: false` and lists the lines. Memory use is one chunk and one line, whatever the file size.
 *
 * @throws ImportFailedError if the file cannot be read or the store cannot be written; the store is unchanged
 */
export async function importFile(
  writer: RecordWriter,
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
      await writer.drain();
      options.onProgress?.({
        bytesRead: input.bytesRead(),
        bytesTotal: input.bytesTotal,
        lines: run.lines,
      });
    }
  });
}

/** Imports envelopes that are already parsed, such as those of a generator; `name` replaces the file name. */
export async function importEnvelopes(
  writer: RecordWriter,
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
      if (number % 1000 === 0) {
        await writer.drain();
      }
    }
  });
}

async function inTransaction(
  writer: RecordWriter,
  run: ImportRun,
  options: ImportOptions,
  work: () => Promise<void>,
): Promise<ImportReport> {
  try {
    await writer.begin(options.waitMs ?? 600_000, options.onWaiting);
    await work();
    await run.settle();
    if (run.isAcceptable) {
      await options.beforeCommit?.(run.report());
      await writer.commit();
    } else {
      await writer.rollback();
    }
  } catch (error) {
    await writer.rollback();
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
  const problem = storeProblem(error) ?? postgresProblem(error);
  if (problem === undefined) {
    return error;
  }
  const message = `${run.name}: ${problem} Nothing was imported from this file; the store is unchanged.`;
  return new ImportFailedError('store', message, error);
}

class ImportRun {
  lines = 0;
  gaveUp = false;
  readonly name: string;
  readonly #writer: RecordWriter;
  readonly #options: ImportOptions;
  readonly #shown: number;
  readonly #refused: RefusedLine[] = [];
  #refusedCount = 0;
  readonly #warnings: ImportWarning[] = [];
  #warningCount = 0;
  readonly #teams = new Set<string>();
  #lastTeam: Uint8Array = Buffer.alloc(0);
  readonly #counts = noCounts();

  constructor(writer: RecordWriter, name: string, options: ImportOptions) {
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
    const { record } = read;
    const line = { number, text: this.#options.onRefused && read.text };
    const problem =
      this.#foreignTeam(record) ?? this.#writer.put(record, this.#counts[record.kind], line);
    if (problem !== undefined) {
      this.#refuse(number, [problem], read.text);
      return;
    }
    this.#noteTeam(record.team);
    for (const warning of read.warnings) {
      this.#warningCount += 1;
      if (this.#warnings.length < this.#shown) {
        this.#warnings.push({ file: this.name, line: number, ...reasonOf(warning) });
      }
    }
  }

  /** Neighbouring lines usually have the same team. */
  #noteTeam(team: Uint8Array): void {
    if (Buffer.compare(team, this.#lastTeam) !== 0) {
      this.#lastTeam = team;
      this.#teams.add(uuidText(team));
    }
  }

  #foreignTeam({ kind, team }: StoreRecord): Issue | undefined {
    const { team: only } = this.#options;
    return only === undefined || Buffer.compare(only, team) === 0
      ? undefined
      : {
          path: kind === 'user' || kind === 'order' ? [kind, 'team_id'] : ['team_id'],
          message: 'is not the team given with --team',
        };
  }

  /** Problems that the writer finds only at the end. */
  async settle(): Promise<void> {
    if (this.gaveUp) {
      return;
    }
    const allOrNothing = this.#options.onRefused === undefined;
    const how = { allOrNothing, clean: this.#refusedCount === 0 };
    this.#options.onStep?.('merging lines', this.lines);
    for await (const late of this.#writer.settle(this.#counts, how, this.#options.onStep)) {
      if (this.#refuseLate(late)) {
        this.lines = late.line.number;
        return;
      }
    }
  }

  #refuseLate({ line, issue }: LateRefusal): boolean {
    const warned = this.#warnings.length;
    const others = this.#warnings.filter((warning) => warning.line !== line.number);
    this.#warnings.splice(0, warned, ...others);
    this.#warningCount -= warned - others.length;
    this.#refuse(line.number, [issue], line.text);
    return this.gaveUp;
  }

  report(): ImportReport {
    return {
      file: this.name,
      imported: this.isAcceptable,
      lines: this.lines,
      counts: this.#counts,
      refused: { count: this.#refusedCount, first: this.#refused, gaveUp: this.gaveUp },
      warnings: { count: this.#warningCount, first: this.#warnings },
      teams: [...this.#teams].sort(),
    };
  }

  #refuse(line: number, issues: readonly Issue[], text: string | undefined): void {
    this.#refusedCount += 1;
    const refused = { file: this.name, line, reasons: issues.slice(0, 20).map(reasonOf) };
    const last = this.#refused.at(-1);
    if (this.#refused.length < this.#shown || (last !== undefined && line < last.line)) {
      // Lines that are refused late may precede those that were refused earlier.
      this.#refused.push(refused);
      this.#refused.sort((one, other) => one.line - other.line).splice(this.#shown);
    }
    if (this.#options.onRefused !== undefined) {
      this.#options.onRefused({ ...refused, text });
    } else if (this.#refusedCount >= (this.#options.giveUpAfter ?? 10_000)) {
      this.gaveUp = true;
    }
  }
}
