import { existsSync } from 'node:fs';
import { formatCheckpoint, parseCheckpoint, VerifierKey, type Head } from './checkpoint.ts';
import { parseKey } from './appender.ts';
import { BadCheckpointError, LogRefusedError, NoAuditLogError, requireIntact } from './errors.ts';
import { logFile, openStorage, readLogId, type LogPlace } from './log-place.ts';
import { parseOwn, readTime, ROTATE_KEY, type Members, type StoredRecord } from './record.ts';
import { requireSeen, type SeenLog } from './see-logs.ts';
import { GROUP, hashRecord, SignedTree } from './signed-tree.ts';
import { SigningKey } from './signing-key.ts';
import type { LogIdentity, ReadableStorage } from './storage/storage.ts';
import { verifyLog, type VerifiedLog, type VerifyOptions } from './verify-log.ts';

const chunkLength = 64 * 1024;

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
    requireIntact(head !== undefined, 'gap', 'The log has no signed head', 0);
    requireIntact(
      VerifierKey.parse(publicKey).signed(head),
      'bad_signature',
      `The newest head of the log, of ${head.size} records, is not signed by its key`,
    );
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
      if (toUs !== Infinity && this.#timeUs(record) > toUs) {
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
        if (this.#timeUs(record) < fromUs) {
          return;
        }
        yield record;
      }
      to = from;
    }
  }

  /**
   * An export that others can verify: NDJSON in chunks of complete lines.
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
    let chunk = `${JSON.stringify({ log: name, public_key: publicKey, size })}\n`;
    for await (const record of tree.records(0, size)) {
      if (parseOwn(record.body)?.operation === ROTATE_KEY) {
        const checkpoint = formatCheckpoint(name, await this.#headOfChange(record));
        chunk += `${describeRecord(record)}${JSON.stringify({ checkpoint })}\n`;
      } else {
        chunk += isShown(record) ? describeRecord(record) : describeHash(record);
      }
      if (chunk.length > chunkLength) {
        yield chunk;
        chunk = '';
      }
    }
    yield `${chunk}${JSON.stringify({ checkpoint: note })}\n`;
  }

  /** Reads the whole log and checks all of it. @throws AuditBrokenError at the first fault, BadCheckpointError */
  async verify(options?: VerifyOptions): Promise<VerifiedLog> {
    return await verifyLog(this.storage, this.members, this.identity, options);
  }

  /** @throws AuditBrokenError unless each log that another one has seen is there, and begins with what was seen */
  async requireSeen(seen: readonly SeenLog[], verified: readonly SignedTree[]): Promise<void> {
    await requireSeen(this.storage, seen, verified);
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
    const size = head?.size ?? Infinity;
    const isSigned = size >= Math.max(end, row?.size ?? 0);
    requireIntact(isSigned, 'altered', `Record ${size} is not signed`, size);
    return head;
  }

  /** How many records a checkpoint of this log covers. @throws BadCheckpointError, AuditBrokenError */
  async #sizeAt(tree: SignedTree, note: string): Promise<number> {
    const older = parseCheckpoint(note);
    if (older.name !== this.identity.name) {
      throw new BadCheckpointError(
        `The checkpoint is of ${older.name}, not of ${this.identity.name}`,
      );
    }
    await tree.requireExtends(older, 'the given checkpoint');
    return older.size;
  }

  /** The head that the key before signed. @throws AuditBrokenError */
  async #headOfChange(record: StoredRecord): Promise<Head> {
    const size = record.seq + 1;
    const [head] = await this.storage.heads(this.identity.logId, size, size);
    const old = parseOwn(record.body)?.details['old_public_key'];
    requireIntact(
      head !== undefined && parseKey(old)?.signed(head) === true,
      'bad_signature',
      `The head of the change of the signing key, record ${record.seq}, is missing or altered`,
      record.seq,
    );
    return head;
  }

  /** The first record that is not older than a time; the records before it were proved, too. */
  async #firstSince(tree: SignedTree, timeUs: number): Promise<number> {
    let [from, to] = [0, tree.head.size];
    while (from < to) {
      const middle = Math.floor((from + to) / 2);
      if (this.#timeUs(await tree.record(middle)) < timeUs) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  #timeUs(record: StoredRecord): number {
    return readTime(record, this.members);
  }
}

/**
 * Opens the log of a data folder, or all logs of a database. The folder's log has the key of the folder, if that has one, and each other
 * log the key that the database names. All readers share one storage: close one of them.
 *
 * @throws NoAuditLogError without a file, LogRefusedError if the folder's key did not sign its log, AuditBrokenError
 */
export async function openReaders(
  { dataDir, postgres }: Partial<LogPlace>,
  members: Members,
): Promise<LogReader[]> {
  const place = { dataDir: dataDir ?? '', postgres };
  if (postgres === undefined && !existsSync(logFile(place.dataDir))) {
    throw new NoAuditLogError('This data folder has no audit log.');
  }
  const storage = openStorage(place, members, { readOnly: true });
  try {
    const logId = dataDir === undefined || dataDir === '' ? undefined : readLogId(dataDir);
    const rows = (await storage.logs()).filter(
      (row) => postgres !== undefined || row.logId === (logId ?? row.logId),
    );
    requireIntact(
      postgres !== undefined || rows.length > 0,
      'gap',
      `${logFile(place.dataDir)} does not hold the log ${logId ?? ''}`,
      0,
    );
    const readers: LogReader[] = [];
    for (const row of rows) {
      const isOwn = postgres === undefined || row.logId === logId;
      const key = isOwn
        ? readPublicKey(place.dataDir, row, await storage.newestHead(row.logId))
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
  const keys = [...signingKey.readNext(), signingKey.read()].flatMap((key) =>
    key === undefined ? [] : [VerifierKey.of(name, key)],
  );
  const signer = keys.find((key) => head !== undefined && key.signed(head));
  if (signer === undefined && keys.length > 0) {
    throw new LogRefusedError(
      'wrong_key',
      `${signingKey.file} did not sign the newest head of the audit log ${name}.`,
    );
  }
  return signer?.text;
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
  return `${JSON.stringify({ seq, leaf_hash: Buffer.from(hashRecord(record), 'latin1').toString('hex') })}\n`;
}
