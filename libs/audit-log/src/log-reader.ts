import { existsSync } from 'node:fs';
import { formatCheckpoint, parseCheckpoint, VerifierKey, type Head } from './checkpoint.ts';
import {
  AuditBrokenError,
  BadCheckpointError,
  LogRefusedError,
  NoAuditLogError,
} from './errors.ts';
import { logFile, readLogId } from './open-appender.ts';
import { ownRecord, parseMembers, ROTATE_KEY, type Members, type StoredRecord } from './record.ts';
import { GROUP, hashRecord, SignedTree } from './signed-tree.ts';
import { SigningKey } from './signing-key.ts';
import { PostgresStorage, type PostgresOptions } from './storage/postgres.ts';
import { SqliteStorage } from './storage/sqlite.ts';
import { readInThread } from './storage/threaded.ts';
import type { LogIdentity, ReadableStorage } from './storage/storage.ts';

const pieceLength = 64 * 1024;

/** Reads a log. What it gives is proved by the newest head, which the log's key signed. */
export class LogReader {
  readonly identity: LogIdentity;
  readonly storage: ReadableStorage;
  readonly members: Members;

  /** @param identity with the key that is trusted */
  constructor(storage: ReadableStorage, members: Members, identity: LogIdentity) {
    this.storage = storage;
    this.members = members;
    this.identity = identity;
  }

  /**
   * The log as it is signed now, or as a checkpoint by the same key has it.
   *
   * @throws AuditBrokenError if the key did not sign it, BadCheckpointError
   */
  async tree(note?: string): Promise<SignedTree> {
    const { publicKey } = this.identity;
    const head =
      note === undefined ? await this.#newestHead() : VerifierKey.parse(publicKey).open(note);
    if (head === undefined) {
      throw new AuditBrokenError('gap', 'The log has no signed head', 0);
    }
    if (!VerifierKey.parse(publicKey).signed(head)) {
      throw new AuditBrokenError(
        'bad_signature',
        `The newest head of the log, of ${head.size} records, is not signed by its key`,
      );
    }
    return new SignedTree(this.storage, this.identity, head);
  }

  /**
   * All records from a time on, in order.
   *
   * @param fromUs microseconds since 1970; it and `toUs` are included
   * @param note a checkpoint of the log to end at; default: the newest one
   * @throws AuditBrokenError where one is missing or altered: do not rely on what came before; BadCheckpointError
   */
  async *records({
    fromUs = -Infinity,
    toUs = Infinity,
    note,
  }: {
    readonly fromUs?: number | undefined;
    readonly toUs?: number | undefined;
    readonly note?: string | undefined;
  } = {}): AsyncGenerator<StoredRecord, void> {
    const tree = await this.tree();
    const size = note === undefined ? tree.head.size : await this.#sizeAt(tree, note);
    const from = fromUs === -Infinity ? 0 : await this.#firstSince(tree, fromUs);
    for await (const record of tree.records(from, size)) {
      if (toUs !== Infinity && this.#readTime(record) > toUs) {
        return;
      }
      yield record;
    }
  }

  /** Records of a time, newest first, before the one with the number `below`. @throws as `records` */
  async *newestFirst(
    tree: SignedTree,
    {
      fromUs = -Infinity,
      toUs,
      below = tree.head.size,
    }: {
      readonly fromUs?: number | undefined;
      readonly toUs?: number | undefined;
      readonly below?: number | undefined;
    },
  ): AsyncGenerator<StoredRecord, void> {
    const end =
      toUs === undefined ? below : Math.min(below, await this.#firstSince(tree, toUs + 1));
    for (let to = end; to > 0;) {
      const from = to - (((to - 1) % GROUP) + 1);
      for (const record of (await readAll(tree.records(from, to))).toReversed()) {
        if (this.#readTime(record) < fromUs) {
          return;
        }
        yield record;
      }
      to = from;
    }
  }

  /**
   * An export that others can verify: NDJSON in pieces of whole lines.
   *
   * @throws AuditBrokenError if the log does not hold: discard what was yielded
   */
  async *ndjson(
    note: string,
    isShown: (record: StoredRecord) => boolean = () => true,
  ): AsyncGenerator<string, void> {
    const tree = await this.tree();
    const size = await this.#sizeAt(tree, note);
    const { name, publicKey } = this.identity;
    let piece = `${JSON.stringify({ log: name, public_key: publicKey, size })}\n`;
    for await (const record of tree.records(0, size)) {
      if (ownRecord(record.body)?.operation === ROTATE_KEY) {
        const checkpoint = formatCheckpoint(name, await this.#headOfChange(record));
        piece += `${describeRecord(record)}${JSON.stringify({ checkpoint })}\n`;
      } else {
        piece += isShown(record) ? describeRecord(record) : describeHash(record);
      }
      if (piece.length > pieceLength) {
        yield piece;
        piece = '';
      }
    }
    yield `${piece}${JSON.stringify({ checkpoint: note })}\n`;
  }

  async close(): Promise<void> {
    await this.storage.close();
  }

  /** The newest head, which covers all that is there. @throws AuditBrokenError */
  async #newestHead(): Promise<Head | undefined> {
    const { logId } = this.identity;
    // In this order, while a service appends.
    const row = (await this.storage.logs()).find((one) => one.logId === logId);
    const { end } = await this.storage.range(logId);
    const head = await this.storage.newestHead(logId);
    if (head !== undefined && head.size < Math.max(end, row?.size ?? 0)) {
      throw new AuditBrokenError('altered', `Record ${head.size} is not signed`, head.size);
    }
    return head;
  }

  /** How many records a checkpoint of this log covers. @throws BadCheckpointError, AuditBrokenError */
  async #sizeAt(tree: SignedTree, note: string): Promise<number> {
    const kept = parseCheckpoint(note);
    if (kept.name !== this.identity.name) {
      throw new BadCheckpointError(
        `The checkpoint is of ${kept.name}, not of ${this.identity.name}`,
      );
    }
    await tree.requireExtends(kept, 'the given checkpoint');
    return kept.size;
  }

  /** The head that the key before signed. @throws AuditBrokenError */
  async #headOfChange(record: StoredRecord): Promise<Head> {
    const size = record.seq + 1;
    const [head] = await this.storage.heads(this.identity.logId, size, size);
    const old = ownRecord(record.body)?.details['old_public_key'];
    if (head === undefined || !VerifierKey.parse(String(old)).signed(head)) {
      throw new AuditBrokenError(
        'bad_signature',
        `The head of the change of the signing key, record ${record.seq}, is missing or altered`,
        record.seq,
      );
    }
    return head;
  }

  /** The first record that is not older than a time; the records before it were proved, too. */
  async #firstSince(tree: SignedTree, timeUs: number): Promise<number> {
    let [from, to] = [0, tree.head.size];
    while (from < to) {
      const middle = Math.floor((from + to) / 2);
      if (this.#readTime(await tree.record(middle)) < timeUs) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  #readTime({ body }: StoredRecord): number {
    const at = parseMembers(body)[this.members.time];
    return Number.isSafeInteger(at) ? (at as number) : 0;
  }
}

/** The log of a data folder; with its key, if the folder has it. @throws NoAuditLogError, LogRefusedError, AuditBrokenError */
export async function openFolderReader(
  dataDir: string,
  members: Members,
  { inThread = false }: { readonly inThread?: boolean } = {},
): Promise<LogReader> {
  const file = logFile(dataDir);
  if (!existsSync(file)) {
    throw new NoAuditLogError('This data folder has no audit log.');
  }
  const storage = inThread
    ? readInThread(file, members)
    : new SqliteStorage(file, members, { readOnly: true });
  try {
    const logId = readLogId(dataDir);
    const row = (await storage.logs()).find((one) => logId === undefined || one.logId === logId);
    if (row === undefined) {
      throw new AuditBrokenError('gap', `${file} does not hold the log ${logId ?? ''}`, 0);
    }
    const head = await storage.newestHead(row.logId);
    const publicKey = readPublicKey(dataDir, row, head) ?? row.publicKey;
    return new LogReader(storage, members, { ...row, publicKey });
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/**
 * All logs of a database: that of the data folder with the key in the folder, others with the key that the database says.
 *
 * @throws LogRefusedError if the folder's key did not sign its log
 */
export async function openDatabaseReaders(
  options: PostgresOptions,
  members: Members,
  dataDir?: string,
): Promise<LogReader[]> {
  const storage = new PostgresStorage(options, members);
  try {
    const own = dataDir === undefined || dataDir === '' ? undefined : readLogId(dataDir);
    const readers: LogReader[] = [];
    for (const row of await storage.logs()) {
      const isOwn = dataDir !== undefined && row.logId === own;
      const key = isOwn
        ? readPublicKey(dataDir, row, await storage.newestHead(row.logId))
        : undefined;
      readers.push(new LogReader(storage, members, { ...row, publicKey: key ?? row.publicKey }));
    }
    return readers;
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/** The public half of the folder's key; undefined without one. @throws LogRefusedError if it did not sign the newest head */
function readPublicKey(
  dataDir: string,
  { name }: Pick<LogIdentity, 'name'>,
  head: Head | undefined,
): string | undefined {
  const signingKey = new SigningKey(dataDir);
  const keys = [...signingKey.readNext(), signingKey.read()].filter((key) => key !== undefined);
  const all = keys.map((key) => VerifierKey.of(name, key));
  if (all.length === 0) {
    return undefined;
  }
  const signer = all.find((key) => head !== undefined && key.signed(head));
  if (signer === undefined) {
    throw new LogRefusedError(
      'wrong_key',
      `${signingKey.file} did not sign the newest head of the audit log ${name}.`,
    );
  }
  return signer.text;
}

async function readAll(records: AsyncIterable<StoredRecord>): Promise<StoredRecord[]> {
  const all: StoredRecord[] = [];
  for await (const record of records) {
    all.push(record);
  }
  return all;
}

function describeRecord({ seq, salt, body }: StoredRecord): string {
  return `${JSON.stringify({ seq, salt: salt.toString('hex'), body })}\n`;
}

function describeHash(record: StoredRecord): string {
  const { seq } = record;
  return `${JSON.stringify({ seq, leaf_hash: hashRecord(record).toString('hex') })}\n`;
}
