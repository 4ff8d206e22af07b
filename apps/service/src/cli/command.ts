import { isUuid } from '@caregate/domain';
import { type ImportDatabase, openStoreForWriting, type PersonEraser } from '@caregate/data-store';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { AccessStore } from '../auth/access-store.ts';
import { BreakGlassError } from '../auth/break-glass/break-glass-error.ts';
import { RuleError } from '../auth/rules.ts';
import type { AuditRecord, RecordFilter } from '../audit/audit-record.ts';
import { OperatorError } from '@caregate/data-store/errors';
import { readDatabase } from '../config/read-config.ts';
import { findRecords } from './audit/audit-work.ts';
import { CommandLog } from './common/command-log.ts';
import { openAccess, withEraser } from '../open-data.ts';
import { sanitizeText } from './common/printable.ts';
import type { ProgressLine } from './common/progress-line.ts';
import {
  createOutput,
  print,
  runCommand,
  type Outcome,
  type Output,
} from './common/run-command.ts';

export function buildDataCommand(name: string, summary: string): Command {
  return new Command(name)
    .summary(summary)
    .description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`)
    .addOption(
      new Option(
        '--data <dir>',
        'data folder, created if missing; with DATABASE_URL, the folder with the key that signs the audit log',
      ).env('CAREGATE_DATA'),
    );
}

/** @param operand the argument after the command's name, if it has one */
type Run<Subject, Result> = (subject: Subject, options: never, operand: never) => Result;

/** Creates the action of a command. It runs `work`, prints its result, and explains its errors. */
export function createAction(
  work: Run<CommandContext, Promise<Outcome> | Promise<void>>,
): (...parameters: unknown[]) => Promise<void> {
  return async (...parameters) => {
    const options = (parameters.at(-1) as Command).optsWithGlobals<{ data?: string }>();
    const operand = parameters.at(-3);
    await runCommand((progress) =>
      work(new CommandContext(options.data, progress), options as never, operand as never),
    );
  };
}

/**
 * Like `createAction`, for a command that changes API keys, staff, desks or grants. Each change is recorded before it takes
 * effect.
 */
export function createChangeAction(
  work: Run<AccessStore, Promise<Output>>,
): (...parameters: unknown[]) => Promise<void> {
  return createAction((context, options, operand) =>
    context.changeAccess((store) => work(store, options, operand)),
  );
}

/**
 * Opens and closes the stores of a command, and gives them the audit log that records each change before it takes
 * effect.
 */
export class CommandContext {
  readonly progress: ProgressLine;
  readonly #data: string | undefined;
  readonly #database = readDatabase(process.env);
  #log: CommandLog | undefined;

  constructor(data: string | undefined, progress: ProgressLine) {
    this.#data = data;
    this.progress = progress;
  }

  /** @throws OperatorError without a data folder, since it has the signing key */
  get log(): CommandLog {
    if (this.#data === undefined) {
      throw new OperatorError(
        this.#database === undefined
          ? 'No data folder: use --data DIR.'
          : '--data DIR is required with DATABASE_URL too: this command is recorded in a log signed with the key in that folder.',
        2,
      );
    }
    return (this.#log ??= new CommandLog({ dataDir: this.#data, database: this.#database }));
  }

  get where(): { readonly dataDir: string; readonly databaseUrl: string } {
    const databaseUrl = this.#database?.url ?? '';
    return { dataDir: this.#data ?? '', databaseUrl };
  }

  async readAccess<T>(work: (store: AccessStore) => Promise<T>): Promise<T> {
    return await this.#withAccess(work);
  }

  /** Opens API keys, staff, desks and grants for changes. Each change is recorded before it takes effect. */
  async changeAccess(work: (store: AccessStore) => Promise<Output>): Promise<void> {
    const { acts } = this.log;
    try {
      await this.#withAccess(async (store) => {
        // Print before closing the store, which may fail: a secret is shown only once.
        print(await work(store));
      }, acts);
    } catch (error) {
      const option = findWrongOption(error);
      throw option === undefined
        ? error
        : new OperatorError(`--${option}: ${(error as Error).message}`, 2, error);
    }
  }

  async #withAccess<T>(
    work: (store: AccessStore) => Promise<T>,
    acts?: CommandLog['acts'],
  ): Promise<T> {
    const { where } = this;
    if (where.databaseUrl === '' && this.#data === undefined) {
      throw new OperatorError('No key store: use --data DIR or set DATABASE_URL.', 2);
    }
    return await runAndClose(await openAccess(where, acts), work);
  }

  /**
   * Opens the store of health data to read or erase people. @throws OperatorError if there is no store; none is
   * created
   */
  async withPeople<T>(work: (store: PersonEraser) => Promise<T>): Promise<T> {
    return await withEraser(this.where, work);
  }

  /** Opens the store of health data for imports, and creates it if it is missing. */
  async withImports<T>(work: (database: ImportDatabase) => Promise<T>, waitMs: number): Promise<T> {
    const { databaseUrl } = this.where;
    const dataDir = databaseUrl === '' ? this.log.dataDir : '';
    const database = await openStoreForWriting(
      { dataDir, databaseUrl },
      Math.min(waitMs, 60_000),
      (reason) => {
        process.stderr.write(`Waiting for the database: ${reason}\n`);
      },
    );
    return await runAndClose(database, work);
  }

  async findRecords(filter: RecordFilter): Promise<AuditRecord[]> {
    return await findRecords(this.#data ?? '', filter, this.progress);
  }
}

async function runAndClose<Store extends { close(): Promise<void> }, T>(
  store: Store,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

function findWrongOption(error: unknown): string | undefined {
  if (error instanceof RuleError) {
    return error.option;
  }
  return error instanceof BreakGlassError && error.reason === 'own' ? 'by' : undefined;
}

export function parseUuid(text: string): string {
  if (!isUuid(text)) {
    throw new InvalidArgumentError('Expected a UUID.');
  }
  return text.toLowerCase();
}

export function buildListCommand<Item extends object>(
  what: string,
  listing: {
    readonly none: string;
    readonly read: (store: AccessStore, teamId: string | undefined) => Promise<readonly Item[]>;
    readonly header: readonly string[];
    readonly row: (item: Item) => readonly string[];
  },
): Command {
  return buildDataCommand('list', `list ${what}`)
    .option('--team <uuid>', 'only this team')
    .action(
      createAction(async (context, { team }: { team?: string }) => {
        const items = await context.readAccess((store) => listing.read(store, team));
        const { header, none } = listing;
        return createOutput(items.map(toJson), () =>
          formatTable(header, items.map(listing.row), none),
        );
      }),
    );
}

/** Creates a command that revokes an API key or desk, or disables a staff member, by ID. */
export function buildEndCommand(
  name: string,
  summary: string,
  definition: {
    readonly argument: readonly [name: string, help: string];
    readonly end: (store: AccessStore, id: string) => Promise<void>;
    readonly noun: 'Key' | 'Desk' | 'Staff';
    readonly state: 'revoked' | 'disabled';
  },
): Command {
  return buildDataCommand(name, summary)
    .argument(...definition.argument)
    .action(
      createChangeAction(async (store, _options, id: string) => {
        await definition.end(store, id);
        const { noun, state } = definition;
        const ended = { [`${noun.toLowerCase()}_id`]: id, state };
        return createOutput(ended, () => `${noun} ${id} was ${state}.\n`);
      }),
    );
}

function toJson(item: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(item).map(([name, value]: [string, unknown]) => [
      name.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`),
      value ?? null,
    ]),
  );
}

/** Formats rows as columns with a header, or says that there are none. */
export function formatTable(
  header: readonly string[],
  body: readonly (readonly string[])[],
  none?: string,
): string {
  if (body.length === 0 && none !== undefined) {
    return `${none}\n`;
  }
  const rows = [header, ...body].map((row) => row.map(sanitizeText));
  const widths = header.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = rows.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '));
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}
