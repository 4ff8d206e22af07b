import { InvalidArgumentError, Option, type Command } from 'commander';
import type pg from 'pg';
import { AuditBrokenError } from '../audit/log/audit-broken-error.ts';
import { NoAuditLogError } from '../audit/log/audit-reader.ts';
import { BadCheckpointError } from '../audit/log/checkpoint.ts';
import { RetentionError } from '../audit/retention/retention-error.ts';
import { readDatabaseUrl } from '../config/read-config.ts';
import { openPostgres, waitForPostgres } from '../database/postgres/open-postgres.ts';
import { startError, StartError } from './start-problem.ts';

/** Why a command on the audit log was not done, in words for the person who gave it. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

export function withData(command: Command): Command {
  return command.addOption(
    new Option('--data <dir>', 'data folder')
      .env('CAREGATE_DATA')
      .makeOptionMandatory(!process.env['DATABASE_URL']),
  );
}

/** With a choice of a log, for a database that holds many. */
export function withLog(command: Command): Command {
  return withData(command).addOption(
    new Option('--log <id>', 'with DATABASE_URL: the log that is meant').argParser((id) => {
      if (!/^[0-9a-f]{12}$/u.test(id)) {
        throw new InvalidArgumentError('It is not the id of a log.');
      }
      return id;
    }),
  );
}

/** Does something with the database that `DATABASE_URL` names; where none is named, gives what `otherwise` does. */
export async function onDatabase<T>(
  work: (pool: pg.Pool, url: string) => Promise<T>,
  otherwise: () => T | Promise<T>,
): Promise<T> {
  const url = readDatabaseUrl(process.env);
  if (url === '') {
    return await otherwise();
  }
  const pool = openPostgres(url, {
    applicationName: 'caregate audit command',
    connections: 1,
    statementTimeoutMs: 0,
    connectTimeoutMs: 10_000,
  });
  try {
    await waitForPostgres(pool, 0);
    return await work(pool, url);
  } finally {
    await pool.end();
  }
}

/** Ends a command that does not work on a database, before it begins. */
export function inFoldersAlone(command: Command): Command {
  return command.hook('preAction', () => {
    if (readDatabaseUrl(process.env) !== '') {
      process.stderr.write(
        'On PostgreSQL nothing is cut off audit logs yet: every record is kept. Without DATABASE_URL this works on a data folder.\n',
      );
      process.exit(1);
    }
  });
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
