import { InvalidArgumentError, Option, type Command } from 'commander';
import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import {
  AuditBrokenError,
  logFile,
  openDatabaseReaders,
  type LogReader,
} from '@caregate/audit-log';
import { recordActs } from '../../audit/record-acts.ts';
import { systemEntry, ALARMS } from '../../audit/system-record.ts';
import type { OnRecords } from '../../audit/export/records.ts';
import { inDatabase, inFolder } from '../../audit/offline/open-log.ts';
import { members } from '../../audit/record/record-body.ts';
import { errorCode, OperatorError } from '../../config/operator-error.ts';
import { readDatabase, type Database } from '../../config/read-config.ts';
import type { ProgressLine } from '../start/progress-line.ts';
import { runCommand, type Outcome } from '../start/run-command.ts';

export interface LogFlags {
  readonly data: string;
  readonly log?: string;
}

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
  work: (database: Database) => Promise<T>,
  otherwise: () => T | Promise<T>,
): Promise<T> {
  const database = readDatabase(process.env);
  return database === undefined ? await otherwise() : await work(database);
}

/** Reads the log of a folder, or the logs of a database. A log that does not hold is an error and an alarm. */
export async function withLogs<T>(
  { data, log }: LogFlags,
  progress: ProgressLine,
  work: (logs: readonly LogReader[], onRecords: OnRecords) => Promise<T>,
): Promise<T> {
  const onRecords: OnRecords = (done, of) => {
    progress.draw('records', done, of);
  };
  return await raisingAlarm(data, () =>
    onDatabase(
      (database) => inDatabase(database, { data, log }, (logs) => work(logs, onRecords)),
      () => inFolder(data, (one) => work([one], onRecords)),
    ),
  );
}

export function hasLog(data: string): Promise<boolean> {
  return onDatabase(
    async (database) => {
      const logs = await openDatabaseReaders(database, members);
      await logs[0]?.close();
      return logs.length > 0;
    },
    () => data !== '' && existsSync(logFile(data)),
  );
}

/** The alarm `proofFailed` is recorded where there is a key to sign it. */
async function raisingAlarm<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AuditBrokenError) {
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
  await runCommand(work, 1);
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
