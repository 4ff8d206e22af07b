import { createPublicKey, type KeyObject } from 'node:crypto';
import { AuditBrokenError, AuditLogError } from '../../errors.ts';
import { type Checkpoint, type LogIdentity, VerifierKey } from '../../note/checkpoint.ts';
import { lockLog, logsOf, type OwnLog } from '../acquire-log.ts';
import type { OnRecords } from '../../log/log-source.ts';
import type { KeptCheckpoints } from '../kept-checkpoints.ts';
import { checkKept } from '../postgres-log.ts';
import { seenText } from '../seen-logs.ts';
import { PostgresLogReader } from '../stored/log-reader.ts';
import { identityOf, type Queryable } from '../stored/stored-tree.ts';
import { verifyEnd } from '../verify-end.ts';

interface LostLogsOptions {
  readonly key: KeyObject | undefined;
  readonly publicKey: VerifierKey | undefined;
  readonly kept: KeptCheckpoints;
  readonly onProgress: OnRecords | undefined;
}

export interface LostLogs {
  readonly refusal: string;
  readonly oldKey: string | undefined;
  /** As `seenText`: the newest checkpoints that this key signed. */
  readonly logs: string;
}

/** Locks the logs of both keys. @throws AuditLogError if a start accepts the log, an instance writes one, or there is none */
export async function lostLogs(session: Queryable, options: LostLogsOptions): Promise<LostLogs> {
  const { key, publicKey, kept } = options;
  const own = key === undefined ? [] : await logsOf(session, key);
  const named = publicKey === undefined ? [] : await logsNamed(session, publicKey.name);
  for (const { logId } of [...own, ...named]) {
    if (!(await lockLog(session, logId))) {
      throw new AuditLogError(
        `An instance is writing log ${logId}. Stop it, and run this command again.`,
      );
    }
  }
  const refusal = await refusalOf(session, options, own);
  const notes = kept.notes().map(({ note }) => note);
  // Logs that were deleted from the database have kept checkpoints.
  const origins = [
    ...own.map(({ origin }) => origin),
    ...notes.map((note) => note.slice(0, note.indexOf('\n'))),
  ];
  const ownKeys = key === undefined ? [] : origins.map((origin) => VerifierKey.of(origin, key));
  const trusted = publicKey === undefined ? ownKeys : [publicKey];
  const newest = new Map<string, Checkpoint>();
  for (const each of trusted) {
    const checkpoint = await newestOf(session, notes, each);
    if (checkpoint !== undefined) {
      newest.set(each.name.slice(-12), checkpoint);
    }
  }
  if (publicKey !== undefined && newest.size === 0) {
    throw new AuditLogError(
      `No checkpoint that the key of ${publicKey.name} signed is in the database or in ${kept.folder}.`,
    );
  }
  const logs = seenText([...newest].map(([logId, { size, root }]) => ({ logId, size, root })));
  const [oldKey] = trusted;
  return { refusal, logs, oldKey: oldKey && oldKey.text };
}

async function refusalOf(
  session: Queryable,
  { key, publicKey, kept, onProgress }: LostLogsOptions,
  logs: readonly OwnLog[],
): Promise<string> {
  const isOwn = (own: KeyObject): boolean =>
    publicKey === undefined ||
    createPublicKey(own).equals(publicKey.publicKey) ||
    logs.some(({ origin, keys }) => origin === publicKey.name && keys.has(publicKey));
  if (publicKey !== undefined && (key === undefined || !isOwn(key))) {
    return 'The signing key of the log is not in the data folder';
  }
  try {
    if (key !== undefined) {
      await checkKept(session, key, kept);
      for (const log of logs) {
        await verifyEnd(session, log, key);
        await new PostgresLogReader(session, log).requireRecords(onProgress);
      }
    }
  } catch (error) {
    if (error instanceof AuditBrokenError) {
      return error.message;
    }
    throw error;
  }
  throw new AuditLogError('The audit log is as it was left: there is no break to accept.');
}

async function logsNamed(session: Queryable, origin: string): Promise<LogIdentity[]> {
  const { rows } = await session.query(
    'select log_id, origin, verifier_key from audit.audit_log where origin = $1',
    [origin],
  );
  return rows.map(identityOf).filter(({ logId }) => origin.endsWith(`/audit/${logId}`));
}

async function newestOf(
  session: Queryable,
  kept: readonly string[],
  key: VerifierKey,
): Promise<Checkpoint | undefined> {
  const { rows } = await session.query(
    'select note from audit.audit_checkpoint where log_id = $1 order by size desc',
    [key.name.slice(-12)],
  );
  let newest: Checkpoint | undefined;
  for (const note of [...kept, ...rows.map((row) => String(row['note']))]) {
    const size = Number(note.split('\n')[1]);
    newest = newest !== undefined && newest.size >= size ? newest : (key.tryOpen(note) ?? newest);
  }
  return newest;
}
