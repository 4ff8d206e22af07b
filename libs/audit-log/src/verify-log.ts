import { setTimeout as sleep } from 'node:timers/promises';
import { extend, followChange, parseKey } from './appender.ts';
import { parseCheckpoint, type Head, type VerifierKey } from './checkpoint.ts';
import { AuditBrokenError, requireIntact } from './errors.ts';
import {
  copyMembers,
  NEW_LOG,
  parseOwnRecord,
  ROTATE_KEY,
  type Copies,
  type Members,
  type StoredRecord,
} from './record.ts';
import { readSeen, type SeenLog } from './see-logs.ts';
import { SignedTree } from './signed-tree.ts';
import {
  storedLevels,
  type LogIdentity,
  type Node,
  type ReadableStorage,
} from './storage/storage.ts';
import { Frontier } from './tree.ts';

const recordsPerRead = 1024;

export interface VerifyOptions {
  /** Trusted public keys. One of them must be a key of the log. */
  readonly keys?: readonly VerifierKey[] | undefined;
  /** Checkpoints that the log must extend. Those of other logs are ignored. */
  readonly checkpoints?: readonly string[] | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** The share of a processor's time to use, from 0 to 1. */
  readonly share?: number | undefined;
}

export interface VerifiedLog {
  readonly logId: string;
  readonly size: number;
  /** All keys that signed the log, oldest first. */
  readonly publicKeys: readonly string[];
  readonly checkpoint: string;
  /** Number of the checkpoints that belong to this log. */
  readonly checkpoints: number;
  readonly seen: readonly SeenLog[];
  /** IDs of the archived logs that this log replaced. */
  readonly archived: readonly string[];
  readonly tree: SignedTree;
}

/** Reads and verifies a whole log. @throws AuditBrokenError at the first fault, BadCheckpointError */
export async function verifyLog(
  storage: ReadableStorage,
  members: Members,
  identity: LogIdentity,
  options: VerifyOptions = {},
): Promise<VerifiedLog> {
  return await new Verification(storage, members, identity, options).run();
}

class Verification {
  readonly #storage: ReadableStorage;
  readonly #members: Members;
  readonly #identity: LogIdentity;
  readonly #options: VerifyOptions;
  readonly #tree = new Frontier();
  /** The keys of the log, each with the size of the last tree that the previous key signed. */
  readonly #keys: { readonly key: VerifierKey; readonly after: number }[] = [];
  /** Roots to compare at the end, by the size of their tree. */
  readonly #roots = new Map<number, Buffer | undefined>();
  readonly #seen = new Map<string, SeenLog>();
  #archived: string[] = [];

  constructor(
    storage: ReadableStorage,
    members: Members,
    identity: LogIdentity,
    options: VerifyOptions,
  ) {
    this.#storage = storage;
    this.#members = members;
    this.#identity = identity;
    this.#options = options;
  }

  async run(): Promise<VerifiedLog> {
    const { logId, name } = this.#identity;
    // Read the log's row before the range, since a service may append meanwhile.
    const row = (await this.#storage.readLogs()).find((one) => one.logId === logId);
    const { first, end } = await this.#storage.readSeqRange(logId);
    const openNodes = row === undefined ? [] : await this.#readOpenNodes(row.size);
    const newest = await this.#storage.readNewestHead(logId);
    const isSigned = row !== undefined && newest !== undefined;
    requireIntact(isSigned, 'gap', `The log ${name} has no signed head`, 0);
    const { size } = newest;
    requireIntact(first >= 0, 'altered', `The log has a record with the number ${first}`, 0);
    const unsignedNode = openNodes.find(({ level, place }) => (place + 1) * 2 ** level > size);
    if (unsignedNode !== undefined) {
      throw createAlteredNodeError(unsignedNode);
    }
    requireIntact(size >= end, 'altered', `Record ${size} is not signed`, size);
    const checkpoints = (this.#options.checkpoints ?? [])
      .map(parseCheckpoint)
      .filter((one) => one.name === name);
    for (const one of [...checkpoints, row]) {
      this.#roots.set(one.size, one.size === 0 ? this.#tree.computeRoot() : undefined);
    }
    await this.#walk(size);
    const key = this.#requireKey(row.publicKey);
    requireIntact(
      key.hasSigned(newest),
      'bad_signature',
      `The newest head, of ${size} records, is not signed by the log's key`,
    );
    const root = this.#roots.get(row.size);
    const stored = Frontier.parse(row.size, row.frontier)?.computeRoot();
    const isFrontier = root !== undefined && stored?.equals(root) === true;
    requireIntact(isFrontier, 'altered', 'The stored frontier is not that of the log');
    this.#requireTrustedKey(key);
    for (const checkpoint of checkpoints) {
      this.#requireCheckpoint(checkpoint, size);
    }
    const tree = new SignedTree(this.#storage, this.#identity, newest);
    return {
      ...{ logId, size, checkpoint: tree.checkpoint, checkpoints: checkpoints.length, tree },
      ...{ archived: this.#archived, seen: [...this.#seen.values()] },
      publicKeys: this.#keys.map((one) => one.key.text),
    };
  }

  /** Reads the stored nodes that are not complete at this size. */
  async #readOpenNodes(size: number): Promise<Node[]> {
    const open: Node[] = [];
    for (const level of storedLevels) {
      const from = Math.floor(size / 2 ** level);
      const { logId } = this.#identity;
      open.push(...(await this.#storage.readNodes(logId, level, from, Number.MAX_SAFE_INTEGER)));
    }
    return open;
  }

  async #walk(size: number): Promise<void> {
    const { share = 1, onProgress } = this.#options;
    const { logId } = this.#identity;
    while (this.#tree.size < size) {
      const began = performance.now();
      const from = this.#tree.size;
      const to = Math.min(size, from + recordsPerRead);
      const records = await this.#storage.readRecordsWithCopies(logId, from, to);
      const heads = await this.#storage.readHeads(logId, from + 1, to);
      const headsBySize = new Map(heads.map((head) => [head.size, head]));
      const nodes: Node[] = [];
      for (const record of records) {
        if (record.seq !== this.#tree.size) {
          break;
        }
        this.#requireCopies(record.seq, record.body, record.copies);
        extend(this.#tree, record, nodes);
        const head = headsBySize.get(this.#tree.size);
        if (head !== undefined) {
          requireIntact(
            head.root.equals(this.#tree.computeRoot()),
            'altered',
            `The first ${head.size} records are not those that were signed`,
          );
        }
        if (this.#roots.has(this.#tree.size)) {
          this.#roots.set(this.#tree.size, this.#tree.computeRoot());
        }
        this.#readOwn(record, head);
      }
      const { size: done } = this.#tree;
      requireIntact(done === to, 'gap', `Record ${done} is missing`, done);
      await this.#requireNodes(nodes);
      onProgress?.(to, size);
      if (share < 1) {
        await sleep(((performance.now() - began) * (1 - share)) / share);
      }
    }
  }

  #requireCopies(seq: number, body: string, stored: Copies): void {
    const { time, texts, one, many } = copyMembers(body, this.#members);
    const isCopy =
      stored.time === time &&
      isSame(stored.one, one) &&
      isSame(stored.many, many) &&
      texts.every((text, at) => stored.texts[at] === text);
    if (!isCopy) {
      const message = `The columns of record ${seq} differ from its body`;
      throw new AuditBrokenError('altered', message, seq);
    }
  }

  #readOwn(record: StoredRecord, head: Head | undefined): void {
    const own = parseOwnRecord(record.body);
    if (own === undefined) {
      return;
    }
    readSeen(own).forEach((one) => {
      this.#seen.set(one.logId, one);
    });
    if (own.operation === NEW_LOG && record.seq === 0) {
      this.#archived = String(own.details['archived'] ?? '').split(' ');
    }
    if (own.operation === ROTATE_KEY) {
      const old = this.#keys.at(-1)?.key ?? parseKey(own.details['old_public_key']);
      const next = followChange(record, old, head);
      if (this.#keys.length === 0 && old !== undefined) {
        this.#keys.push({ key: old, after: 0 });
      }
      this.#keys.push({ key: next, after: this.#tree.size });
    }
  }

  #requireKey(stored: string): VerifierKey {
    const key = this.#keys.at(-1)?.key ?? parseKey(stored);
    requireIntact(
      key?.text === stored && key.name === this.#identity.name,
      'bad_signature',
      'The stored public key is not the one of the log',
    );
    if (this.#keys.length === 0) {
      this.#keys.push({ key, after: 0 });
    }
    return key;
  }

  #requireTrustedKey(current: VerifierKey): void {
    const { keys } = this.#options;
    requireIntact(
      keys?.some((key) => this.#keys.some((one) => one.key.equals(key))) ?? true,
      'bad_signature',
      `The log ${this.#identity.name} is signed by ${current.text}, which is none of the given keys`,
    );
  }

  #requireCheckpoint(
    { size, root, signatures }: ReturnType<typeof parseCheckpoint>,
    end: number,
  ): void {
    const signer = this.#keys.findLast(({ after }) => size > after || after === 0);
    requireIntact(
      signatures.some((signature) => signer?.key.hasSigned({ size, root, signature })),
      'bad_signature',
      'A given checkpoint is not signed by the log’s key',
    );
    requireIntact(
      size <= end,
      'truncated',
      `The log has ${end} records, and a given checkpoint has signed ${size}`,
      end,
    );
    requireIntact(
      this.#roots.get(size)?.equals(root) === true,
      'forked',
      `The first ${size} records are not those of the given checkpoint`,
    );
  }

  async #requireNodes(nodes: readonly Node[]): Promise<void> {
    for (const level of new Set(nodes.map((node) => node.level))) {
      const expected = nodes.filter((node) => node.level === level);
      const first = expected[0]?.place ?? 0;
      const { logId } = this.#identity;
      const stored = await this.#storage.readNodes(logId, level, first, first + expected.length);
      const wrong = expected.find(({ place, hash }, at) => {
        const node = stored[at];
        return node?.place !== place || !node.hash.equals(hash);
      });
      if (wrong !== undefined) {
        throw createAlteredNodeError(wrong);
      }
    }
  }
}

function createAlteredNodeError({ level, place }: Node): AuditBrokenError {
  const message = `Node ${level}/${place} of the tree is missing or altered`;
  return new AuditBrokenError('altered', message, place * 2 ** level);
}

function isSame(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one === null || other === null ? one === other : Buffer.compare(one, other) === 0;
}
