import { setTimeout as sleep } from 'node:timers/promises';
import { extend, followChange } from './appender.ts';
import { formatCheckpoint, parseCheckpoint, VerifierKey, type Head } from './checkpoint.ts';
import { AuditBrokenError, BadCheckpointError } from './errors.ts';
import {
  copyMembers,
  NEW_LOG,
  ownRecord,
  type Copies,
  type Members,
  type OwnRecord,
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

const recordsAtOnce = 1024;

export interface VerifyOptions {
  /** Public keys that were kept elsewhere, one of which must be a key of the log. */
  readonly keys?: readonly VerifierKey[] | undefined;
  /** Checkpoints that were kept elsewhere; those of other logs are passed over. */
  readonly checkpoints?: readonly string[] | undefined;
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
  /** The share of a processor's time that the verification may take, from 0 to 1. */
  readonly share?: number | undefined;
}

export interface VerifiedLog {
  readonly logId: string;
  readonly size: number;
  /** Oldest first. */
  readonly publicKeys: readonly string[];
  readonly checkpoint: string;
  /** How many of the given checkpoints are of this log. */
  readonly checkpoints: number;
  readonly seen: readonly SeenLog[];
  /** IDs of the logs that this one was begun after. */
  readonly archived: readonly string[];
  readonly tree: SignedTree;
}

/** Reads a whole log and checks all of it. @throws AuditBrokenError at the first fault, BadCheckpointError */
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
  /** The keys of the log with the size of the largest tree that the one before signed. */
  readonly #keys: { readonly key: VerifierKey; readonly after: number }[] = [];
  readonly #wantedRoots = new Map<number, Buffer | undefined>();
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
    // In this order, while a service appends.
    const row = (await this.#storage.logs()).find((one) => one.logId === logId);
    const { first, end } = await this.#storage.range(logId);
    const open = row === undefined ? [] : await this.#readOpenNodes(row.size);
    const newest = await this.#storage.newestHead(logId);
    if (newest === undefined || row === undefined) {
      throw new AuditBrokenError('gap', `The log ${name} has no signed head`, 0);
    }
    if (first < 0) {
      throw new AuditBrokenError('altered', `The log has a record with the number ${first}`, 0);
    }
    const early = open.find(({ level, place }) => (place + 1) * 2 ** level > newest.size);
    if (early !== undefined) {
      throw alteredNode(early);
    }
    if (newest.size < end) {
      throw new AuditBrokenError('altered', `Record ${newest.size} is not signed`, newest.size);
    }
    const notes = (this.#options.checkpoints ?? []).filter(
      (note) => parseCheckpoint(note).name === name,
    );
    [...notes.map((note) => parseCheckpoint(note).size), row.size].forEach((size) => {
      this.#wantedRoots.set(size, size === 0 ? this.#tree.root() : undefined);
    });
    await this.#walk(newest.size);
    const current = this.#currentKey(row.publicKey);
    if (!current.signed(newest)) {
      throw new AuditBrokenError(
        'bad_signature',
        `The newest head, of ${newest.size} records, is not signed by the log's key`,
      );
    }
    this.#requireRow(row);
    this.#requireGivenKey(current);
    notes.forEach((note) => {
      this.#requireCheckpoint(note, newest.size);
    });
    const tree = new SignedTree(this.#storage, this.#identity, newest);
    return {
      ...{ logId, size: newest.size, checkpoint: formatCheckpoint(name, newest), tree },
      ...{ checkpoints: notes.length, archived: this.#archived, seen: [...this.#seen.values()] },
      publicKeys: this.#keys.map(({ key }) => key.text),
    };
  }

  /** The stored nodes over records of this place or later ones. */
  async #readOpenNodes(size: number): Promise<Node[]> {
    const open: Node[] = [];
    for (const level of storedLevels) {
      const from = Math.floor(size / 2 ** level);
      open.push(
        ...(await this.#storage.nodes(this.#identity.logId, level, from, Number.MAX_SAFE_INTEGER)),
      );
    }
    return open;
  }

  async #walk(size: number): Promise<void> {
    const { share = 1, onProgress } = this.#options;
    while (this.#tree.size < size) {
      const began = performance.now();
      const from = this.#tree.size;
      const to = Math.min(size, from + recordsAtOnce);
      const records = await this.#storage.recordsWithCopies(this.#identity.logId, from, to);
      const heads = await this.#readHeads(from, to);
      const nodes: Node[] = [];
      for (const record of records) {
        if (record.seq !== this.#tree.size) {
          break;
        }
        this.#requireCopies(record.seq, record.body, record.copies);
        extend(this.#tree, record, nodes);
        const head = heads.get(this.#tree.size);
        if (head !== undefined) {
          this.#requireRoot(head);
        }
        if (this.#wantedRoots.has(this.#tree.size)) {
          this.#wantedRoots.set(this.#tree.size, this.#tree.root());
        }
        const own = ownRecord(record.body);
        if (own !== undefined) {
          await this.#readOwn(own, record, head);
        }
      }
      if (this.#tree.size < to) {
        throw new AuditBrokenError('gap', `Record ${this.#tree.size} is missing`, this.#tree.size);
      }
      await this.#requireNodes(nodes);
      onProgress?.(to, size);
      if (share < 1) {
        await sleep(((performance.now() - began) * (1 - share)) / share);
      }
    }
  }

  /** The heads of the trees that these records complete, by their size. */
  async #readHeads(from: number, to: number): Promise<Map<number, Head>> {
    const heads = await this.#storage.heads(this.#identity.logId, from + 1, to);
    return new Map(heads.map((head) => [head.size, head]));
  }

  #requireRoot({ size, root }: Head): void {
    if (!root.equals(this.#tree.root())) {
      throw new AuditBrokenError(
        'altered',
        `The first ${size} records are not those that were signed`,
      );
    }
  }

  async #readOwn(own: OwnRecord, record: StoredRecord, head: Head | undefined): Promise<void> {
    readSeen(own).forEach((one) => {
      this.#seen.set(one.logId, one);
    });
    if (own.operation === NEW_LOG && record.seq === 0) {
      this.#archived = String(own.details['archived'] ?? '').split(' ');
    }
    const current =
      this.#keys.at(-1)?.key ?? parseKey(own.details['old_public_key'], this.#identity.name);
    if (current === undefined) {
      return;
    }
    const next = await followChange(record, current, (key) => {
      if (head === undefined || !key.signed(head)) {
        throw new AuditBrokenError(
          'bad_signature',
          `Record ${record.seq} changes the signing key, and the key before did not sign it`,
          record.seq,
        );
      }
      return Promise.resolve();
    });
    if (!next.equals(current)) {
      if (this.#keys.length === 0) {
        this.#keys.push({ key: current, after: 0 });
      }
      this.#keys.push({ key: next, after: this.#tree.size });
    }
  }

  #currentKey(stored: string): VerifierKey {
    const key = parseKey(stored, this.#identity.name);
    const last = this.#keys.at(-1)?.key ?? key;
    if (key === undefined || last?.equals(key) !== true) {
      throw new AuditBrokenError(
        'bad_signature',
        'The stored public key is not the one of the log',
      );
    }
    if (this.#keys.length === 0) {
      this.#keys.push({ key, after: 0 });
    }
    return key;
  }

  #requireRow({ size, frontier }: { readonly size: number; readonly frontier: Buffer }): void {
    const root = this.#wantedRoots.get(size);
    let stored: Buffer | undefined;
    try {
      stored = Frontier.of(size, frontier).root();
    } catch {
      // Not as many hashes as a tree of this size has.
    }
    if (root === undefined || stored?.equals(root) !== true) {
      throw new AuditBrokenError('altered', 'The stored frontier is not that of the log');
    }
  }

  #requireGivenKey(current: VerifierKey): void {
    const { keys } = this.#options;
    const isGiven = keys?.some((key) => this.#keys.some((one) => one.key.equals(key))) ?? true;
    if (!isGiven) {
      throw new AuditBrokenError(
        'bad_signature',
        `The log ${this.#identity.name} is signed by ${current.text}, which is none of the given keys`,
      );
    }
  }

  #requireCheckpoint(note: string, size: number): void {
    const kept = parseCheckpoint(note);
    const signer = this.#keys.findLast(({ after }) => kept.size > after || after === 0);
    try {
      signer?.key.open(note);
    } catch (error) {
      if (error instanceof BadCheckpointError) {
        throw new AuditBrokenError(
          'bad_signature',
          'A given checkpoint is not signed by the log’s key',
        );
      }
      throw error;
    }
    if (kept.size > size) {
      throw new AuditBrokenError(
        'truncated',
        `The log has ${size} records, and a given checkpoint has signed ${kept.size}`,
        size,
      );
    }
    if (this.#wantedRoots.get(kept.size)?.equals(kept.root) !== true) {
      throw new AuditBrokenError(
        'forked',
        `The first ${kept.size} records are not those of the given checkpoint`,
      );
    }
  }

  #requireCopies(seq: number, body: string, stored: Copies): void {
    const { time, texts, one, many } = copyMembers(body, this.#members);
    if (
      stored.time !== time ||
      !isSame(stored.one, one) ||
      !isSame(stored.many, many) ||
      texts.some((text, at) => stored.texts[at] !== text)
    ) {
      throw new AuditBrokenError(
        'altered',
        `The columns beside record ${seq} are not what its body says`,
        seq,
      );
    }
  }

  async #requireNodes(nodes: readonly Node[]): Promise<void> {
    for (const level of new Set(nodes.map((node) => node.level))) {
      const wanted = nodes.filter((node) => node.level === level);
      const first = wanted[0]?.place ?? 0;
      const stored = await this.#storage.nodes(
        this.#identity.logId,
        level,
        first,
        first + wanted.length,
      );
      const wrong = wanted.find(({ place, hash }, at) => {
        const node = stored[at];
        return node?.place !== place || !node.hash.equals(hash);
      });
      if (wrong !== undefined) {
        throw alteredNode(wrong);
      }
    }
  }
}

function alteredNode({ level, place }: Node): AuditBrokenError {
  const message = `Node ${level}/${place} of the tree is missing or altered`;
  return new AuditBrokenError('altered', message, place * 2 ** level);
}

function isSame(one: Buffer | null, other: Buffer | null): boolean {
  return one === null || other === null ? one === other : one.equals(other);
}

function parseKey(text: unknown, name: string): VerifierKey | undefined {
  try {
    const key = VerifierKey.parse(String(text));
    return key.name === name ? key : undefined;
  } catch {
    return undefined;
  }
}
