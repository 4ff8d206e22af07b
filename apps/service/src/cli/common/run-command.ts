import { OperatorError } from '@caregate/data-store/errors';
import { toOperatorError } from '../../config/to-operator-error.ts';
import { toSafeJson, sanitizeLines } from './printable.ts';
import { createProgressLine, type ProgressLine } from './progress-line.ts';

/** Output of a command: a value that is printed as JSON, or as text. */
export interface Output {
  readonly value: unknown;
  readonly toText: () => string;
}

/** A number is an exit code. */
export type Outcome = Output | number | undefined;

export function createOutput<Value>(value: Value, toText: (value: Value) => string): Output {
  return { value, toText: () => toText(value) };
}

/** Prints JSON to standard output, or the text. @param textTo stream for the text, such as standard error */
export function print(
  { value, toText }: Output,
  textTo: NodeJS.WritableStream = process.stdout,
): void {
  if (wantsJson()) {
    process.stdout.write(`${toSafeJson(value)}\n`);
  } else {
    textTo.write(sanitizeLines(toText()));
  }
}

/** Prints text for people in addition to the command's value. Prints nothing with `--json`. */
export function printText(text: string): void {
  if (!wantsJson()) {
    process.stdout.write(sanitizeLines(text));
  }
}

/** Checks the arguments before they are parsed, since usage errors are JSON, too. */
function wantsJson(): boolean {
  return process.argv.includes('--json');
}

export function formatFailure(message: string): string {
  return `${wantsJson() ? toSafeJson({ error: message }) : sanitizeLines(message)}\n`;
}

type Work = (progress: ProgressLine) => Outcome | Promise<Outcome> | Promise<void>;

/**
 * Runs a command and sets the exit code. Throws unknown errors. `failure` is the exit code of known errors, for
 * commands where 2 means something else.
 */
export async function runCommand(work: Work, failure?: number): Promise<void> {
  const line = createProgressLine(process.stderr);
  try {
    const outcome = await work(line);
    line.clear();
    if (typeof outcome === 'number') {
      process.exitCode = outcome;
    } else if (typeof outcome === 'object') {
      print(outcome);
    }
  } catch (error) {
    line.clear();
    const operatorError = toOperatorError(error);
    if (!(operatorError instanceof OperatorError)) {
      throw error;
    }
    process.stderr.write(formatFailure(operatorError.message));
    process.exitCode = failure ?? operatorError.exitCode;
  }
}

/** Describes an unexpected error without its message, which may contain data. */
export function describeUnexpectedError(error: unknown): string {
  if (!(error instanceof Error)) {
    return 'caregate failed unexpectedly.';
  }
  const isSystemCall = 'syscall' in error && 'code' in error;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /u.test(line));
  const what = isSystemCall ? `${String(error.code)} in ${String(error.syscall)}` : error.name;
  return [`caregate failed unexpectedly: ${what}`, ...frames].join('\n');
}
