import { Option, type Command } from 'commander';
import { AuditBrokenError } from '../audit/log/audit-broken-error.ts';
import { NoAuditLogError } from '../audit/log/audit-reader.ts';
import { BadCheckpointError } from '../audit/log/checkpoint.ts';
import { RetentionError } from '../audit/retention/retention-error.ts';
import { startError, StartError } from './start-problem.ts';

/** Why a command on the audit log was not done, in words for the person who gave it. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

export function withData(command: Command): Command {
  return command.addOption(
    new Option('--data <dir>', 'data folder').env('CAREGATE_DATA').makeOptionMandatory(),
  );
}

type Outcome = string | number | undefined;

/**
 * Prints the text that the work gives, or ends with its number; what is known to go wrong becomes a line, and 1: `audit`
 * keeps 2 for an altered log.
 */
export async function auditWork(work: () => Outcome | Promise<Outcome>): Promise<void> {
  try {
    const outcome = await work();
    if (typeof outcome === 'number') {
      process.exitCode = outcome;
    } else {
      process.stdout.write(outcome ?? '');
    }
  } catch (error) {
    process.stderr.write(`${plainly(error)}\n`);
    process.exitCode = 1;
  }
}

function plainly(error: unknown): string {
  if (error instanceof AuditBrokenError) {
    return `The log does NOT hold (${error.breach}): ${error.message}. Run caregate audit verify.`;
  }
  const known = startError(error);
  if (
    known instanceof StartError ||
    known instanceof RefusedError ||
    known instanceof RetentionError
  ) {
    return known.message;
  }
  if (
    error instanceof NoAuditLogError ||
    error instanceof BadCheckpointError ||
    error instanceof RangeError ||
    (error instanceof Error && 'syscall' in error)
  ) {
    return error.message;
  }
  throw error;
}
