import { existsSync } from 'node:fs';
import { formatCheckpoint, parseCheckpoint, VerifierKey, type Head } from './checkpoint.ts';
import { parseKey } from './appender.ts';
import { BadCheckpointError, LogRefusedError, NoAuditLogError, requireIntact } from './errors.ts';
import { getLogFile, openStorage, readLogId, type LogPlace } from './log-place.ts';
import { parseOwnRecord, readTime, ROTATE_KEY, type Members, type StoredRecord } from './record.ts';
import { requireSeen, type SeenLog } from './see-logs.ts';
import { GROUP, hashRecord, SignedTree } from './signed-tree.ts';
import { SigningKey } from './signing-key.ts';
import type { LogIdentity, ReadableStorage } from './storage/storage.ts';
import { verifyLog, type VerifiedLog, type VerifyOptions } from './verify-log.ts';

const chunkLength = 64 * 1024;

/** Reads a log. Everything it returns is proved by the newest head, which the log's key signed. */
export class LogReader {
  readonly identity: LogIdentity;
  readonly storage: ReadableStorage;
  readonly members: Members;

  /** @param identity includes the trusted public key */
  constructor(storage: ReadableStorage, members: Members, identity: LogIdentity) {
    this.storage = storage;
    this.members = members;
    this.identity = identity;
  }

  /**
   * Returns the tree of the newest head, or of a checkpoint that the same key signed.
   *
   * @throws AuditBrokenError if the key didn't sign it, BadCheckpointError
   */
  async tree(note?: string): Promise<SignedTree> {
    const { publicKey } = this.identity;
    const head =
      note === undefined ? await this.#readNewestHead() : VerifierKey.parse(publicKey).open(note);
    requireIntact(head !== undefined, 'gap', 'The log has no signed head', 0);
    requireIntact(
      VerifierKey.parse(publicKey).hasSigned(head),
      'bad_signature',
      `The newest head of the log, of ${head.size} records, is not signed by its key`,
    );
    return new SignedTree(this.storage, this.identity, head);
  }

  /**
   * Yields all records of a time range in order.
   *
   * @param fromUs start in microseconds since 1970; both `fromUs` and `toUs` are inclusive
   * @param note a checkpoint of the log to end at; the newest one by default
   * @throws AuditBrokenError if a record is missing or altered; discard all records yielded before.
   * BadCheckpointError
   */
  async *readRecords({
    fromUs = -Infinity,
    toUs = Infinity,
    note,
  }: {
    readonly fromUs?: number | undefined;
    readonly toUs?: number | undefined;
    readonly note?: string | undefined;
  } = {}): AsyncGenerator<StoredRecord, void> {
    const tree = await this.tree();
    const size = note === undefined ? tree.head.size : await this.#readCheckpointSize(tree, note);
    const from = fromUs === -Infinity ? 0 : await this.#findFirstSince(tree, fromUs);
    for await (const record of tree.readRecords(from, size)) {
      if (toUs !== Infinity && this.#readTimeUs(record) > toUs) {
        return;
      }
      yield record;
    }
  }

  /**
   * Yields the records of a time range that are older than record number `below`, newest first. @throws the errors of
   * `records`
   */
  async *readNewestFirst(
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
      toUs === undefined ? below : Math.min(below, await this.#findFirstSince(tree, toUs + 1));
    for (let to = end; to > 0;) {
      const from = to - (((to - 1) % GROUP) + 1);
      for (const record of (await readAll(tree.readRecords(from, to))).toReversed()) {
        if (this.#readTimeUs(record) < fromUs) {
          return;
        }
        yield record;
      }
      to = from;
    }
  }

  /**
   * Yields an export that others can verify: NDJSON in chunks of complete lines.
   *
   * @throws AuditBrokenError if the log is broken; discard all lines yielded before
   */
  async *exportNdjson(
    note: string,
    isShown: (record: StoredRecord) => boolean = () => true,
  ): AsyncGenerator<string, void> {
    const tree = await this.tree();
    const size = await this.#readCheckpointSize(tree, note);
    const { name, publicKey } = this.identity;
    let chunk = `${JSON.stringify({ log: name, public_key: publicKey, size })}\n`;
    for await (const record of tree.readRecords(0, size)) {
      if (parseOwnRecord(record.body)?.operation === ROTATE_KEY) {
        const checkpoint = formatCheckpoint(name, await this.#readRotationHead(record));
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

  /** Reads and verifies the whole log. @throws AuditBrokenError at the first fault, BadCheckpointError */
  async verify(options?: VerifyOptions): Promise<VerifiedLog> {
    return await verifyLog(this.storage, this.members, this.identity, options);
  }

  /**
   * Checks that each log that was seen is still there and extends the head that was seen. @throws AuditBrokenError if
   * not
   */
  async requireSeen(seen: readonly SeenLog[], verified: readonly SignedTree[]): Promise<void> {
    await requireSeen(this.storage, seen, verified);
  }

  async close(): Promise<void> {
    await this.storage.close();
  }

  /** Returns the newest head, which must cover all stored records. @throws AuditBrokenError */
  async #readNewestHead(): Promise<Head | undefined> {
    const { logId } = this.identity;
    // Read the log's row before the range, since a service may append meanwhile.
    const row = (await this.storage.readLogs()).find((one) => one.logId === logId);
    const { end } = await this.storage.readSeqRange(logId);
    const head = await this.storage.readNewestHead(logId);
    const size = head?.size ?? Infinity;
    const isSigned = size >= Math.max(end, row?.size ?? 0);
    requireIntact(isSigned, 'altered', `Record ${size} is not signed`, size);
    return head;
  }

  /**
   * Returns the number of records that a checkpoint of this log covers. @throws BadCheckpointError, AuditBrokenError
   */
  async #readCheckpointSize(tree: SignedTree, note: string): Promise<number> {
    const older = parseCheckpoint(note);
    if (older.name !== this.identity.name) {
      throw new BadCheckpointError(
        `The checkpoint is of ${older.name}, not of ${this.identity.name}`,
      );
    }
    await tree.requireExtends(older, 'the given checkpoint');
    return older.size;
  }

  async #readRotationHead(record: StoredRecord): Promise<Head> {
    const size = record.seq + 1;
    const [head] = await this.storage.readHeads(this.identity.logId, size, size);
    const old = parseOwnRecord(record.body)?.details['old_public_key'];
    requireIntact(
      head !== undefined && parseKey(old)?.hasSigned(head) === true,
      'bad_signature',
      `The head of the change of the signing key, record ${record.seq}, is missing or altered`,
      record.seq,
    );
    return head;
  }

  /** Finds the first record at or after a time by binary search. All records it reads are proved. */
  async #findFirstSince(tree: SignedTree, timeUs: number): Promise<number> {
    let [from, to] = [0, tree.head.size];
    while (from < to) {
      const middle = Math.floor((from + to) / 2);
      if (this.#readTimeUs(await tree.record(middle)) < timeUs) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  #readTimeUs(record: StoredRecord): number {
    return readTime(record, this.members);
  }
}

/**
 * Opens the log of a data folder, or all logs of a database. The data folder's key must have signed the folder's log;
 * other logs use the key that the database names. The readers share one storage, so close only one of them.
 *
 * @throws NoAuditLogError if the file doesn't exist; LogRefusedError if the folder's key did not sign its log;
 * AuditBrokenError
 */
export async function openReaders(
  { dataDir, postgres }: Partial<LogPlace>,
  members: Members,
): Promise<LogReader[]> {
  const place = { dataDir: dataDir ?? '', postgres };
  if (postgres === undefined && !existsSync(getLogFile(place.dataDir))) {
    throw new NoAuditLogError('This data folder has no audit log.');
  }
  const storage = openStorage(place, members, { readOnly: true });
  try {
    const logId = dataDir === undefined || dataDir === '' ? undefined : readLogId(dataDir);
    const rows = (await storage.readLogs()).filter(
      (row) => postgres !== undefined || row.logId === (logId ?? row.logId),
    );
    requireIntact(
      postgres !== undefined || rows.length > 0,
      'gap',
      `${getLogFile(place.dataDir)} does not contain the log ${logId ?? ''}`,
      0,
    );
    const readers: LogReader[] = [];
    for (const row of rows) {
      const isOwn = postgres === undefined || row.logId === logId;
      const key = isOwn
        ? readPublicKey(place.dataDir, row, await storage.readNewestHead(row.logId))
        : undefined;
      readers.push(new LogReader(storage, members, { ...row, publicKey: key ?? row.publicKey }));
    }
    if (readers.length === 0) {
      await storage.close();
    }
    return readers;
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/**
 * Returns the public half of the folder's key, or undefined if there is none. @throws LogRefusedError if it did not
 * sign the newest head
 */
function readPublicKey(
  dataDir: string,
  { name }: Pick<LogIdentity, 'name'>,
  head: Head | undefined,
): string | undefined {
  const signingKey = new SigningKey(dataDir);
  const keys = [...signingKey.readNext(), signingKey.read()].flatMap((key) =>
    key === undefined ? [] : [VerifierKey.fromKey(name, key)],
  );
  const signer = keys.find((key) => head !== undefined && key.hasSigned(head));
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
