import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import { logFile, readLogId, type LogReader } from '@caregate/audit-log';
import { accessMigrations } from '../../auth/access-schema.ts';
import { whatShowsALog } from '../../audit/offline/had-log.ts';
import { lostStore, RESTORE_STORE } from '../../audit/offline/lost-store.ts';
import { inDatabase, inFolder } from '../../audit/offline/open-log.ts';
import { parseRecord } from '../../audit/record/record-body.ts';
import { errorCode, OperatorError } from '../../config/operator-error.ts';
import {
  isCurrent,
  kyselyOver,
  type Migrations,
  openPostgres,
  storeProblem,
  StoreTooNewError,
  unknownMigrations,
  waitForPostgres,
} from '@caregate/data-store/database';
import { postgresStoreMigrations, storeMigrations } from '@caregate/data-store';
import { examine, Warning, type Finding } from './finding.ts';
import { checkWaitingMessages, WAITING_MESSAGES } from './waiting-check.ts';

const TIMEOUT_MS = 5000;
/** More than some ten seconds are for a command of its own. */
const MOST_VERIFIED = 1_000_000;

export async function checkFiles(folder: string): Promise<Finding[]> {
  const restore = `Stop the service, then caregate restore BACKUP --data ${folder}, with the newest backup.`;
  let waiting: object | undefined;
  const lost = await examine('store.db', RESTORE_STORE, async () => {
    const why = await lostStore(folder);
    if (why !== undefined) {
      throw new OperatorError(why);
    }
  });
  const findings = [
    ...(lost.length > 0
      ? lost
      : await examine('store.db', restore, () =>
          checkFile(folder, 'store.db', storeMigrations, (db) => {
            waiting = db.prepare(WAITING_MESSAGES).get();
          }),
        )),
    ...(await examine('access.db', restore, () =>
      checkFile(folder, 'access.db', accessMigrations.sqlite),
    )),
  ];
  return waiting === undefined
    ? findings
    : [...findings, ...(await checkWaitingMessages(waiting, folder))];
}

/** @param read reads from a file that is whole and of this version */
function checkFile(
  folder: string,
  name: string,
  migrations: Migrations,
  read: (db: DatabaseSync) => void = () => undefined,
): string {
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
      const isWhole = db.prepare('pragma quick_check(1)').get()?.['quick_check'] === 'ok';
      if (!isWhole) {
        throw new OperatorError(`${file} is damaged: it fails SQLite's check.`);
      }
      const applied = db.prepare('select name from kysely_migration').all();
      const names = applied.map((row) => String(row['name']));
      const unknown = unknownMigrations(names, migrations);
      if (unknown.length > 0) {
        throw new StoreTooNewError(unknown);
      }
      read(db);
    } finally {
      db.close();
    }
  } catch (error) {
    if (errorCode(error) !== 'ERR_SQLITE_ERROR') {
      throw error;
    }
    const problem = storeProblem(error)?.replace('store.db', name);
    throw new OperatorError(
      `${file}: ${problem ?? 'It lacks tables that it must have.'}`,
      1,
      error,
    );
  }
  return `${file} passes SQLite's check.`;
}

/** Also the clock, which the newest record must not be ahead of. */
export async function checkFolderLog(folder: string): Promise<Finding[]> {
  const next = `caregate audit verify --data ${folder} says where; caregate restore BACKUP --data ${folder} puts the log of a backup there. If there is none: caregate audit new-log --data ${folder} --reason TEXT`;
  const shown = whatShowsALog(folder);
  if (!existsSync(logFile(folder))) {
    return await examine('audit log', next, () => {
      if (shown !== undefined || readLogId(folder) !== undefined) {
        throw new OperatorError(
          `The log is missing: ${shown ?? 'audit-log-id in the folder names it'}.`,
        );
      }
      return 'None yet: the first start makes it.';
    });
  }
  let newestMs = 0;
  const findings = await examine('audit log', next, () =>
    inFolder(folder, async (log) => {
      const tree = await log.tree();
      const { body, seq } = await tree.record(tree.head.size - 1);
      const { logId } = log.identity;
      newestMs = parseRecord(body, { logId, seq }).recorded_at_us / 1000;
      return await verifyAll([log]);
    }),
  );
  return [...findings, ...(await checkClock('The newest record of the log', newestMs))];
}

export async function checkPostgres(url: string, dataDir: string): Promise<Finding[]> {
  const pool = openPostgres(url, {
    ...{ applicationName: 'caregate doctor', connections: 1 },
    ...{ statementTimeoutMs: TIMEOUT_MS, connectTimeoutMs: TIMEOUT_MS },
  });
  try {
    const next = 'Check DATABASE_URL, and the server: systemctl status postgresql';
    let databaseMs: number | undefined;
    let waiting: object | undefined;
    const findings = await examine('database', next, async () => {
      await waitForPostgres(pool, 0);
      if (await isCurrent(kyselyOver(pool), postgresStoreMigrations, 'store')) {
        const inStore = WAITING_MESSAGES.replace('hl7_messages', 'store.hl7_messages');
        [waiting] = (await pool.query<object>(inStore)).rows;
      }
      await isCurrent(kyselyOver(pool), accessMigrations.postgres, 'access');
      const now = 'select extract(epoch from clock_timestamp()) * 1000 as ms';
      databaseMs = Number((await pool.query<{ ms: number }>(now)).rows[0]?.ms);
      return 'It answers.';
    });
    return databaseMs === undefined
      ? findings
      : [
          ...findings,
          ...(await checkClock('The clock of the database', databaseMs)),
          ...(waiting === undefined ? [] : await checkWaitingMessages(waiting, dataDir)),
          ...(await examine('audit log', 'caregate audit verify', () =>
            inDatabase({ url, replicated: false }, { data: dataDir }, verifyAll),
          )),
        ];
  } finally {
    await pool.end();
  }
}

async function verifyAll(logs: readonly LogReader[]): Promise<string> {
  let done = 0;
  for (const log of logs) {
    requireFew((await log.storage.range(log.identity.logId)).end);
    done += (await log.verify()).size;
  }
  return `${done} records, each as it was written.`;
}

function requireFew(records: number): void {
  if (records > MOST_VERIFIED) {
    throw new Warning(`${records} records were not read.`);
  }
}

async function checkClock(what: string, ms: number): Promise<Finding[]> {
  return await examine('clock', 'timedatectl status', () => {
    const ahead = Math.round((ms - Date.now()) / 60_000);
    if (ahead > 0) {
      throw new OperatorError(`${what} is ${ahead} minutes ahead of this machine's clock.`);
    }
    return new Date().toISOString();
  });
}
