import { Command, Option } from 'commander';
import type { AccessStore } from '../../access/access-store.ts';
import { StaffRuleError } from '../../access/staff/staff-rules.ts';
import { KeyRuleError } from '../../access/keys/key-rules.ts';
import { OperatorError } from '../../config/operator-error.ts';
import { CommandLog } from './command-log.ts';
import { withAccess } from './open-access.ts';
import { runCommand } from './run-command.ts';

/** Options of the commands on people and desks. */
export interface Common {
  readonly data?: string;
  readonly json?: true;
}

/** A subcommand with the options of all. */
export function base(name: string, summary: string): Command {
  return new Command(name)
    .summary(summary)
    .description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`)
    .addOption(
      new Option(
        '--data <dir>',
        'data folder, created if missing; with DATABASE_URL, the folder with the key that signs the audit log',
      ).env('CAREGATE_DATA'),
    )
    .option('--json', 'print JSON');
}

/** Runs a command that changes people or desks, which is recorded. */
export async function withRecordedStore(
  options: Common,
  work: (store: AccessStore) => Promise<void>,
): Promise<void> {
  await runCommand(async () => {
    try {
      await withAccess(options.data, work, CommandLog.of(options.data).acts);
    } catch (error) {
      throw isOfOption(error)
        ? new OperatorError(`--${error.field}: ${error.message}`, 2, error)
        : error;
    }
  });
}

/** Whether an error is about an option, and not about the argument of a command. */
function isOfOption(error: unknown): error is StaffRuleError | KeyRuleError {
  const isRule = error instanceof StaffRuleError || error instanceof KeyRuleError;
  return isRule && !['staff', 'desk', 'badge'].includes(error.field);
}

/** Runs a command that only reads. */
export async function withStore(
  options: Common,
  work: (store: AccessStore) => Promise<void>,
): Promise<void> {
  await runCommand(() => withAccess(options.data, work));
}

export function print(options: Common, json: unknown, text: string): void {
  process.stdout.write(`${options.json === true ? JSON.stringify(json) : text}\n`);
}

/** Rows with their columns under each other; the first is the header. */
export function columns(rows: readonly (readonly string[])[]): string {
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
