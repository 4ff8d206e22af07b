import type { ImportEnvelope, Warning } from '@caregate/domain';
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
import { splitLines, type Line } from './line-splitter.ts';
import { checked, readLine, type ReadLine } from './read-line.ts';
import { isUnanswered, postgresProblem } from '../../database/postgres/postgres-errors.ts';
import { storeProblem } from '../../database/sqlite/sqlite-errors.ts';
import { uuidText } from '../schema.ts';
import type { ImportWriter } from './import-writer.ts';
import type { StoreRecord } from './record.ts';

/**
 * Imports an NDJSON file, plain or gzip, in one transaction: without `onRefused`, a single invalid line refuses it. Takes some
 * MiB and one line. @throws ImportFailedError if the file cannot be read or the store written; the store is unchanged
 */
export async function importFile(
  writer: ImportWriter,
  input: Input,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const maxBytes = options.maxLineBytes ?? 64 * 2 ** 20;
  const run = new ImportRun(writer, input.name, options);
  return await inTransaction(writer, run, options, async () => {
    for await (const lines of atOnce(splitLines(input.chunks(), maxBytes))) {
      await run.write(
        lines.map((line) => ({ number: line.number, read: readLine(line, maxBytes) })),
      );
      if (run.gaveUp) {
        return;
      }
      options.onProgress?.({
        bytesRead: input.bytesRead(),
        bytesTotal: input.bytesTotal,
        lines: run.lines,
      });
    }
  });
}

const SHOWN = 20;
const envelopesAtOnce = 1000;
/** Of lines that are written at once: each time costs some statements. */
const bytesAtOnce = 2 * 2 ** 20;

async function* atOnce(batches: AsyncIterable<Line[]>): AsyncGenerator<Line[]> {
  let lines: Line[] = [];
  let size = 0;
  for await (const batch of batches) {
    lines = lines.concat(batch);
    size += batch.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0);
    if (size >= bytesAtOnce) {
      yield lines;
      [lines, size] = [[], 0];
    }
  }
  yield lines;
}

export async function importEnvelopes(
  writer: ImportWriter,
  name: string,
  envelopes: Iterable<ImportEnvelope> | AsyncIterable<ImportEnvelope>,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const run = new ImportRun(writer, name, options);
  return await inTransaction(writer, run, options, async () => {
    let number = 0;
    let lines: NumberedLine[] = [];
    for await (const envelope of envelopes) {
      number += 1;
      lines.push({ number, read: checked(envelope, '') });
      if (lines.length >= envelopesAtOnce) {
        await run.write(lines);
        lines = [];
      }
      if (run.gaveUp) {
        return;
      }
    }
    await run.write(lines);
  });
}

async function inTransaction(
  writer: ImportWriter,
  run: ImportRun,
  options: ImportOptions,
  work: () => Promise<void>,
): Promise<ImportReport> {
  let isCommitting = false;
  try {
    await writer.begin(options.waitMs ?? 600_000, options.onWaiting);
    await work();
    if (run.isAcceptable) {
      await options.beforeCommit?.(run.report());
      isCommitting = true;
      await writer.commit();
    } else {
      await writer.rollback();
    }
  } catch (error) {
    await writer.rollback();
    throw failure(run, error, isCommitting);
  }
  return run.report();
}

function failure(run: ImportRun, error: unknown, isCommitting: boolean): unknown {
  if (error instanceof ImportFailedError) {
    return error;
  }
  const problem = storeProblem(error) ?? postgresProblem(error);
  if (problem === undefined) {
    return error;
  }
  const state =
    isCommitting && isUnanswered(error)
      ? 'It did not confirm the commit: this file is imported whole or not at all. Import it again, which changes nothing if it was.'
      : 'Nothing was imported from this file; the store is unchanged.';
  const message = `${run.name}: ${problem} ${state}`;
  return new ImportFailedError('store', message, error);
}

interface NumberedLine {
  readonly number: number;
  readonly read: ReadLine;
}

class ImportRun {
  lines = 0;
  gaveUp = false;
  readonly name: string;
  readonly #writer: ImportWriter;
  readonly #options: ImportOptions;
  readonly #refused: RefusedLine[] = [];
  #refusedCount = 0;
  readonly #warnings: ImportWarning[] = [];
  #warningCount = 0;
  readonly #teams = new Set<string>();
  #lastTeam: Uint8Array = Buffer.alloc(0);
  readonly #counts = noCounts();

  constructor(writer: ImportWriter, name: string, options: ImportOptions) {
    this.#writer = writer;
    this.name = name;
    this.#options = options;
  }

  get isAcceptable(): boolean {
    return this.#refusedCount === 0 || this.#options.onRefused !== undefined;
  }

  async write(lines: readonly NumberedLine[]): Promise<void> {
    const records = lines.flatMap(({ read }) =>
      read.kind === 'record' && !this.#isForeign(read.record) ? [read.record] : [],
    );
    const issues = (await this.#writer.write(records, this.#counts)).values();
    for (const { number, read } of lines) {
      if (read.kind === 'empty') {
        continue;
      }
      this.lines += 1;
      if (read.kind === 'refused') {
        this.#refuse(number, read.issues, read.text);
      } else {
        const issue = this.#isForeign(read.record) ? foreign(read.record) : issues.next().value;
        if (issue === undefined) {
          this.#accept(number, read.record, read.warnings);
        } else {
          this.#refuse(number, [issue], read.text);
        }
      }
      if (this.gaveUp) {
        return;
      }
    }
  }

  #accept(line: number, record: StoreRecord, warnings: readonly Warning[]): void {
    this.#noteTeam(record.team);
    for (const warning of warnings) {
      this.#warningCount += 1;
      if (this.#warnings.length < SHOWN) {
        this.#warnings.push({ file: this.name, line, ...reasonOf(warning) });
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

  #isForeign({ team }: StoreRecord): boolean {
    const { team: only } = this.#options;
    return only !== undefined && Buffer.compare(only, team) !== 0;
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
    const refused = { file: this.name, line, reasons: issues.slice(0, SHOWN).map(reasonOf) };
    if (this.#refused.length < SHOWN) {
      this.#refused.push(refused);
    }
    if (this.#options.onRefused !== undefined) {
      this.#options.onRefused({ ...refused, text });
    } else if (this.#refusedCount >= (this.#options.giveUpAfter ?? 10_000)) {
      this.gaveUp = true;
    }
  }
}

function foreign({ kind }: StoreRecord): Issue {
  return {
    path: kind === 'user' || kind === 'order' ? [kind, 'team_id'] : ['team_id'],
    message: 'is not the team given with --team',
  };
}
