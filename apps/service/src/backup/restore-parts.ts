import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { AuditBrokenError, AuditLogError, NoAuditLogError } from '@caregate/audit-log';
import { withFolderLog, readRecords } from '../audit/read-logs.ts';
import { describeLostStore } from '../audit/lost-data.ts';
import type { AuditRecord } from '../audit/audit-record.ts';
import { ERASURE_OPERATIONS } from '../audit/audit-entries.ts';
import { getErrorCode } from '@caregate/data-store/errors';
import { describeStoreProblem } from '@caregate/data-store/database';
import type { ErasedPerson } from './erased-list.ts';
import { isIntact } from './backup-folder.ts';
import { isSameDisk } from './disk-space.ts';

/** The files of each part, beside those that SQLite creates while a database is open. */
const FILES = {
  'health data': ['store.db'],
  access: ['access.db'],
  'audit log': ['audit.db', 'audit-log-id', 'audit-key.pem'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type PartName = keyof typeof FILES;

export const PARTS = Object.keys(FILES) as PartName[];

export function isPartFile(name: string, parts: readonly PartName[]): boolean {
  const file = name.replace(/\.db-(?:wal|shm)$/u, '.db');
  return parts.some((part) => (FILES[part] as readonly string[]).includes(file));
}

/** Finds the parts of a data folder that are missing or damaged. No process may write to it. */
export async function findLostParts(
  dataDir: string,
): Promise<readonly { readonly part: PartName; readonly why: string }[]> {
  const log = await findLogProblem(dataDir);
  const problems: Readonly<Record<PartName, string | undefined>> = {
    'health data':
      findDatabaseProblem(dataDir, 'store.db') ??
      (log === undefined ? await describeLostStore(dataDir) : undefined),
    access: findDatabaseProblem(dataDir, 'access.db'),
    'audit log': log,
  };
  return PARTS.flatMap((part) => {
    const why = problems[part];
    return why === undefined ? [] : [{ part, why }];
  });
}

async function findLogProblem(dataDir: string): Promise<string | undefined> {
  try {
    await withFolderLog(dataDir, (log) => log.verify());
    return undefined;
  } catch (error) {
    if (error instanceof NoAuditLogError) {
      return 'The audit log is missing.';
    }
    if (error instanceof AuditBrokenError || error instanceof AuditLogError) {
      return `The audit log failed verification. ${error.message}`;
    }
    throw error;
  }
}

function findDatabaseProblem(dataDir: string, name: string): string | undefined {
  const file = join(dataDir, name);
  if (!existsSync(file)) {
    return `${file} is missing.`;
  }
  try {
    return isIntact(file) ? undefined : `${file} is damaged: it fails SQLite's check.`;
  } catch (error) {
    const problem = describeStoreProblem(error);
    if (problem === undefined) {
      throw error;
    }
    return `${file}: ${problem.replace('store.db', name)}`;
  }
}

/** Moves files of the data folder to a new folder beside it. @returns its path */
export function setAside(dataDir: string, isReplaced: (name: string) => boolean): string {
  const names = readdirSync(dataDir).filter(isReplaced);
  const aside = createAsideFolder(resolve(dataDir));
  for (const name of names) {
    renameSync(join(dataDir, name), join(aside, name));
  }
  return aside;
}

/**
 * Creates the folder inside the data folder if that is a disk of its own, such as the volume of a container, or if
 * nothing can be created beside it.
 */
function createAsideFolder(folder: string): string {
  const time = new Date().toISOString().replaceAll(/[:.]/gu, '-').slice(0, 23);
  const [beside, within] = [`${folder}.replaced-${time}`, join(folder, `replaced-${time}`)];
  if (isSameDisk(folder, dirname(folder))) {
    try {
      mkdirSync(beside, { mode: 0o700 });
      return beside;
    } catch (error) {
      if (!['EACCES', 'EPERM', 'EROFS'].includes(getErrorCode(error))) throw error;
    }
  }
  mkdirSync(within, { mode: 0o700 });
  return within;
}

/** The revocations in the audit log of a data folder, as far as it can be read. */
export interface Revocations {
  readonly keys: readonly string[];
  readonly staff: readonly string[];
  readonly desks: readonly string[];
  readonly erased: readonly ErasedPerson[];
  /** Whether the whole log was read, so that the lists are complete. */
  readonly isComplete: boolean;
}

export async function readRevocations(dataDir: string): Promise<Revocations> {
  const { erase } = ERASURE_OPERATIONS;
  const operations = ['revokeKey', 'staffDisabled', 'deskRevoked', erase];
  const records: AuditRecord[] = [];
  let isComplete = true;
  try {
    await withFolderLog(dataDir, async (log) => {
      for await (const record of readRecords([log], { operations, decision: 'allowed' })) {
        records.push(record);
      }
    });
  } catch (error) {
    if (!(error instanceof AuditBrokenError || error instanceof AuditLogError)) {
      throw error;
    }
    isComplete = false;
  }
  const pick = <T>(wanted: string, read: (record: AuditRecord) => T): T[] =>
    records.filter(({ operation }) => operation === wanted).map(read);
  return {
    keys: pick('revokeKey', (record) => record.key_id ?? ''),
    staff: pick('staffDisabled', ({ details }) => String(details['staff_id'])),
    desks: pick('deskRevoked', ({ details }) => String(details['desk_id'])),
    erased: pick(erase, ({ team_id: teamId, patients: [userId = ''], details }) => ({
      ...{ team_id: teamId ?? '', user_id: userId, proposal_id: String(details['proposal']) },
    })),
    isComplete,
  };
}

/**
 * Revokes in a backup's access data what was revoked since the backup, and ends all sessions. @returns the number of
 * API keys, staff members and desks that lost their access
 */
export function revokeAgain(accessFile: string, { keys, staff, desks }: Revocations): number {
  const db = new DatabaseSync(accessFile);
  try {
    const now = Date.now();
    const end = (table: string, column: string, id: string, ids: readonly string[]): number => {
      const update = db.prepare(
        `update ${table} set ${column} = ? where ${id} = ? and ${column} is null`,
      );
      return ids.reduce((sum, one) => sum + Number(update.run(now, one).changes), 0);
    };
    db.exec('begin immediate');
    const count =
      end('keys', 'revoked_ms', 'key_id', keys) +
      end('keys', 'revoked_ms', 'staff_id', staff) +
      end('staff', 'disabled_ms', 'staff_id', staff) +
      end('desks', 'revoked_ms', 'desk_id', desks);
    db.prepare('update sessions set ended_ms = ? where ended_ms is null').run(now);
    db.exec('commit');
    return count;
  } finally {
    db.close();
  }
}
