import { printable } from './printable.ts';
import { isUuid } from '@caregate/domain';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { AccessStore } from '../../access/access-store.ts';
import { BreakGlassError } from '../../access/break-glass-store.ts';
import { RuleError } from '../../access/rules.ts';
import { OperatorError } from '../../config/operator-error.ts';
import { CommandLog } from './command-log.ts';
import { withAccess } from './open-access.ts';
import type { ProgressLine } from './progress-line.ts';
import { output, print, runCommand, type Outcome, type Output } from './run-command.ts';

export interface Common {
  readonly data?: string;
}

export function base(name: string, summary: string): Command {
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

export function uuid(text: string): string {
  if (!isUuid(text)) {
    throw new InvalidArgumentError('Expected a UUID.');
  }
  return text.toLowerCase();
}

export function listCommand<Item extends object>(
  what: string,
  listing: {
    readonly none: string;
    readonly read: (store: AccessStore, teamId: string | undefined) => Promise<readonly Item[]>;
    readonly header: readonly string[];
    readonly row: (item: Item) => readonly string[];
  },
): Command {
  return base('list', `list ${what}`)
    .option('--team <uuid>', 'only this team')
    .action((options: Common & { readonly team?: string }) =>
      withStore(options, async (store) => {
        const items = await listing.read(store, options.team);
        const rows = [listing.header, ...items.map(listing.row)];
        const text = items.length === 0 ? listing.none : columns(rows);
        return output(items.map(asJson), `${text}\n`);
      }),
    );
}

export function endCommand(
  name: string,
  summary: string,
  of: {
    readonly argument: readonly [name: string, help: string];
    readonly end: (store: AccessStore, id: string) => Promise<void>;
    readonly json: (id: string) => object;
    readonly text: (id: string) => string;
  },
): Command {
  return base(name, summary)
    .argument(...of.argument)
    .action((id: string, options: Common) =>
      withRecordedStore(options, async (store) => {
        await of.end(store, id);
        return output(of.json(id), `${of.text(id)}\n`);
      }),
    );
}

export async function withRecordedStore(
  options: Common,
  work: (store: AccessStore) => Promise<Output>,
): Promise<void> {
  await runCommand(async () => {
    try {
      // Printed before the store is closed, which may fail: a secret is shown this once.
      const printed = async (store: AccessStore): Promise<void> => {
        print(await work(store));
      };
      await withAccess(options.data, printed, CommandLog.of(options.data).acts);
    } catch (error) {
      const option = optionOf(error);
      throw option === undefined
        ? error
        : new OperatorError(`--${option}: ${(error as Error).message}`, 2, error);
    }
  });
}

function optionOf(error: unknown): string | undefined {
  if (error instanceof RuleError) {
    return error.option;
  }
  return error instanceof BreakGlassError && error.reason === 'own' ? 'by' : undefined;
}

export async function withStore(
  options: Common,
  work: (store: AccessStore, progress: ProgressLine) => Promise<Outcome>,
): Promise<void> {
  await runCommand((progress) => withAccess(options.data, (store) => work(store, progress)));
}

function asJson(item: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(item).map(([name, value]: [string, unknown]) => [
      name.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`),
      value ?? null,
    ]),
  );
}

export function columns(all: readonly (readonly string[])[]): string {
  const rows = all.map((row) => row.map(printable));
  const widths = rows[0]?.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths?.[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
