import { NoAuditLogError } from '@caregate/audit-log';
import type { AccessAct, ActDecision } from '../auth/access-acts.ts';
import type { Actor } from '../auth/principal.ts';
import type { Database } from '../config/read-config.ts';
import {
  DATABASE_TIMEOUT_MS,
  makeFolder,
  openPostgres,
  requireNotMoved,
} from '@caregate/data-store/database';
import { whatShowsALog } from './offline/had-log.ts';
import { actorFields, type AuditEntry } from './record/audit-entry.ts';
import { openAuditLog, type AuditLog, type LogOptions } from './record/record-log.ts';
import { createAuditTables } from './postgres/audit-schema.ts';
import { commandEntry } from './system-record.ts';

export interface ActLog {
  /** The data folder, whose key signs the log with either engine. */
  readonly dataDir: string | undefined;
  readonly database?: Database | undefined;
}

/** Resolves to the checkpoint once records are durable; safe beside the service. @throws: then the act MUST NOT take effect */
export async function recordActs(where: ActLog, entries: readonly AuditEntry[]): Promise<string> {
  const log = await openActLog(where);
  try {
    await Promise.all(entries.map((entry) => log.record(entry)));
    return await log.checkpoint();
  } finally {
    await log.close();
  }
}

/** Opens the log of a command, or begins it: the folder or the database may not have been served yet. */
export async function openActLog({ dataDir, database }: ActLog): Promise<AuditLog> {
  if (dataDir === undefined) {
    throw new NoAuditLogError(
      'Use --data DIR: this command is recorded in a log signed with the key in that folder.',
    );
  }
  const hadLog = database === undefined ? whatShowsALog(dataDir) : undefined;
  return await openLog({ dataDir, database }, { hadLog });
}

/** Opens the log of a data folder, or of an instance on PostgreSQL. */
export async function openLog(
  { dataDir, database }: { readonly dataDir: string; readonly database?: Database | undefined },
  options: LogOptions = {},
): Promise<AuditLog> {
  makeFolder(dataDir);
  if (database === undefined) {
    requireNotMoved(dataDir);
    return await openAuditLog({ dataDir }, options);
  }
  const pool = openPostgres(database.url, {
    ...{ applicationName: 'caregate audit', connections: 1 },
    ...{ statementTimeoutMs: DATABASE_TIMEOUT_MS, connectTimeoutMs: DATABASE_TIMEOUT_MS },
  });
  try {
    await createAuditTables(pool);
  } finally {
    await pool.end();
  }
  return await openAuditLog({ dataDir, postgres: database }, options);
}

/** By the user of this machine; no text that a person wrote, and patients only as user ids. */
export interface CommandAct {
  readonly operation: string;
  readonly decision?: AuditEntry['decision'];
  readonly reasonCode?: string;
  readonly teamId?: string | null;
  /** Who acts, if they have shown a key of their own. */
  readonly by?: Actor;
  readonly patients?: readonly string[];
  readonly recordCount?: number;
  readonly policyVersion?: string;
  readonly details: Readonly<Record<string, string | number>>;
}

export function commandActEntry({ operation, details, by, ...more }: CommandAct): AuditEntry {
  const entry = { ...commandEntry(operation, details), dataCategory: null, ...more };
  return by === undefined ? entry : { ...entry, ...actorFields(by) };
}

export function accessActEntry(act: AccessAct, decision: ActDecision): AuditEntry {
  const { operation, details, teamId, by, keyId = null, grantId = null, patients = [] } = act;
  const entry: AuditEntry = {
    ...commandEntry(operation, details),
    dataCategory: 'access',
    decision,
    reasonCode: REASONS[decision],
    teamId,
    keyId,
    breakGlassId: grantId,
    patients,
  };
  return by === undefined ? entry : { ...entry, ...actorFields(by) };
}

export const NOT_COMMITTED = 'not_committed';

const REASONS: Readonly<Record<ActDecision, string | null>> = {
  allowed: null,
  denied: 'unknown_person',
  failed: NOT_COMMITTED,
};
