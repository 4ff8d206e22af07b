import { randomBytes, type KeyObject } from 'node:crypto';
import { hostname } from 'node:os';
import { OPEN_LOG, ownText, SEE_LOGS } from '../entry/record-text.ts';
import { AuditBrokenError, AuditLogError } from '../errors.ts';
import { LogKeys, signCheckpoint, type LogIdentity, VerifierKey } from '../note/checkpoint.ts';
import { recordOfChange, signChange } from '../note/key-change.ts';
import { rawPublicKey } from '../note/note-key.ts';
import { signSeal, type Seal } from '../note/seal.ts';
import { GrowingTree } from '../tree/growing-tree.ts';
import { emptyRoot, frontierAt, type Frontier } from '../tree/tree.ts';
import { requireStandby } from './audit-session.ts';
import { acquireLog, lockLog, logsOf, type LogLock, type OwnLog } from './acquire-log.ts';
import { Group, type Statement } from './group-statement.ts';
import type { KeptCheckpoints } from './kept-checkpoints.ts';
import { seenText, unseenLogs } from './seen-logs.ts';
import { copiesIn, type Copies } from './stored/copies.ts';
import { hasTree, withNodes, type Queryable } from './stored/stored-tree.ts';
import { verifyEnd } from './verify-end.ts';

/** A connection of its own, to the primary. */
export type LogSession = Queryable & {
  readonly replicated?: boolean;
  query(statement: Statement): Promise<{ rows: Record<string, unknown>[] }>;
};

export interface PostgresLogOptions {
  readonly host?: string | undefined;
  readonly before?: LogLock | undefined;
  readonly kept?: KeptCheckpoints | undefined;
}

type Signed = { readonly size: number; readonly note: string } | undefined;

/** Trusts its tree in memory, not the database. After any error it MUST be discarded with its session and opened again. */
export class PostgresLog {
  readonly identity: LogIdentity;
  readonly #session: LogSession;
  readonly #options: PostgresLogOptions;
  readonly #copies: Copies;
  #key: KeyObject;
  #keys: LogKeys;
  #group = new Group({});
  readonly #addBlock = (level: number, index: number, block: Buffer): void => {
    this.#group.addBlock(level, index, block);
  };
  #tree = new GrowingTree(this.#addBlock);
  /** The durable end. */
  #end = { size: 0, root: emptyRoot };
  #seal: Seal | undefined;
  #signed: Signed;

  private constructor(
    session: LogSession,
    key: KeyObject,
    {
      log: { keys, ...identity },
      options,
      copies,
    }: { log: OwnLog; options: PostgresLogOptions; copies: Copies },
  ) {
    this.identity = identity;
    this.#keys = keys;
    this.#session = session;
    this.#key = key;
    this.#options = options;
    this.#copies = copies;
  }

  /** Locks a log of this key, or creates one. @throws AuditBrokenError if one does not match its checkpoints and seals */
  static async open(
    session: LogSession,
    key: KeyObject,
    options: PostgresLogOptions = {},
  ): Promise<PostgresLog> {
    const { before, kept } = options;
    await checkKept(session, key, kept);
    const found = await acquireLog(session, key, before);
    if (found === undefined) {
      return await PostgresLog.#create(session, key, options);
    }
    const { frontier, keys, seal, signed } = await verifyEnd(session, found, key);
    if (found.logId === before?.logId) {
      await requireExtends(session, found, { size: frontier.size, before, key, kept });
    } else {
      await requireWhole(session, found.logId, frontier.size);
    }
    const copies = await copiesIn(session);
    const log = new PostgresLog(session, key, { log: { ...found, keys }, options, copies });
    await log.#readTree(frontier);
    log.#seal = seal;
    log.#signed = signed;
    const others = await unseenLogs(session, found.logId);
    if (others.length > 0) {
      await log.#record(SEE_LOGS, { logs: seenText(others) });
    }
    return log;
  }

  static async #create(
    session: LogSession,
    key: KeyObject,
    options: PostgresLogOptions,
  ): Promise<PostgresLog> {
    const logId = randomBytes(6).toString('hex');
    if (!(await lockLog(session, logId))) {
      throw new Error('The new log is locked by another instance');
    }
    const origin = `${options.host ?? hostname()}/audit/${logId}`;
    const first = VerifierKey.of(origin, key);
    const identity = { logId, origin, verifierKey: first.text, keys: LogKeys.of(first) };
    const copies = await copiesIn(session);
    const log = new PostgresLog(session, key, { log: identity, options, copies });
    await log.#record(OPEN_LOG, { logs: seenText(await unseenLogs(session, logId)) });
    return log;
  }

  get size(): number {
    return this.#end.size;
  }

  get end(): { readonly size: number; readonly root: Buffer } {
    return this.#end;
  }

  /** The public key that signs now. */
  get verifierKey(): string {
    return this.#keys.current.text;
  }

  /** Appends the records durably. Resolves to the number of the first. */
  async append(texts: readonly string[]): Promise<number> {
    this.#requireWhole();
    const firstSeq = this.#end.size;
    this.#add(texts);
    // A log is never without a checkpoint.
    await this.#write(this.#seal === undefined);
    return firstSeq;
  }

  /** Records the next key, which signs from now on. Commits its first checkpoint with it. */
  async rotateKey(next: KeyObject, actorId: string): Promise<void> {
    this.#requireWhole();
    const { name, bytes } = this.#keys.current;
    const old = this.#key;
    const signers = {
      old: { key: old, bytes },
      next: { key: next, bytes: rawPublicKey(next, 32) },
    };
    const change = signChange(name, this.#end, signers);
    this.#add([recordOfChange(name, bytes, { change, actorId })]);
    this.#keys = this.#keys.with(change);
    this.#key = next;
    await this.#write(true, old);
  }

  #add(texts: readonly string[]): void {
    this.#group = new Group(this.#copies);
    const salts = randomBytes(16 * texts.length);
    texts.forEach((text, at) => {
      const leaf = this.#group.add(text, salts.subarray(16 * at, 16 * at + 16));
      this.#tree.append(leaf.toString('latin1'));
    });
  }

  async checkpoint(): Promise<string> {
    this.#requireWhole();
    if (this.#signed?.size !== this.#end.size) {
      this.#group = new Group(this.#copies);
      await this.#write(true);
    } else if (this.#session.replicated === true) {
      await requireStandby(this.#session);
    }
    return this.#signed?.note ?? '';
  }

  /** The tree has the records of a failed append, which may not be in the database. */
  #requireWhole(): void {
    if (this.#tree.size !== this.#end.size) {
      throw new AuditLogError('An append failed: the log must be opened again');
    }
  }

  async #record(
    operation: string,
    details: Readonly<Record<string, string | number>>,
  ): Promise<void> {
    await this.append([ownText({ operation, details })]);
  }

  async #readTree(known: Frontier): Promise<void> {
    const { size } = known;
    this.#tree = await withNodes(
      this.#session,
      this.identity.logId,
      (read) => new GrowingTree(this.#addBlock, frontierAt(size, read), read),
    );
    this.#end = { size, root: known.root() };
    if (!this.#tree.root().equals(this.#end.root)) {
      throw new AuditBrokenError('forked', 'The stored tree does not match its seal');
    }
  }

  async #write(withCheckpoint: boolean, sealedBy = this.#key): Promise<void> {
    const before = this.#seal;
    const { origin, logId } = this.identity;
    const [size, root] = [this.#tree.size, this.#tree.root()];
    const checkpointSize = this.#signed?.size ?? 0;
    const seal =
      before?.size === size
        ? before
        : signSeal(origin, { first: this.#end.size, size, root, checkpointSize }, sealedBy);
    const note = withCheckpoint
      ? signCheckpoint({ origin, size, root }, this.#key, this.#keys)
      : undefined;
    const { rows } = await this.#session.query(
      this.#group.statement(this.identity, before, {
        seal,
        note,
        ...(this.#end.size === 0 && { createdAtUs: Date.now() * 1000 }),
      }),
    );
    if (this.#session.replicated === true) {
      // A commit that waits is released when the names are taken away, as if a standby had confirmed it.
      await requireStandby(this.#session);
    }
    if (rows[0]?.['found'] !== 1) {
      throw new AuditBrokenError(
        'truncated',
        'The end of the log is not where this instance left it',
        this.#end.size,
      );
    }
    this.#end = { size, root };
    this.#seal = seal;
    if (note !== undefined) {
      this.#signed = { size, note };
      void this.#options.kept?.keep(logId, note);
    }
  }
}

/** Requires the end that this instance wrote, and keeps it where it is gone: no restart may forget it. @throws AuditBrokenError */
async function requireExtends(
  session: LogSession,
  { logId, origin, keys }: OwnLog,
  {
    size,
    before: { end },
    key,
    kept,
  }: Pick<PostgresLogOptions, 'kept'> & {
    readonly size: number;
    readonly before: LogLock;
    readonly key: KeyObject;
  },
): Promise<void> {
  if (end === undefined || (size >= end.size && (await hasTree(session, logId, end)))) {
    return;
  }
  await kept?.keep(logId, signCheckpoint({ origin, ...end }, key, keys));
  throw new AuditBrokenError(
    'truncated',
    `The log has ${size} records, and not the ${end.size} that this instance wrote`,
    Math.min(size, end.size),
  );
}

/** @throws AuditBrokenError if a log is missing, shorter or another one than the checkpoint kept beside its key */
export async function checkKept(
  session: Queryable,
  key: KeyObject,
  kept: KeptCheckpoints | undefined,
): Promise<void> {
  if (kept !== undefined) {
    const logs = await logsOf(session, key);
    const keyOf = (origin: string): LogKeys | VerifierKey =>
      logs.find((log) => log.origin === origin)?.keys ?? VerifierKey.of(origin, key);
    await kept.check(session, keyOf, logs);
  }
}

async function requireWhole(session: LogSession, logId: string, size: number): Promise<void> {
  const { rows } = await session.query(
    'select count(*) as count from audit.audit_event where log_id = $1',
    [logId],
  );
  const missing = size - Number(rows[0]?.['count']);
  if (missing !== 0) {
    throw new AuditBrokenError(
      'gap',
      `The log has lost records: ${missing} of ${size} are missing`,
    );
  }
}
