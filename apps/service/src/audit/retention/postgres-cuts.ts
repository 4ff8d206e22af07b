import { hostname } from 'node:os';
import { join } from 'node:path';
import {
  type AuditEntry,
  auditKeyFile,
  loadKey,
  type LogIdentity,
  NoAuditLogError,
  parseVerifierKey,
  RetentionError,
} from '@caregate/audit-log';
import {
  type AuditSession,
  DataFolderLock,
  eraseEntries,
  KeptCheckpoints,
  openOneLog,
  openSession,
  type Queryable,
  verifyPostgresLog,
} from '@caregate/audit-log/postgres';
import { logOfDatabase } from '../offline/one-log.ts';
import { tellReading } from '../offline/tell-reading.ts';
import type { CutStore, OnCutProgress } from './cut-store.ts';

interface Place {
  readonly url: string;
  /** With the key that signs the log. */
  readonly dataDir: string | undefined;
  /** The only log if it is not given. */
  readonly logId?: string | undefined;
}

/** While entries are erased, all instances wait for their turn to write: so few at once. */
const erasedAtOnce = 2000;
const timeoutMs = 600_000;

/**
 * A log of a database. Cuts are done by the owner of the tables; the role of the service has no right to.
 *
 * @throws NoAuditLogError if there is no such log, or several without an id
 */
export async function openPostgresCuts(
  pool: Queryable,
  place: Place,
  onProgress?: OnCutProgress,
): Promise<CutStore> {
  const source = tellReading(await logOfDatabase(pool, place.logId), (done, of) =>
    onProgress?.('records', done, of),
  );
  const identity = source.identity();
  const inSession = async <T>(work: (session: AuditSession) => Promise<T>): Promise<T> => {
    const session = await openSession({ url: place.url, timeoutMs }, () => undefined);
    try {
      return await work(session);
    } finally {
      await session.close().catch(() => undefined);
    }
  };
  return {
    source,
    verify: async () => {
      await inSession(async (session) => {
        await requireOwner(session);
        const key = parseVerifierKey(identity.verifierKey);
        const of = await source.size();
        await verifyPostgresLog(session, {
          key,
          onProgress: (done) => onProgress?.('verifying records', done, Math.max(done, of)),
        });
      });
    },
    record: async (entries) => {
      await inSession((session) => record(session, { ...place, identity }, entries));
    },
    erase: async (beforeSeq, mayGo) => {
      await inSession((session) =>
        erase(session, identity.logId, { beforeSeq, mayGo, onProgress }),
      );
    },
    close: () => Promise.resolve(),
  };
}

async function record(
  session: AuditSession,
  { dataDir, identity }: Place & { readonly identity: LogIdentity },
  entries: readonly AuditEntry[],
): Promise<void> {
  const key = dataDir === undefined ? undefined : loadKey(join(dataDir, auditKeyFile));
  if (key === undefined || dataDir === undefined) {
    throw new NoAuditLogError(
      'Use --data DIR: this command is recorded in a log signed with the key in that folder.',
    );
  }
  const host = hostname();
  const lock = DataFolderLock.share(dataDir);
  const kept = new KeptCheckpoints(dataDir);
  try {
    const log = await openOneLog(session, key, identity, { host, serverId: host, kept });
    const recordedAtUs = Date.now() * 1000;
    await log.append(entries.map((entry) => ({ entry, recordedAtUs })));
    await log.checkpoint();
  } finally {
    await kept.settled();
    lock.release();
  }
}

/** In small parts, the oldest first, with a look at the legal holds before each. */
async function erase(
  session: AuditSession,
  logId: string,
  {
    beforeSeq,
    mayGo,
    onProgress,
  }: {
    readonly beforeSeq: number;
    readonly mayGo: () => void | Promise<void>;
    readonly onProgress: OnCutProgress | undefined;
  },
): Promise<void> {
  const { rows } = await session.query(
    'select min(seq) as first from audit.audit_event where log_id = $1 and body is not null',
    [logId],
  );
  const first = Number(rows[0]?.['first'] ?? 0);
  for (let to = first; to < beforeSeq;) {
    to = Math.min(beforeSeq, to + erasedAtOnce);
    await mayGo();
    await eraseEntries(session, logId, to);
    onProgress?.('erasing records', to - first, beforeSeq - first);
  }
  // What was updated or deleted stays on the disk until this.
  await session.query('vacuum audit.audit_event');
}

/** @throws RetentionError */
async function requireOwner(session: AuditSession): Promise<void> {
  const { rows } = await session.query(
    `select pg_has_role(current_user, relowner, 'member') as owns from pg_class
     where oid = 'audit.audit_event'::regclass`,
  );
  if (rows[0]?.['owns'] !== true) {
    throw new RetentionError(
      'unauthorized',
      'Only the owner of the audit tables can erase records: set DATABASE_URL to that role for this command.',
    );
  }
}
