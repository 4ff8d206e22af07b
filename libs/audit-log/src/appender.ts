import { randomBytes, type KeyObject } from 'node:crypto';
import { formatCheckpoint, signHead, VerifierKey, type Head } from './checkpoint.ts';
import { AuditLogError, LogRefusedError, requireIntact } from './errors.ts';
import {
  copyMembers,
  formatOwnRecord,
  parseOwnRecord,
  readTime,
  ROTATE_KEY,
  saltLength,
  USE_KEY,
  type Members,
  type RecordText,
  type StoredRecord,
} from './record.ts';
import type { SigningKey } from './signing-key.ts';
import { hashRecord } from './signed-tree.ts';
import {
  storedLevels,
  type Commit,
  type LogIdentity,
  type LogStorage,
  type Node,
} from './storage/storage.ts';
import type { Frontier } from './tree.ts';

const recordsPerRead = 256;

/** Records with their salts. A salt identifies its record if the outcome of a commit is unknown. */
export type Batch = readonly { readonly text: RecordText; readonly salt: Buffer }[];

export function makeBatch(texts: readonly RecordText[]): Batch {
  const salts = randomBytes(saltLength * texts.length);
  return texts.map((text, at) => ({
    text,
    salt: salts.subarray(saltLength * at, saltLength * (at + 1)),
  }));
}

export interface AppenderParts {
  readonly storage: LogStorage;
  readonly members: Members;
  readonly signingKey: SigningKey;
}

/** The log as this process wrote or verified it. */
export interface AppenderState {
  readonly publicKey: VerifierKey;
  readonly key: KeyObject;
  readonly tree: Frontier;
  readonly head: Head;
  readonly lastTimeUs: number;
}

/**
 * Appends to one log. It only signs a tree that it extended itself, from a head that its own key signed, so a
 * signature never covers what somebody else wrote into the tables. Callers MUST NOT make two calls at a time.
 */
export class Appender {
  readonly logId: string;
  readonly name: string;
  readonly #storage: LogStorage;
  readonly #members: Members;
  readonly #signingKey: SigningKey;
  #state: AppenderState;
  /** True while the outcome of the last commit is unknown. */
  #isOutcomeUnknown = false;

  /** @param state the state that `openAppender` verified */
  constructor(
    { storage, members, signingKey }: AppenderParts,
    { logId, name }: Pick<LogIdentity, 'logId' | 'name'>,
    state: AppenderState,
  ) {
    this.logId = logId;
    this.name = name;
    this.#storage = storage;
    this.#members = members;
    this.#signingKey = signingKey;
    this.#state = state;
  }

  get publicKey(): string {
    return this.#state.publicKey.text;
  }

  get size(): number {
    return this.#state.tree.size;
  }

  get lastTimeMs(): number {
    return this.#state.lastTimeUs / 1000;
  }

  get checkpoint(): string {
    return formatCheckpoint(this.name, this.#state.head);
  }

  /**
   * Appends a batch durably. After an error, the caller may repeat the call with the same batch, which is not
   * appended twice.
   *
   * @returns the number of the first record
   * @throws AuditBrokenError if the stored log differs from the signed one, and the errors of the storage
   */
  async append(batch: Batch): Promise<number> {
    for (;;) {
      const found = this.#isOutcomeUnknown ? await this.lookUp(batch) : undefined;
      if (found !== undefined) {
        return found;
      }
      const first = this.size;
      if (await this.#commit(batch)) {
        return first;
      }
      // Another process has appended records, so extend the tree over them and try again.
      this.#isOutcomeUnknown = true;
    }
  }

  /**
   * Finds out whether a batch whose commit failed was appended anyway. Returns the number of its first record.
   * @throws if this can't be determined now
   */
  async lookUp(batch: Batch): Promise<number | undefined> {
    const found = await this.#catchUp(batch);
    this.#isOutcomeUnknown = false;
    return found;
  }

  /** Extends the tree over the records that other processes appended. */
  async refresh(): Promise<void> {
    const row = (await this.#storage.readLogs()).find(({ logId }) => logId === this.logId);
    if (this.#isOutcomeUnknown || row?.size !== this.size) {
      await this.lookUp([]);
    }
  }

  /**
   * Replaces the signing key. The old key signs the head whose last record names the new key; the new key signs all
   * later heads.
   *
   * @throws AuditLogError if another process replaced the key meanwhile
   */
  async rotateKey(actorId: string): Promise<void> {
    await this.lookUp([]);
    const { publicKey: old } = this.#state;
    const key = this.#signingKey.prepareNext(old);
    const publicKey = VerifierKey.fromKey(this.name, key);
    const details = { old_public_key: old.text, public_key: publicKey.text };
    const record = { details, actor_id: actorId };
    const batch = makeBatch([
      formatOwnRecord({ ...record, operation: ROTATE_KEY }, this.#members),
      formatOwnRecord({ ...record, operation: USE_KEY }, this.#members),
    ]);
    let isCommitted = false;
    try {
      while (!isCommitted) {
        if (!this.#state.publicKey.equals(old)) {
          throw new AuditLogError('Another process replaced the signing key. Nothing was changed.');
        }
        isCommitted = await this.#commit(batch, { key, publicKey });
        if (!isCommitted) {
          await this.lookUp([]);
        }
      }
    } catch (error) {
      // If the outcome is still unknown, keep both keys. The next start checks which of them signed the newest head.
      if (!this.#isOutcomeUnknown || (await this.lookUp(batch)) === undefined) {
        this.#signingKey.dropNext(key);
        throw error;
      }
    }
    this.#signingKey.finishChange(key);
  }

  async #commit(
    batch: Batch,
    next?: { readonly key: KeyObject; readonly publicKey: VerifierKey },
  ): Promise<boolean> {
    const state = this.#state;
    const tree = state.tree.copy();
    const lastTimeUs = Math.max(state.lastTimeUs, Date.now() * 1000);
    const nodes: Node[] = [];
    const heads: Head[] = [];
    const records = batch.map(({ text: [before, after], salt }, at) => {
      const body = `${before}${lastTimeUs}${after}`;
      const record = { seq: tree.size, salt, body, copies: copyMembers(body, this.#members) };
      extend(tree, record, nodes);
      if (next !== undefined && at === 0) {
        heads.push(
          signHead({ size: tree.size, root: tree.computeRoot() }, state.key, state.publicKey),
        );
      }
      return record;
    });
    const { key, publicKey } = next ?? state;
    const head = signHead({ size: tree.size, root: tree.computeRoot() }, key, publicKey);
    heads.push(head);
    const commit: Commit = {
      ...{ logId: this.logId, name: this.name, publicKey: publicKey.text },
      ...{ before: state.tree.size, size: tree.size, frontier: tree.toBytes() },
      ...{ records, nodes, heads, signedAtUs: Date.now() * 1000 },
    };
    this.#isOutcomeUnknown = true;
    const isCommitted = await this.#storage.commit(commit);
    this.#isOutcomeUnknown = false;
    if (isCommitted) {
      this.#state = { key, publicKey, tree, head, lastTimeUs };
    }
    return isCommitted;
  }

  /**
   * Extends the tree over records that are already stored. Returns the number of the batch's first record if the
   * batch is among them.
   */
  async #catchUp(batch: Batch): Promise<number | undefined> {
    const row = await this.#storage.readSettledLog(this.logId);
    const from = this.size;
    if (row === undefined && from === 0) {
      // The log's first commit didn't succeed.
      return undefined;
    }
    const { size = 0, name } = row ?? {};
    requireIntact(
      size >= from,
      'truncated',
      `The log has ${size} records, and this process wrote ${from}`,
      size,
    );
    requireIntact(
      name === this.name,
      'altered',
      `The stored log has the name ${name ?? ''} instead of ${this.name}`,
    );
    let found: number | undefined;
    let { publicKey, lastTimeUs } = this.#state;
    const tree = this.#state.tree.copy();
    while (tree.size < size) {
      const to = Math.min(size, tree.size + recordsPerRead);
      for (const record of await this.#storage.readRecords(this.logId, tree.size, to)) {
        if (record.seq !== tree.size) {
          break;
        }
        if (batch[0]?.salt.equals(record.salt) === true) {
          found = record.seq;
        }
        extend(tree, record, []);
        lastTimeUs = Math.max(lastTimeUs, readTime(record, this.#members));
        if (parseOwnRecord(record.body)?.operation === ROTATE_KEY) {
          publicKey = followChange(record, publicKey, await this.#readHead(tree, publicKey));
        }
      }
      requireIntact(tree.size === to, 'gap', `Record ${tree.size} is missing`, tree.size);
    }
    if (size > from) {
      const head = await this.#readHead(tree, publicKey);
      const isChanged = !publicKey.equals(this.#state.publicKey);
      const key = isChanged ? this.#readKey(publicKey) : this.#state.key;
      this.#state = { publicKey, key, tree, head, lastTimeUs };
    }
    return found;
  }

  /** Reads the stored head of this tree. @throws AuditBrokenError unless the key signed it */
  async #readHead(tree: Frontier, key: VerifierKey): Promise<Head> {
    const { size } = tree;
    const [head] = await this.#storage.readHeads(this.logId, size, size);
    requireIntact(
      head !== undefined && head.root.equals(tree.computeRoot()) && key.hasSigned(head),
      'altered',
      `The log's key did not sign the first ${size} records as they are`,
    );
    return head;
  }

  #readKey(publicKey: VerifierKey): KeyObject {
    // Prefer a next key, since it replaces the current one.
    const key = [...this.#signingKey.readNext(), this.#signingKey.read()].find(
      (one) => one !== undefined && VerifierKey.fromKey(this.name, one).equals(publicKey),
    );
    if (key === undefined) {
      throw new LogRefusedError(
        'wrong_key',
        `The signing key of the audit log was replaced, and ${this.#signingKey.file} is not the new one. Put that one there.`,
      );
    }
    return key;
  }
}

/**
 * Returns the key that signs after a record that changes it.
 *
 * @param head the head whose tree ends with this record
 * @throws AuditBrokenError if the previous key didn't sign the change
 */
export function followChange(
  { seq, body }: StoredRecord,
  current: VerifierKey | undefined,
  head: Head | undefined,
): VerifierKey {
  const { old_public_key: old, public_key: text } = parseOwnRecord(body)?.details ?? {};
  const next = parseKey(text);
  requireIntact(
    next !== undefined &&
      next.name === current?.name &&
      old === current.text &&
      head !== undefined &&
      current.hasSigned(head),
    'bad_signature',
    `Record ${seq} changes the signing key, but the previous key did not sign it`,
    seq,
  );
  return next;
}

/** Returns `undefined` if the text is not a verifier key. */
export function parseKey(text: unknown): VerifierKey | undefined {
  try {
    return VerifierKey.parse(String(text));
  } catch {
    return undefined;
  }
}

/** Adds a record to the tree. Appends to `nodes` the nodes that are complete now and must be stored. */
export function extend(tree: Frontier, record: StoredRecord, nodes: Node[]): void {
  tree.append(hashRecord(record), (level, place, hash) => {
    if (storedLevels.includes(level as 8)) {
      nodes.push({ level, place, hash: Buffer.from(hash, 'latin1') });
    }
  });
}
