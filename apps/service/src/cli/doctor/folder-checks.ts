import { accessSync, constants, existsSync, readdirSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import { accessMigrations } from '../../access/access-schema.ts';
import { lostStore, RESTORE_STORE } from '../../audit/offline/lost-store.ts';
import { errorCode } from '../../config/operator-error.ts';
import {
  StoreTooNewError,
  unknownMigrations,
  type Migrations,
} from '../../database/sqlite/migrate.ts';
import { storeProblem } from '../../database/sqlite/sqlite-errors.ts';
import { hasNoInodes, spaceOf } from '../../observe/disk-watch.ts';
import { storeMigrations } from '../../source/store/schema.ts';
import { fault, ok, warning, type Finding } from './finding.ts';

const mebibyte = 2 ** 20;
/** Below it records are refused sooner or later. */
const leastFree = 256 * mebibyte;
const lowFree = 2048 * mebibyte;
const dayMs = 86_400_000;

export function checkFolder(folder: string): Finding[] {
  const check = 'folder';
  let own: Stats;
  try {
    own = statSync(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const why = { ENOENT: 'does not exist', EROFS: 'is on a read-only file system' }[
      errorCode(error)
    ];
    return [
      fault(
        check,
        `${folder} ${why ?? `cannot be written (${errorCode(error)})`}.`,
        why === 'does not exist' ? 'Set CAREGATE_DATA.' : `findmnt -T ${folder}; ls -ld ${folder}`,
      ),
    ];
  }
  const foreign = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => ({ name, uid: statSync(join(folder, name), { throwIfNoEntry: false })?.uid }))
    .find(({ uid }) => uid !== undefined && uid !== own.uid);
  const found = [
    ...(foreign === undefined
      ? []
      : [
          fault(
            check,
            `${join(folder, foreign.name)} belongs to user ${foreign.uid}, the folder to ${own.uid}: the service can't write it.`,
            `chown -R ${own.uid}:${own.gid} ${folder}`,
          ),
        ]),
    ...((own.mode & 0o077) === 0
      ? []
      : [fault(check, `Others may look into ${folder}.`, `chmod 700 ${folder}`)]),
  ];
  return found.length > 0 ? found : [ok(check, `${folder} belongs to user ${own.uid} alone.`)];
}

export async function checkDisk(check: string, folder: string, needed = 0): Promise<Finding> {
  const { freeBytes } = await spaceOf(folder);
  const what = `${Math.floor(freeBytes / mebibyte)} MiB are free for ${folder}.`;
  const next = `df -h ${folder}`;
  if (hasNoInodes(folder)) {
    return fault(check, `The disk of ${folder} takes no more files.`, `df -i ${folder}`);
  }
  if (freeBytes < Math.max(leastFree, needed)) {
    return fault(check, what, next);
  }
  return freeBytes < lowFree ? warning(check, what, next) : ok(check, what);
}

export function checkDatabases(folder: string): Finding[] {
  const databases: readonly [file: string, migrations: Migrations][] = [
    ['store.db', storeMigrations],
    ['access.db', accessMigrations.sqlite],
  ];
  return databases.flatMap(([name, migrations]) => {
    const file = join(folder, name);
    return statSync(file, { throwIfNoEntry: false }) === undefined
      ? [
          warning(
            name,
            `${folder} has no ${name}.`,
            'caregate serve makes it; otherwise see CAREGATE_DATA.',
          ),
        ]
      : [checkDatabase(name, file, migrations)];
  });
}

/** A store without imports, in a folder whose log has some, would be served as a clinic without patients. */
export async function checkStoreIsThere(folder: string): Promise<Finding[]> {
  const lost = await lostStore(folder).catch(() => undefined);
  return lost === undefined ? [] : [fault('store.db', lost, RESTORE_STORE)];
}

function checkDatabase(name: string, file: string, migrations: Migrations): Finding {
  const restore = 'Stop the service, and restore the newest backup (caregate restore --help).';
  try {
    const db = openUnchanged(file);
    try {
      const [row] = db.prepare('pragma quick_check(1)').all();
      if (row?.['quick_check'] !== 'ok') {
        return fault(name, `${file} is damaged: it fails SQLite's check.`, restore);
      }
      const applied = db.prepare('select name from kysely_migration').all();
      const unknown = unknownMigrations(
        applied.map((one) => String(one['name'])),
        migrations,
      );
      if (unknown.length > 0) {
        const { message } = new StoreTooNewError(unknown);
        return fault(name, message, 'Install the version that wrote it, or a later one.');
      }
    } finally {
      db.close();
    }
  } catch (error) {
    return fault(
      name,
      `${file}: ${storeProblem(error)?.replace('store.db', name) ?? `error ${errorCode(error)}`}`,
      restore,
    );
  }
  return ok(name, `${file} passes SQLite's check.`);
}

/** While nobody has it open, SQLite would make files beside it, which root would own. */
export function openUnchanged(file: string): DatabaseSync {
  const url = pathToFileURL(file);
  if (!existsSync(`${file}-shm`)) {
    url.search = 'immutable=1';
  }
  return new DatabaseSync(url, { readOnly: true });
}

export async function checkBackups(
  backups: string,
  folder: string,
  now = Date.now(),
): Promise<Finding[]> {
  const check = 'backups';
  const made = readdirSync(backups, { withFileTypes: true }).flatMap((entry) => {
    const path = join(backups, entry.name);
    const isBackup = statSync(join(path, 'store.db'), { throwIfNoEntry: false }) !== undefined;
    return isBackup ? [{ path, ms: statSync(path).mtimeMs }] : [];
  });
  const newest = made.toSorted((a, b) => b.ms - a.ms)[0];
  const next = `caregate backup ${join(backups, new Date(now).toISOString().slice(0, 10))}`;
  const needed = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);
  const space = await checkDisk(check, backups, needed);
  const age =
    newest === undefined
      ? fault(check, `${backups} has no backup.`, next)
      : now - newest.ms > dayMs
        ? warning(check, `The newest, ${newest.path}, is older than a day.`, next)
        : ok(check, `The newest is ${newest.path}.`);
  return space.level === 'ok' ? [age] : [age, space];
}
