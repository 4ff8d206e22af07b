import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { getLogFile, readLogId, type LogReader } from '@caregate/audit-log';
import { getStoreFile } from '@caregate/data-store';
import {
  hasPostgresTables,
  createPostgresKysely,
  requireNotMoved,
  describeStoreProblem,
  waitForPostgres,
} from '@caregate/data-store/database';
import type pg from 'pg';
import { countRows, describeLostStore, findEvidenceOfLog } from '../../audit/lost-data.ts';
import { withDatabaseLogs, withFolderLog } from '../../audit/read-logs.ts';
import { parseRecord } from '../../audit/audit-record.ts';
import { getErrorCode, OperatorError } from '@caregate/data-store/errors';
import { toOperatorError } from '../../config/to-operator-error.ts';
import { hasNoInodes, readSpace } from '../../health/disk-watch.ts';
import { readCertificate, type CertificateFiles } from '../../http/tls-certificate.ts';
import { formatAge } from '../common/age-text.ts';

export interface Finding {
  readonly check: string;
  readonly level: 'ok' | 'warning' | 'fault';
  readonly what: string;
  /** A command or an instruction for the operator; '' if all is well. */
  readonly next: string;
}

/** A problem that the operator should know about, while the service works. */
class Warning extends OperatorError {}

export class Examination {
  readonly findings: Finding[] = [];

  /**
   * @param next what to do if the check fails
   * @param look returns a sentence or nothing if all is well; throws an OperatorError for a fault
   * @returns whether it found no fault
   */
  async check(check: string, next: string, look: () => unknown): Promise<boolean> {
    try {
      const what = await look();
      if (typeof what === 'string') {
        this.findings.push({ check, level: 'ok', what, next: '' });
      }
      return true;
    } catch (error) {
      const operatorError = toOperatorError(error);
      if (!(operatorError instanceof OperatorError)) {
        throw error;
      }
      const level = operatorError instanceof Warning ? 'warning' : 'fault';
      for (const what of operatorError.message.split('\n')) {
        this.findings.push({ check, level, what, next });
      }
      return level === 'warning';
    }
  }
}

const MIB = 2 ** 20;
/** With less free space, records will be refused sooner or later. */
const LEAST_FREE = 256 * MIB;
const LOW_FREE = 2048 * MIB;
const RENEW_WITHIN_MS = 30 * 86_400_000;
/** Verifying more records would take more than about ten seconds. */
const MOST_VERIFIED = 1_000_000;
/**
 * Time in milliseconds within which a patient should be imported after their result. The alert CaregateResultsWait
 * uses the same.
 */
const LONGEST_WAIT_MS = 4 * 3_600_000;

/** Checks certificate, folder and disk. @returns whether there is a data folder to check */
export async function checkMachine(
  examination: Examination,
  folder: string,
  files: CertificateFiles,
): Promise<boolean> {
  if (files.tlsCert !== '') {
    const next = `Renew it, and replace ${files.tlsCert} and ${files.tlsKey}: the service takes them without a restart.`;
    await examination.check('certificate', next, () => {
      const { expires } = readCertificate(files);
      if (expires.getTime() - Date.now() < RENEW_WITHIN_MS) {
        throw new Warning(`It expires at ${expires.toISOString()}.`);
      }
      return `Valid until ${expires.toISOString()}.`;
    });
  }
  await examination.check('folder', `ls -ld ${folder}; findmnt -T ${folder}`, () => {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  });
  if (!existsSync(folder)) {
    return false;
  }
  await checkOwner(examination, folder);
  await checkDisk(examination, folder);
  return true;
}

export async function checkOwner(examination: Examination, folder: string): Promise<void> {
  const { uid, gid, mode } = statSync(folder);
  const next = `chown -R ${uid}:${gid} ${folder}; chmod 700 ${folder}`;
  await examination.check('folder', next, () => {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const file = join(folder, name);
      const owner = statSync(file, { throwIfNoEntry: false })?.uid ?? uid;
      if (owner !== uid) {
        throw new OperatorError(
          `${file} belongs to user ${owner}, the folder to ${uid}: the service can't write it.`,
        );
      }
    }
    if ((mode & 0o077) !== 0) {
      throw new OperatorError(`Other users may read ${folder}.`);
    }
    return `${folder} belongs to user ${uid} alone.`;
  });
}

export async function checkDisk(examination: Examination, folder: string): Promise<void> {
  await examination.check('disk', `df -h ${folder}; df -i ${folder}`, async () => {
    if (hasNoInodes(folder)) {
      throw new OperatorError(`The disk of ${folder} takes no more files.`);
    }
    const { freeBytes } = await readSpace(folder);
    const what = `${Math.floor(freeBytes / MIB)} MiB are free for ${folder}.`;
    if (freeBytes < LOW_FREE) {
      throw freeBytes < LEAST_FREE ? new OperatorError(what) : new Warning(what);
    }
    return what;
  });
}

export async function checkFolder(examination: Examination, folder: string): Promise<void> {
  const isHere = await examination.check('store', 'caregate serve --help', () => {
    requireNotMoved(folder);
  });
  if (!isHere) {
    return;
  }
  const restore = `Stop the service, then caregate restore BACKUP --data ${folder}, with the newest backup.`;
  await examination.check('store.db', restore, async () => {
    // Another check reports a broken log.
    const lost = await describeLostStore(folder).catch(() => undefined);
    if (lost !== undefined) {
      throw new OperatorError(lost);
    }
    return checkFile(folder, 'store.db', 'users');
  });
  await examination.check('access.db', restore, () => checkFile(folder, 'access.db', 'teams'));
  await checkResults(examination, folder, (aggregate) =>
    countRows(
      getStoreFile(folder),
      `select ${aggregate} as rows from hl7_messages where waits_for <> ''`,
    ),
  );
  const next = `caregate audit verify --data ${folder} says where; caregate restore BACKUP --data ${folder} puts the log of a backup there. If there is none: caregate audit new-log --data ${folder} --reason TEXT`;
  await examination.check('audit log', next, async () => {
    if (existsSync(getLogFile(folder))) {
      return await withFolderLog(folder, (log) => verifyAll([log]));
    }
    const shown = findEvidenceOfLog(folder);
    if (shown !== undefined || readLogId(folder) !== undefined) {
      throw new OperatorError(
        `The log is missing: ${shown ?? 'audit-log-id in the folder names it'}.`,
      );
    }
    return 'None yet; the first start creates it.';
  });
  await checkClock(examination, 'The newest record of the log', async () => {
    const readNewest = async (log: LogReader): Promise<number> => {
      const tree = await log.tree();
      const { body, seq } = await tree.record(tree.head.size - 1);
      return parseRecord(body, { logId: log.identity.logId, seq }).recorded_at_us / 1000;
    };
    // An unreadable log has no newest record.
    return await withFolderLog(folder, readNewest).catch(() => 0);
  });
}

function checkFile(folder: string, name: string, table: string): string {
  const file = join(folder, name);
  if (!existsSync(file)) {
    throw new Warning(`${folder} has no ${name} yet: caregate serve makes it.`);
  }
  const url = pathToFileURL(file);
  if (!existsSync(`${file}-shm`)) {
    // While no process has the database open, SQLite would create files beside it, which root would own.
    url.search = 'immutable=1';
  }
  try {
    const db = new DatabaseSync(url, { readOnly: true });
    try {
      if (db.prepare('pragma quick_check(1)').get()?.['quick_check'] !== 'ok') {
        throw new OperatorError(`${file} is damaged: it fails SQLite's check.`);
      }
      db.prepare(`select 1 from ${table}`);
    } finally {
      db.close();
    }
  } catch (error) {
    if (getErrorCode(error) !== 'ERR_SQLITE_ERROR') {
      throw error;
    }
    const problem = describeStoreProblem(error)?.replace('store.db', name);
    const what = problem ?? 'Some of its tables are missing.';
    throw new OperatorError(`${file}: ${what}`, 1, error);
  }
  return `${file} passes SQLite's check.`;
}

/** Checks data in PostgreSQL. @param dataDir the data folder with the key that signs the log */
export async function checkDatabase(
  examination: Examination,
  pool: pg.Pool,
  { databaseUrl: url, dataDir }: { readonly databaseUrl: string; readonly dataDir: string },
): Promise<void> {
  const readNumber = async (query: string): Promise<number> =>
    Number((await pool.query<{ value: unknown }>(query)).rows[0]?.value);
  const next = 'Check DATABASE_URL, and the server: systemctl status postgresql';
  const answers = await examination.check('database', next, async () => {
    await waitForPostgres(pool, 0);
    return 'It answers.';
  });
  if (!answers) {
    return;
  }
  await checkClock(examination, 'The clock of the database', () =>
    readNumber('select extract(epoch from clock_timestamp()) * 1000 as value'),
  );
  await checkResults(examination, dataDir, async (aggregate) =>
    (await hasPostgresTables(createPostgresKysely(pool), 'store'))
      ? await readNumber(
          `select ${aggregate} as value from store.hl7_messages where waits_for <> ''`,
        )
      : undefined,
  );
  await examination.check('audit log', 'caregate audit verify', () =>
    withDatabaseLogs({ url, replicated: false }, { data: dataDir }, verifyAll),
  );
}

async function verifyAll(logs: readonly LogReader[]): Promise<string> {
  let done = 0;
  for (const log of logs) {
    const { end: records } = await log.storage.readSeqRange(log.identity.logId);
    if (records > MOST_VERIFIED) {
      throw new Warning(`${records} records were not read.`);
    }
    done += (await log.verify()).size;
  }
  return `${done} records, each as it was written.`;
}

async function checkClock(
  examination: Examination,
  what: string,
  readMs: () => Promise<number>,
): Promise<void> {
  await examination.check('clock', 'timedatectl status', async () => {
    const ahead = Math.round(((await readMs()) - Date.now()) / 60_000);
    if (ahead > 0) {
      throw new OperatorError(`${what} is ${ahead} minutes ahead of this machine's clock.`);
    }
    return new Date().toISOString();
  });
}

/**
 * Checks for lab results that nobody sees, since their patient couldn't be identified.
 *
 * @param read selects an aggregate, such as `count(*)`, of the waiting messages
 */
async function checkResults(
  examination: Examination,
  dataDir: string,
  read: (aggregate: string) => number | undefined | Promise<number | undefined>,
): Promise<void> {
  const next = `caregate import pending --data ${dataDir} says what each waits for.`;
  await examination.check('results', next, async () => {
    const messages = await read('count(*)');
    if (messages === undefined) {
      // There is no store, or it can't be read, which another check reports.
      return undefined;
    }
    if (messages === 0) {
      return 'No message of a laboratory waits for its patient.';
    }
    const waitedMs = Date.now() - ((await read('min(received_us)')) ?? 0) / 1000;
    const waiting =
      messages === 1 ? 'message of a laboratory waits' : 'messages of laboratories wait';
    const what = `${messages.toLocaleString('en')} ${waiting} for the patient, the oldest for ${formatAge(waitedMs)}.`;
    if (waitedMs > LONGEST_WAIT_MS) {
      throw new Warning(what);
    }
    return what;
  });
}
