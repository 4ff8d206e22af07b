import { InvalidArgumentError, Option, type Command } from 'commander';
import type pg from 'pg';
import { OperatorError } from '../../config/operator-error.ts';
import { readDatabaseUrl } from '../../config/read-config.ts';
import { openPostgres, waitForPostgres } from '../../database/postgres/open-postgres.ts';
import { runCommand, type Outcome } from '../start/run-command.ts';

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

/** Does the work of a command on the audit log. Every failure ends with 1: `audit` keeps 2 for an altered log. */
export async function auditWork(work: () => Outcome | Promise<Outcome>): Promise<void> {
  await runCommand(async () => {
    try {
      return await work();
    } catch (error) {
      // What the log says of a size or position that it does not have.
      throw error instanceof RangeError ? new OperatorError(error.message, 1, error) : error;
    }
  }, 1);
}
