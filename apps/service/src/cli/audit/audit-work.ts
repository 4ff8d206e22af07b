import { InvalidArgumentError, Option, type Command } from 'commander';
import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { PostgresLogReader } from '@caregate/audit-log/postgres';
import { AuditBrokenError, logPaths, type LogSource } from '@caregate/audit-log';
import { recordActs } from '../../audit/record-acts.ts';
import { systemEntry, ALARMS } from '../../audit/system-record.ts';
import type pg from 'pg';
import { inFolder, logsOfDatabase, type AnyLogReader } from '../../audit/offline/open-log.ts';
import { tellReading } from '../../audit/offline/tell-reading.ts';
import { errorCode, OperatorError } from '../../config/operator-error.ts';
import { readDatabase, type Database } from '../../config/read-config.ts';
import { openPostgres, waitForPostgres } from '../../database/postgres/open-postgres.ts';
import type { ProgressLine } from '../start/progress-line.ts';
import { runCommand, type Outcome } from '../start/run-command.ts';

export function withData(command: Command): Command {
  return command.addOption(
    new Option('--data <dir>', 'data folder')
      .env('CAREGATE_DATA')
      .makeOptionMandatory(!process.env['DATABASE_URL']),
  );
}

export function withLog(command: Command): Command {
  return withData(command).addOption(
    new Option('--log <id>', 'id of the log, with DATABASE_URL').argParser((id) => {
      if (!/^[0-9a-f]{12}$/u.test(id)) {
        throw new InvalidArgumentError('Not a log id: expected 12 hexadecimal digits.');
      }
      return id;
    }),
  );
}

export async function onDatabase<T>(
  work: (pool: pg.Pool, database: Database) => Promise<T>,
  otherwise: () => T | Promise<T>,
): Promise<T> {
  const database = readDatabase(process.env);
  if (database === undefined) {
    return await otherwise();
  }
  const pool = openPostgres(database.url, {
    applicationName: 'caregate audit command',
    connections: 1,
    statementTimeoutMs: 0,
    connectTimeoutMs: 10_000,
  });
  try {
    await waitForPostgres(pool, 0);
    return await work(pool, database);
  } finally {
    await pool.end();
  }
}

export async function withLogs<T>(
  { data, log }: { readonly data: string; readonly log?: string },
  progress: ProgressLine,
  work: (logs: readonly AnyLogReader[]) => Promise<T>,
): Promise<T> {
  const telling = <L extends LogSource>(one: L): L =>
    tellReading(one, (done, of) => {
      progress.draw('records', done, of);
    });
  return await alarming(data, () =>
    onDatabase(
      async (pool) => await work((await logsOfDatabase(pool, log)).map(telling)),
      () => inFolder(data, (one) => work([telling(one)])),
    ),
  );
}

export function hasLog(data: string): Promise<boolean> {
  return onDatabase(
    async (pool) => (await PostgresLogReader.all(pool)).length > 0,
    () => data !== '' && existsSync(logPaths(resolve(data)).audit),
  );
}

/** A log that does not hold is an error to whoever reads it, and the alarm `proofFailed`, where there is a key to record it. */
async function alarming<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AuditBrokenError && existsSync(logPaths(dataDir).key)) {
      const database = readDatabase(process.env);
      // A log that takes no records says so itself at its next start.
      await recordActs({ dataDir, database }, [systemEntry(ALARMS['proof-failed'])]).catch(
        () => undefined,
      );
    }
    throw error;
  }
}

/** Runs a command on the audit log. Every failure exits with 1, since 2 means an altered log in `audit`. */
export async function auditWork(
  work: (progress: ProgressLine) => Outcome | Promise<Outcome>,
): Promise<void> {
  await runCommand(async (progress) => {
    try {
      return await work(progress);
    } catch (error) {
      // A size or position outside the log.
      throw error instanceof RangeError ? new OperatorError(error.message, 1, error) : error;
    }
  }, 1);
}

/** Runs `work` on a new file for its owner alone, or on none; after a failure there is no file. @throws OperatorError */
export async function intoNewFile(
  file: string | undefined,
  work: (descriptor: number | undefined) => Promise<void>,
): Promise<void> {
  if (file === undefined) {
    await work(undefined);
    return;
  }
  let descriptor: number;
  try {
    descriptor = openSync(file, 'wx', 0o600);
  } catch (error) {
    throw new OperatorError(`--out ${file}: cannot be created (${errorCode(error)}).`, 2, error);
  }
  try {
    await work(descriptor);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}
