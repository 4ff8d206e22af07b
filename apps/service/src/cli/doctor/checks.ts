import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { logFile, readLogId, type LogReader } from '@caregate/audit-log';
import { storeFile } from '@caregate/data-store';
import {
  hasPostgresTables,
  kyselyOver,
  requireNotMoved,
  storeProblem,
  waitForPostgres,
} from '@caregate/data-store/database';
import type pg from 'pg';
import { countRows, lostStore, whatShowsALog } from '../../audit/lost-data.ts';
import { inDatabase, inFolder } from '../../audit/read-logs.ts';
import { parseRecord } from '../../audit/audit-record.ts';
import { errorCode, OperatorError } from '../../config/operator-error.ts';
import { toOperatorError } from '../../config/to-operator-error.ts';
import { hasNoInodes, spaceOf } from '../../health/disk-watch.ts';
import { readCertificate, type CertificateFiles } from '../../http/tls-certificate.ts';
import { ageText } from '../common/age-text.ts';

export interface Finding {
  readonly check: string;
  readonly level: 'ok' | 'warning' | 'fault';
  readonly what: string;
  /** A command, or what to do; '' where all is well. */
  readonly next: string;
}

export interface Check {
  readonly check: string;
  /** A command, or what to do if the check fails. */
  readonly next: string;
  /** Whether the checks after it make no sense if it fails. */
  readonly isRequired?: boolean;
  /** @returns a sentence if all is well, or nothing @throws OperatorError for a fault, `Warning` if the service works all the same */
  readonly look: () => string | undefined | Promise<string | undefined>;
}

/** Worth the operator's time, but the service works. */
class Warning extends OperatorError {}

export async function examine(checks: readonly Check[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { check, next, isRequired, look } of checks) {
    try {
      const what = await look();
      findings.push(
        ...(what === undefined ? [] : [{ check, level: 'ok' as const, what, next: '' }]),
      );
    } catch (error) {
      const known = toOperatorError(error);
      if (!(known instanceof OperatorError)) {
        throw error;
      }
      const level = known instanceof Warning ? 'warning' : 'fault';
      findings.push(
        ...known.message.split('\n').map((what) => ({ check, level, what, next }) as const),
      );
      if (isRequired === true) {
        break;
      }
    }
  }
  return findings;
}

const MIB = 2 ** 20;
/** With less, records are refused sooner or later. */
const LEAST_FREE = 256 * MIB;
const LOW_FREE = 2048 * MIB;
const RENEW_WITHIN_MS = 30 * 86_400_000;
/** Verifying more takes more than some ten seconds. */
const MOST_VERIFIED = 1_000_000;
/** As long as a patient may take to be imported after the result; the alert CaregateResultsWait waits as long. */
const LONGEST_WAIT_MS = 4 * 3_600_000;

/** Checks of the machine: certificate, folder and disk. */
export function machineChecks(folder: string, files: CertificateFiles): readonly Check[] {
  return [
    {
      check: 'certificate',
      next: `Renew it, and replace ${files.tlsCert} and ${files.tlsKey}: the service takes them without a restart.`,
      look: () => (files.tlsCert === '' ? undefined : checkCertificate(files)),
    },
    {
      check: 'folder',
      next: `ls -ld ${folder}; findmnt -T ${folder}`,
      isRequired: !existsSync(folder),
      look: () => {
        accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
        return undefined;
      },
    },
    ownerCheck(folder),
    diskCheck(folder),
  ];
}

function checkCertificate(files: CertificateFiles): string {
  const { expires } = readCertificate(files);
  if (expires.getTime() - Date.now() < RENEW_WITHIN_MS) {
    throw new Warning(`It expires at ${expires.toISOString()}.`);
  }
  return `Valid until ${expires.toISOString()}.`;
}

export function ownerCheck(folder: string): Check {
  const { uid = 0, gid = 0, mode = 0 } = statSync(folder, { throwIfNoEntry: false }) ?? {};
  return {
    check: 'folder',
    next: `chown -R ${uid}:${gid} ${folder}; chmod 700 ${folder}`,
    look: () => {
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
        throw new OperatorError(`Others may look into ${folder}.`);
      }
      return `${folder} belongs to user ${uid} alone.`;
    },
  };
}

export function diskCheck(folder: string): Check {
  return {
    check: 'disk',
    next: `df -h ${folder}; df -i ${folder}`,
    look: async () => {
      if (hasNoInodes(folder)) {
        throw new OperatorError(`The disk of ${folder} takes no more files.`);
      }
      const { freeBytes } = await spaceOf(folder);
      const what = `${Math.floor(freeBytes / MIB)} MiB are free for ${folder}.`;
      if (freeBytes < LEAST_FREE) {
        throw new OperatorError(what);
      }
      if (freeBytes < LOW_FREE) {
        throw new Warning(what);
      }
      return what;
    },
  };
}

/** Checks of a data folder that has its data in SQLite. */
export function folderChecks(folder: string): readonly Check[] {
  const restore = `Stop the service, then caregate restore BACKUP --data ${folder}, with the newest backup.`;
  const store = storeFile(folder);
  const waiting = (what: string): number | undefined =>
    countRows(store, `select ${what} as rows from hl7_messages where waits_for <> ''`);
  return [
    {
      check: 'store',
      next: 'caregate serve --help',
      isRequired: true,
      look: () => {
        requireNotMoved(folder);
        return undefined;
      },
    },
    {
      check: 'store.db',
      next: restore,
      look: async () => {
        // A broken log has a check of its own.
        const lost = await lostStore(folder).catch(() => undefined);
        if (lost !== undefined) {
          throw new OperatorError(lost);
        }
        return checkFile(folder, 'store.db', 'users');
      },
    },
    {
      check: 'access.db',
      next: restore,
      look: () => checkFile(folder, 'access.db', 'teams'),
    },
    resultsCheck(folder, () => ({
      messages: waiting('count(*)'),
      oldestUs: waiting('min(received_us)'),
    })),
    {
      check: 'audit log',
      next: `caregate audit verify --data ${folder} says where; caregate restore BACKUP --data ${folder} puts the log of a backup there. If there is none: caregate audit new-log --data ${folder} --reason TEXT`,
      look: async () => {
        if (existsSync(logFile(folder))) {
          return await inFolder(folder, (log) => verifyAll([log]));
        }
        const shown = whatShowsALog(folder);
        if (shown !== undefined || readLogId(folder) !== undefined) {
          throw new OperatorError(
            `The log is missing: ${shown ?? 'audit-log-id in the folder names it'}.`,
          );
        }
        return 'None yet: the first start makes it.';
      },
    },
    // A log that cannot be read has no newest record.
    clockCheck('The newest record of the log', () => readNewestMs(folder).catch(() => undefined)),
  ];
}

function checkFile(folder: string, name: string, table: string): string {
  const file = join(folder, name);
  if (!existsSync(file)) {
    throw new Warning(`${folder} has no ${name} yet: caregate serve makes it.`);
  }
  const url = pathToFileURL(file);
  if (!existsSync(`${file}-shm`)) {
    // While nobody has it open, SQLite would make files beside it, which root would own.
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
    if (errorCode(error) !== 'ERR_SQLITE_ERROR') {
      throw error;
    }
    const problem = storeProblem(error)?.replace('store.db', name);
    const what = problem ?? 'It lacks tables that it must have.';
    throw new OperatorError(`${file}: ${what}`, 1, error);
  }
  return `${file} passes SQLite's check.`;
}

async function readNewestMs(folder: string): Promise<number> {
  return await inFolder(folder, async (log) => {
    const tree = await log.tree();
    const { body, seq } = await tree.record(tree.head.size - 1);
    return parseRecord(body, { logId: log.identity.logId, seq }).recorded_at_us / 1000;
  });
}

/** Checks of the data in PostgreSQL. */
export function databaseChecks(pool: pg.Pool, url: string, dataDir: string): readonly Check[] {
  const readNumber = async (query: string): Promise<number> =>
    Number((await pool.query<{ value: unknown }>(query)).rows[0]?.value);
  const waiting = (what: string): Promise<number> =>
    readNumber(`select ${what} as value from store.hl7_messages where waits_for <> ''`);
  let hasTables = false;
  return [
    {
      check: 'database',
      next: 'Check DATABASE_URL, and the server: systemctl status postgresql',
      isRequired: true,
      look: async () => {
        await waitForPostgres(pool, 0);
        hasTables = await hasPostgresTables(kyselyOver(pool), 'store');
        return 'It answers.';
      },
    },
    clockCheck('The clock of the database', () =>
      readNumber('select extract(epoch from clock_timestamp()) * 1000 as value'),
    ),
    resultsCheck(dataDir, async () =>
      hasTables
        ? { messages: await waiting('count(*)'), oldestUs: await waiting('min(received_us)') }
        : {},
    ),
    {
      check: 'audit log',
      next: 'caregate audit verify',
      look: () => inDatabase({ url, replicated: false }, { data: dataDir }, verifyAll),
    },
  ];
}

async function verifyAll(logs: readonly LogReader[]): Promise<string> {
  let done = 0;
  for (const log of logs) {
    const { end: records } = await log.storage.range(log.identity.logId);
    if (records > MOST_VERIFIED) {
      throw new Warning(`${records} records were not read.`);
    }
    done += (await log.verify()).size;
  }
  return `${done} records, each as it was written.`;
}

function clockCheck(what: string, readMs: () => Promise<number | undefined>): Check {
  return {
    check: 'clock',
    next: 'timedatectl status',
    look: async () => {
      const ahead = Math.round((((await readMs()) ?? 0) - Date.now()) / 60_000);
      if (ahead > 0) {
        throw new OperatorError(`${what} is ${ahead} minutes ahead of this machine's clock.`);
      }
      return new Date().toISOString();
    },
  };
}

interface Waiting {
  readonly messages?: number | undefined;
  readonly oldestUs?: number | undefined;
}

/** Checks results of laboratories that nobody sees, since the patient is not known for certain. @param read reads nothing from a store that has no messages */
function resultsCheck(dataDir: string, read: () => Waiting | Promise<Waiting>): Check {
  return {
    check: 'results',
    next: `caregate import pending --data ${dataDir} says what each waits for.`,
    look: async () => {
      const { messages, oldestUs = 0 } = await read();
      if (messages === undefined) {
        return undefined;
      }
      if (messages === 0) {
        return 'No message of a laboratory waits for its patient.';
      }
      const waitedMs = Date.now() - oldestUs / 1000;
      const one =
        messages === 1 ? 'message of a laboratory waits' : 'messages of laboratories wait';
      const text = `${messages.toLocaleString('en')} ${one} for the patient, the oldest for ${ageText(waitedMs)}.`;
      if (waitedMs > LONGEST_WAIT_MS) {
        throw new Warning(text);
      }
      return text;
    },
  };
}
