import { formatCheckpoint, type Head, type Tree } from './checkpoint.ts';
import { AuditBrokenError, requireIntact } from './errors.ts';
import { saltLength, type StoredRecord } from './record.ts';
import { storedLevels, type ReadableStorage } from './storage/storage.ts';
import {
  buildConsistencyProof,
  hashSubtree,
  buildInclusionProof,
  hashLeaf,
  readFrontier,
  type HashText,
  type NodeReader,
} from './tree.ts';

/**
 * Number of records in a group, the smallest part of the log that can be proved: the root of a group is a stored
 * node.
 */
export const GROUP = 256;
const maxGroups = 300;

/**
 * A stored log, proved by a signed head. Each level has groups of at most 256 hashes, whose roots are the hashes of
 * the level above; the top groups together have the root of the head. Nothing is returned unless its hash is covered
 * by the signature.
 */
export class SignedTree {
  readonly logId: string;
  readonly head: Head;
  readonly #storage: ReadableStorage;
  readonly #name: string;
  readonly #groups = new Map<string, Promise<Buffer[]>>();
  #top: Promise<Map<number, Buffer[]>> | undefined;

  /** @param head a head whose signature was verified */
  constructor(
    storage: ReadableStorage,
    { logId, name }: { readonly logId: string; readonly name: string },
    head: Head,
  ) {
    this.#storage = storage;
    this.logId = logId;
    this.#name = name;
    this.head = head;
  }

  get checkpoint(): string {
    return formatCheckpoint(this.#name, this.head);
  }

  /**
   * Yields the records from `from` to before `to`, each proved. @throws AuditBrokenError if one is missing or altered
   */
  async *readRecords(from: number, to: number): AsyncGenerator<StoredRecord, void> {
    for (let start = from - (from % GROUP); start < to; start += GROUP) {
      const end = Math.min(start + GROUP, this.head.size);
      const records = await this.#readGroup(start, end);
      this.#requireSame(records.map(hashBytes), await this.#readHashes(0, start / GROUP), start);
      yield* records.slice(Math.max(0, from - start), Math.max(0, to - start));
    }
  }

  /** @throws RangeError if the log has no such record; AuditBrokenError */
  async record(seq: number): Promise<StoredRecord> {
    if (!Number.isSafeInteger(seq) || seq < 0 || seq >= this.head.size) {
      throw new RangeError(`The log has ${this.head.size} records; the first has the number 0`);
    }
    for await (const record of this.readRecords(seq, seq + 1)) {
      return record;
    }
    throw createMissingError(seq);
  }

  /** @throws AuditBrokenError unless these records are the signed ones */
  async requireRecords(records: readonly StoredRecord[]): Promise<void> {
    for (const record of records) {
      const { seq } = record;
      const isSigned = seq >= 0 && seq < this.head.size;
      requireIntact(isSigned, 'bad_signature', `Record ${seq} is not signed`, seq);
      const hashes = await this.#readHashes(0, Math.floor(seq / GROUP));
      if (!hashBytes(record).equals(hashes[seq % GROUP] as Buffer)) {
        throw createAlteredError(seq);
      }
    }
  }

  /** Returns the root of an earlier size of the log. @throws RangeError, AuditBrokenError */
  async getRootAt(size: number): Promise<Buffer> {
    this.#requireSize(size);
    return (await readFrontier(size, this.#readNode)).computeRoot();
  }

  /**
   * Returns an inclusion proof (RFC 6962, 2.1.1). @throws RangeError if a tree of that size has no such record;
   * AuditBrokenError
   */
  async inclusion(
    seq: number,
    size: number = this.head.size,
  ): Promise<{ readonly hashes: readonly Buffer[]; readonly leafHash: Buffer }> {
    this.#requireSize(size);
    const hashes = await buildInclusionProof(seq, size, this.#readNode);
    return { hashes, leafHash: await this.#readNode(0, seq) };
  }

  /** Returns a consistency proof (RFC 6962, 2.1.2). @throws RangeError if there is no such tree; AuditBrokenError */
  async consistency(older: number, size: number = this.head.size): Promise<readonly Buffer[]> {
    this.#requireSize(size);
    return await buildConsistencyProof(older, size, this.#readNode);
  }

  async requireExtends(older: Tree, what: string): Promise<void> {
    const { size } = this.head;
    requireIntact(
      older.size <= size,
      'truncated',
      `The log has ${size} records, and ${what} signed ${older.size}`,
      size,
    );
    const root = await this.getRootAt(older.size);
    requireIntact(root.equals(older.root), 'forked', `The log does not extend the tree of ${what}`);
  }

  readonly #readNode: NodeReader = async (level, place) => {
    const stored = storedLevels.findLast((one) => one <= level) ?? 0;
    const count = 2 ** (level - stored);
    const first = place * count;
    const hashes: Buffer[] = [];
    // Below the top level, a node between two stored levels lies within one group.
    for (let at = first; at < first + count; at += GROUP) {
      const group = await this.#readHashes(stored, Math.floor(at / GROUP));
      hashes.push(...group.slice(at % GROUP, (at % GROUP) + Math.min(count, GROUP)));
    }
    return hashSubtree(hashes);
  };

  /** Returns the hashes of a group, proved by the level above. */
  async #readHashes(level: number, group: number): Promise<Buffer[]> {
    const above = level + 8;
    const complete = Math.floor(this.head.size / 2 ** above);
    if (above > storedLevels[2] || group >= complete) {
      const top = (await this.#proveTop()).get(level) ?? [];
      return above > storedLevels[2] ? top.slice(GROUP * group, GROUP * (group + 1)) : top;
    }
    const key = `${level}/${group}`;
    let hashes = this.#groups.get(key);
    if (hashes === undefined) {
      if (this.#groups.size >= maxGroups) {
        this.#groups.clear();
      }
      hashes = this.#proveGroup(level, group);
      this.#groups.set(key, hashes);
    }
    return await hashes;
  }

  async #proveGroup(level: number, group: number): Promise<Buffer[]> {
    const hashes = await this.#read(level, GROUP * group, GROUP * (group + 1));
    const above = (await this.#readHashes(level + 8, Math.floor(group / GROUP)))[group % GROUP];
    const first = GROUP * group * 2 ** level;
    requireIntact(
      above !== undefined && hashSubtree(hashes).equals(above),
      'altered',
      `Records ${first} to ${first + 2 ** (level + 8) - 1} are not those that were signed`,
    );
    return hashes;
  }

  /** Returns the hashes that have no stored node above them, by level. */
  async #proveTop(): Promise<Map<number, Buffer[]>> {
    this.#top ??= this.#readTop();
    return await this.#top;
  }

  async #readTop(): Promise<Map<number, Buffer[]>> {
    const { size, root } = this.head;
    const top = new Map<number, Buffer[]>();
    for (const level of [...storedLevels.toReversed(), 0]) {
      const end = Math.floor(size / 2 ** level);
      const start = level === storedLevels[2] ? 0 : end - (end % GROUP);
      top.set(level, await this.#read(level, start, end));
    }
    const tree = await readFrontier(size, (level, place) => {
      const stored = storedLevels.findLast((one) => one <= level) ?? 0;
      const count = 2 ** (level - stored);
      const hashes = top.get(stored) as Buffer[];
      const start = Math.floor(size / 2 ** stored) - hashes.length;
      return Promise.resolve(
        hashSubtree(hashes.slice(place * count - start, (place + 1) * count - start)),
      );
    });
    requireIntact(
      tree.computeRoot().equals(root),
      'altered',
      `The first ${size} records are not those that were signed`,
    );
    return top;
  }

  /** Reads stored hashes. @throws AuditBrokenError if one is missing */
  async #read(level: number, from: number, to: number): Promise<Buffer[]> {
    if (level === 0) {
      return (await this.#readGroup(from, to)).map(hashBytes);
    }
    const nodes = await this.#storage.readNodes(this.logId, level, from, to);
    for (let place = from; place < to; place += 1) {
      const isThere = nodes[place - from]?.place === place;
      requireIntact(isThere, 'gap', `Node ${level}/${place} of the tree is missing`);
    }
    return nodes.map(({ hash }) => hash);
  }

  async #readGroup(from: number, to: number): Promise<StoredRecord[]> {
    const records = await this.#storage.readRecords(this.logId, from, to);
    for (let seq = from; seq < to; seq += 1) {
      if (records[seq - from]?.seq !== seq) {
        throw createMissingError(seq);
      }
    }
    return records;
  }

  #requireSame(found: readonly Buffer[], signed: readonly Buffer[], start: number): void {
    const at = found.findIndex((hash, place) => signed[place]?.equals(hash) !== true);
    if (at >= 0) {
      throw createAlteredError(start + at);
    }
  }

  #requireSize(size: number): void {
    if (!Number.isSafeInteger(size) || size < 0 || size > this.head.size) {
      throw new RangeError(`The signed log has ${this.head.size} records, not ${size}`);
    }
  }
}

/**
 * @throws AuditBrokenError unless the salt has 16 bytes. With any other length, bytes could move between salt and
 * body.
 */
export function hashRecord({ seq, salt, body }: StoredRecord): HashText {
  if (salt.length !== saltLength) {
    throw createAlteredError(seq);
  }
  return hashLeaf(salt, body);
}

function hashBytes(record: StoredRecord): Buffer {
  return Buffer.from(hashRecord(record), 'latin1');
}

function createAlteredError(seq: number): AuditBrokenError {
  return new AuditBrokenError('altered', `Record ${seq} is not the one that was signed`, seq);
}

function createMissingError(seq: number): AuditBrokenError {
  return new AuditBrokenError('gap', `Record ${seq} is missing`, seq);
}
