import { existsSync } from 'node:fs';
import {
  AuditBrokenError,
  AuditLogError,
  heldKey,
  logPaths,
  NoAuditLogError,
  VerifierKey,
  verifyFolder,
} from '@caregate/audit-log';
import {
  KeptCheckpoints,
  PostgresLogReader,
  verifyPostgresLog,
} from '@caregate/audit-log/postgres';
import type pg from 'pg';
import { openOwnLog } from '../../audit/offline/open-log.ts';
import { whatShowsALog } from '../../audit/offline/had-log.ts';
import { fault, ok, warning, type Finding } from './finding.ts';
import { parseRecord } from '../../audit/record/record-body.ts';

const saltLength = 16;
/** Some ten seconds; more is for a command of its own. */
const mostVerified = 1_000_000;

export interface LogState {
  readonly findings: readonly Finding[];
  readonly newestMs?: number;
  readonly isBeingWritten?: boolean;
}

export async function checkLog(
  folder: string,
  onProgress: (done: number, of: number) => void,
): Promise<LogState> {
  const check = 'audit log';
  const accept = `caregate audit new-log --data ${folder} --reason TEXT`;
  const verify = `caregate audit verify --data ${folder} says where. If it can't be restored: ${accept}`;
  try {
    const log = openOwnLog(folder);
    try {
      const size = log.size();
      const isBeingWritten = log.isBeingWritten();
      let newestMs = 0;
      for (const item of log.read(Math.max(0, size - 1), size)) {
        if ('seq' in item) {
          newestMs =
            parseRecord(item.entry.toString('utf8', saltLength), { logId: '', seq: item.seq })
              .recorded_at_us / 1000;
        }
      }
      if (size > mostVerified) {
        const what = `${size} records were not read.`;
        const next = `caregate audit verify --data ${folder}`;
        const findings = [warning(check, what, next), ...checkHeldKey(folder, log.keys())];
        return { findings, newestMs, isBeingWritten };
      }
      await verifyFolder(folder, {
        key: log.publicKey().key,
        onProgress: (records) => {
          onProgress(Math.min(records, size), size);
        },
      });
      const findings = [
        ok(check, `${size} records, each as it was written.`),
        ...checkHeldKey(folder, log.keys()),
      ];
      return { findings, newestMs, isBeingWritten };
    } finally {
      log.close();
    }
  } catch (error) {
    if (error instanceof NoAuditLogError) {
      const shown = existsSync(logPaths(folder).ownKey)
        ? 'its key is there'
        : whatShowsALog(folder);
      return {
        findings: [
          shown === undefined
            ? ok(check, 'None yet: the first start makes it.')
            : fault(check, `The log is missing: ${shown}.`, accept),
        ],
      };
    }
    if (error instanceof AuditBrokenError || error instanceof AuditLogError) {
      // A refused log's message says how to go on.
      const next = error instanceof AuditBrokenError ? verify : accept;
      return { findings: [fault(check, error.message, next)] };
    }
    throw error;
  }
}

/** A start refuses an earlier key; a key outside the data folder is put in its place by its operator. */
function checkHeldKey(folder: string, keys: Parameters<typeof heldKey>[1]): Finding[] {
  const check = 'signing key';
  const { key, ownKey, nextKey } = logPaths(folder);
  const held = heldKey(folder, keys);
  if (held === 'earlier') {
    const what = `${key} is an earlier key of the log: another one, ${keys.current.text}, signs it now.`;
    const next = `Put that one back. If it is lost: caregate audit new-log --data ${folder} --reason TEXT`;
    return [fault(check, what, next)];
  }
  if (key === ownKey) {
    return [];
  }
  return held === 'turned'
    ? [warning(check, `The log goes on under the key in ${nextKey}.`, `mv ${nextKey} ${key}`)]
    : held === 'offered'
      ? [
          warning(
            check,
            `The key in ${nextKey} does not sign yet.`,
            `caregate audit rotate-key --data ${folder}`,
          ),
        ]
      : [];
}

/** The logs that instances with this data folder wrote to a database: those whose checkpoints it keeps. */
export async function checkPostgresLogs(
  pool: pg.Pool,
  folder: string,
  onProgress: (done: number, of: number) => void,
): Promise<Finding[]> {
  const check = 'audit log';
  const verify = `caregate audit verify --data ${folder}`;
  const kept = new KeptCheckpoints(folder);
  const notes = kept.notes();
  const db = await pool.connect();
  try {
    const all = await PostgresLogReader.all(db);
    const identities = all.map((log) => log.identity());
    const keyOf = (origin: string): VerifierKey | undefined => {
      const found = identities.find((one) => one.origin === origin);
      return found && VerifierKey.parse(found.verifierKey);
    };
    await kept.check(db, keyOf, identities);
    const own = all.filter((log) => notes.some(({ logId }) => logId === log.identity().logId));
    const [first] = own;
    const held = first === undefined ? [] : checkHeldKey(folder, await first.keys());
    const sizes = await Promise.all(own.map((log) => log.size()));
    const of = sizes.reduce((sum, size) => sum + size, 0);
    if (of > mostVerified) {
      return [warning(check, `${of} records were not read.`, verify), ...held];
    }
    let done = 0;
    for (const [at, log] of own.entries()) {
      const before = done;
      const { size } = await verifyPostgresLog(db, {
        key: VerifierKey.parse(log.identity().verifierKey),
        onProgress: (records) => {
          onProgress(before + Math.min(records, sizes[at] ?? 0), of);
        },
      });
      done += size;
    }
    return [
      notes.length === 0
        ? ok(check, 'None yet of this data folder: its first start makes it.')
        : ok(check, `${done} records, each as it was written.`),
      ...held,
    ];
  } catch (error) {
    if (error instanceof AuditBrokenError) {
      return [fault(check, error.message, `${verify} says where.`)];
    }
    throw error;
  } finally {
    db.release();
  }
}
