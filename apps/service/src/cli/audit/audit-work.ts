import { InvalidArgumentError, Option, type Command } from 'commander';
import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { AuditBrokenError, NoAuditLogError, SigningKey, type LogReader } from '@caregate/audit-log';
import { recordActs } from '../../audit/open-log.ts';
import { listRecords, type OnRecords } from '../../audit/read-logs.ts';
import { withFolderLog, readLogs, type LogSelection } from '../../audit/read-logs.ts';
import type { AuditRecord, RecordFilter } from '../../audit/audit-record.ts';
import { buildActEntry, ALARMS, buildSystemEntry } from '../../audit/audit-entries.ts';
import { getErrorCode, OperatorError } from '@caregate/data-store/errors';
import { readDatabase } from '../../config/read-config.ts';
import type { ProgressLine } from '../common/progress-line.ts';
import { runCommand, type Outcome } from '../common/run-command.ts';

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

/**
 * Returns all matching records, oldest first; none if there is no log. A broken log is an error and raises an alarm.
 */
export async function findRecords(
  data: string,
  filter: RecordFilter,
  progress: ProgressLine,
): Promise<AuditRecord[]> {
  const onRecords = drawOn(progress);
  return await raiseAlarmIfBroken(data, () =>
    readLogs({ data }, (logs) => listRecords(logs, filter, { onRecords })),
  ).catch((error: unknown) => {
    if (error instanceof NoAuditLogError) {
      return [];
    }
    throw error;
  });
}

interface Reading {
  readonly operation: string;
  readonly details?: Readonly<Record<string, string | number>>;
}

/**
 * Records that the audit log is read, then reads it. A broken log is an error and raises an alarm.
 *
 * @param work gets the checkpoint of a folder's log, whose last record is the one of this reading
 */
export async function readRecorded<T>(
  which: LogSelection & { readonly data: string },
  reading: Reading,
  progress: ProgressLine,
  work: (logs: readonly LogReader[], onRecords: OnRecords, checkpoint?: string) => Promise<T>,
): Promise<T> {
  return await raiseAlarmIfBroken(which.data, async () => {
    const checkpoint = await record(which.data, reading);
    return await readLogs(which, (logs) => work(logs, drawOn(progress), checkpoint));
  });
}

async function record(
  dataDir: string,
  { operation, details = {} }: Reading,
): Promise<string | undefined> {
  const database = readDatabase(process.env);
  const entries = [buildActEntry({ operation, data_category: 'audit', details })];
  if (database !== undefined) {
    await recordActs({ dataDir, database }, entries);
    return undefined;
  }
  // Open an existing log only: a mistyped folder must not get a new log, and a copy without the private key, such as
  // an auditor's, is read-only.
  const checkpoint = await withFolderLog(dataDir, async (log) => (await log.tree()).checkpoint);
  return existsSync(new SigningKey(dataDir).file)
    ? await recordActs({ dataDir }, entries)
    : checkpoint;
}

/** If `work` finds that the log is broken, records the alarm `proofFailed`, or says that it couldn't be recorded. */
async function raiseAlarmIfBroken<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AuditBrokenError)) {
      throw error;
    }
    const database = readDatabase(process.env);
    const alarm = buildSystemEntry(ALARMS['proof-failed']);
    try {
      await recordActs({ dataDir, database }, [alarm]);
    } catch {
      const why = 'the alarm proofFailed could not be recorded, since this log takes no records';
      throw new AuditBrokenError(error.breach, `${error.message}; ${why}`, error.seq);
    }
    throw error;
  }
}

function drawOn(progress: ProgressLine): OnRecords {
  return (done, total) => {
    progress.draw('records', done, total);
  };
}

/**
 * Runs a command on the audit log. Every failure exits with 1, since in `audit` an exit code of 2 means an altered
 * log.
 */
export async function runAuditCommand(
  work: (progress: ProgressLine) => Outcome | Promise<Outcome>,
): Promise<void> {
  await runCommand(work, 1);
}

/**
 * Runs `work` with a new file that only its owner can read, or without a file. Removes the file after a failure.
 * @throws OperatorError
 */
export async function withNewFile(
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
    throw new OperatorError(`--out ${file}: cannot be created (${getErrorCode(error)}).`, 2, error);
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
