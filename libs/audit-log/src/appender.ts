import { randomBytes, type KeyObject } from 'node:crypto';
import { formatCheckpoint, signHead, VerifierKey, type Head } from './checkpoint.ts';
import { AuditBrokenError, AuditLogError, LogRefusedError } from './errors.ts';
import {
  copyMembers,
  ownRecord,
  ownText,
  parseMembers,
  ROTATE_KEY,
  saltLength,
  USE_KEY,
  type Members,
  type RecordText,
  type StoredRecord,
} from './record.ts';
import type { SigningKey } from './signing-key.ts';
import { hashRecordText, SignedTree } from './signed-tree.ts';
import {
  storedLevels,
  type Commit,
  type LogIdentity,
  type LogRow,
  type LogStorage,
  type Node,
} from './storage/storage.ts';
import { Frontier } from './tree.ts';

const readAtOnce = 256;

/** Records with their salts, by which they are found again after a commit whose outcome is unknown. */
export type Batch = readonly { readonly text: RecordText; readonly salt: Buffer }[];

export interface Appended {
  /** Number of the batch's first record. */
  readonly first: number;
}

export function makeBatch(texts: readonly RecordText[]): Batch {
  const salts = randomBytes(saltLength * texts.length);
  return texts.map((text, at) => ({
    text,
    salt: salts.subarray(saltLength * at, saltLength * (at + 1)),
  }));
}

interface State {
  readonly publicKey: VerifierKey;
  readonly key: KeyObject;
  readonly tree: Frontier;
  readonly head: Head;
  readonly lastTimeUs: number;
}

/**
 * Appends to one log. It signs only a tree that it extended itself, from a head which its own key signed: what somebody writes into the
 * tables is never covered by a signature. One call at a time.
 */
export class Appender {
  readonly logId: string;
  readonly name: string;
  readonly #storage: LogStorage;
  readonly #members: Members;
  readonly #signingKey: SigningKey;
  #state: State;
  /** Another attempt to commit may have succeeded unseen. */
  #isUnsure = false;

  private constructor(
    { storage, members, signingKey }: AppenderParts,
    { logId, name }: Pick<LogIdentity, 'logId' | 'name'>,
    state: State,
  ) {
    this.logId = logId;
    this.name = name;
    this.#storage = storage;
    this.#members = members;
    this.#signingKey = signingKey;
    this.#state = state;
  }

  /** Begins a log with these records. @throws AuditLogError if it exists */
  static async create(
    parts: AppenderParts,
    { logId, name }: Pick<LogIdentity, 'logId' | 'name'>,
    first: readonly RecordText[],
  ): Promise<Appender> {
    const key = parts.signingKey.readOrMake();
    const publicKey = VerifierKey.parse(VerifierKey.of(name, key).text);
    const tree = new Frontier();
    const head = { size: 0, root: tree.root(), signature: Buffer.alloc(0) };
    const state = { publicKey, key, tree, head, lastTimeUs: 0 };
    const appender = new Appender(parts, { logId, name }, state);
    await appender.append(makeBatch(first));
    return appender;
  }

  /**
   * @throws LogRefusedError if the key is missing or another; AuditBrokenError if the log is not the one that it signed
   */
  static async open(parts: AppenderParts, logId: string): Promise<Appender> {
    const { storage, members, signingKey } = parts;
    const row = await storage.settledLog(logId);
    if (row === undefined) {
      throw new LogRefusedError(
        'no_log',
        `The audit log ${logId} is missing, which audit-log-id in the data folder names. Put back the database that has it, or, if it is lost, begin another log: caregate audit new-log --reason TEXT`,
      );
    }
    const head = await storage.newestHead(logId);
    if (head === undefined) {
      throw new AuditBrokenError('gap', 'The log has no signed head', 0);
    }
    try {
      const { key, publicKey } = chooseKey(signingKey, row.name, head);
      const { tree, lastTimeUs } = await startFrom(storage, row, head, members);
      return new Appender(parts, row, { publicKey, key, tree, head, lastTimeUs });
    } catch (error) {
      // Another process appended between these reads.
      if ((await storage.settledLog(logId))?.size !== row.size) {
        return await Appender.open(parts, logId);
      }
      throw error;
    }
  }

  get publicKey(): string {
    return this.#state.publicKey.text;
  }

  get size(): number {
    return this.#state.tree.size;
  }

  get head(): Head {
    return this.#state.head;
  }

  get lastTimeMs(): number {
    return this.#state.lastTimeUs / 1000;
  }

  get checkpoint(): string {
    return formatCheckpoint(this.name, this.#state.head);
  }

  /**
   * Appends a batch durably. After an error it may be called again with the same batch, which is then appended only if it is not
   * there.
   *
   * @throws AuditBrokenError if the log is not the one that was signed; what the storage throws, when `isUnsure` tells more
   */
  async append(batch: Batch): Promise<Appended> {
    for (;;) {
      const found = this.#isUnsure ? await this.#catchUp(batch) : undefined;
      this.#isUnsure = false;
      if (found !== undefined) {
        return { first: found };
      }
      const first = this.size;
      if (await this.#commit(batch)) {
        return { first };
      }
      // Another process appended: extend the tree over its records.
      this.#isUnsure = true;
    }
  }

  /** Looks whether a batch whose commit failed is there. @throws if that cannot be told now */
  async lookUp(batch: Batch): Promise<Appended | undefined> {
    const found = await this.#catchUp(batch);
    this.#isUnsure = false;
    return found === undefined ? undefined : { first: found };
  }

  /** Reads what other processes appended, if there is something. */
  async refresh(): Promise<void> {
    const row = (await this.#storage.logs()).find(({ logId }) => logId === this.logId);
    if (this.#isUnsure || row?.size !== this.size) {
      await this.lookUp([]);
    }
  }

  /**
   * Replaces the signing key: the head of the record that names the new one is signed by the old one, and all larger heads by the new
   * one.
   *
   * @throws AuditLogError if another process replaced it meanwhile
   */
  async rotateKey(actorId: string): Promise<void> {
    await this.lookUp([]);
    const { publicKey: old } = this.#state;
    const key = this.#signingKey.prepareNext(old);
    const publicKey = VerifierKey.of(this.name, key);
    const details = { old_public_key: old.text, public_key: publicKey.text };
    const record = { details, actor_id: actorId };
    const batch = makeBatch([
      ownText({ ...record, operation: ROTATE_KEY }, this.#members),
      ownText({ ...record, operation: USE_KEY }, this.#members),
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
      // If this cannot be told either, both keys stay, and the next start sees which of them signs.
      if (!this.#isUnsure || (await this.lookUp(batch)) === undefined) {
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
        heads.push(signHead({ size: tree.size, root: tree.root() }, state.key, state.publicKey));
      }
      return record;
    });
    const { key, publicKey } = next ?? state;
    const head = signHead({ size: tree.size, root: tree.root() }, key, publicKey);
    heads.push(head);
    const commit: Commit = {
      ...{ logId: this.logId, name: this.name, publicKey: publicKey.text },
      ...{ before: state.tree.size, size: tree.size, frontier: tree.bytes() },
      ...{ records, nodes, heads, signedAtUs: Date.now() * 1000 },
    };
    this.#isUnsure = true;
    const isCommitted = await this.#storage.commit(commit);
    this.#isUnsure = false;
    if (isCommitted) {
      this.#state = { key, publicKey, tree, head, lastTimeUs };
    }
    return isCommitted;
  }

  /** Extends the tree over records that are there already; returns the place of the batch among them. */
  async #catchUp(batch: Batch): Promise<number | undefined> {
    const row = await this.#storage.settledLog(this.logId);
    const from = this.size;
    if (row === undefined || row.size < from) {
      // The first commit of a log may not have taken place.
      if (from === 0 && row === undefined) {
        return undefined;
      }
      throw new AuditBrokenError(
        'truncated',
        `The log has ${row?.size ?? 0} records, and this process wrote ${from}`,
        row?.size ?? 0,
      );
    }
    if (row.name !== this.name) {
      throw new AuditBrokenError('altered', `The log ${this.name} is stored as ${row.name}`);
    }
    let found: number | undefined;
    let { publicKey, lastTimeUs } = this.#state;
    const tree = this.#state.tree.copy();
    const requireHead = async (key: VerifierKey): Promise<Head> => {
      const [head] = await this.#storage.heads(this.logId, tree.size, tree.size);
      if (head?.size !== tree.size || !key.signed(head) || !head.root.equals(tree.root())) {
        throw new AuditBrokenError(
          'altered',
          `The log's key did not sign the first ${tree.size} records as they are`,
        );
      }
      return head;
    };
    while (tree.size < row.size) {
      const to = Math.min(row.size, tree.size + readAtOnce);
      const records = await this.#storage.records(this.logId, tree.size, to);
      for (const record of records) {
        if (record.seq !== tree.size) {
          break;
        }
        if (batch[0]?.salt.equals(record.salt) === true) {
          found = record.seq;
        }
        extend(tree, record, []);
        lastTimeUs = Math.max(lastTimeUs, timeIn(record, this.#members));
        publicKey = await followChange(record, publicKey, requireHead);
      }
      if (tree.size < to) {
        throw new AuditBrokenError('gap', `Record ${tree.size} is missing`, tree.size);
      }
    }
    if (tree.size > from) {
      const head = await requireHead(publicKey);
      const isChanged = !publicKey.equals(this.#state.publicKey);
      const key = isChanged ? this.#readKey(publicKey) : this.#state.key;
      this.#state = { publicKey, key, tree, head, lastTimeUs };
    }
    return found;
  }

  /** @throws LogRefusedError if neither file holds the key */
  #readKey(publicKey: VerifierKey): KeyObject {
    // The next ones first: they take the place of the key.
    const key = [...this.#signingKey.readNext(), this.#signingKey.read()].find(
      (one) => one !== undefined && VerifierKey.of(this.name, one).equals(publicKey),
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

export interface AppenderParts {
  readonly storage: LogStorage;
  readonly members: Members;
  readonly signingKey: SigningKey;
}

/** The key after this record. @throws AuditBrokenError if a change of the key is not signed by the one before */
export async function followChange(
  { seq, body }: StoredRecord,
  current: VerifierKey,
  requireHead: (key: VerifierKey) => Promise<unknown>,
): Promise<VerifierKey> {
  const own = ownRecord(body);
  if (own?.operation !== ROTATE_KEY) {
    return current;
  }
  const { old_public_key: old, public_key: next } = own.details;
  let key: VerifierKey | undefined;
  try {
    key = VerifierKey.parse(String(next));
  } catch (error) {
    if (!(error instanceof AuditLogError)) {
      throw error;
    }
  }
  if (old !== current.text || key?.name !== current.name) {
    throw new AuditBrokenError(
      'bad_signature',
      `Record ${seq} changes the signing key, and the key before did not sign it`,
      seq,
    );
  }
  await requireHead(current);
  return key;
}

/** Adds a record to the tree, and the nodes that it completes and that are stored. */
export function extend(tree: Frontier, record: StoredRecord, nodes: Node[]): void {
  tree.appendText(hashRecordText(record), (level, place, hash) => {
    if (storedLevels.includes(level as 8)) {
      nodes.push({ level, place, hash: Buffer.from(hash, 'latin1') });
    }
  });
}

/** The key that signed the head; a change of the key that was interrupted is finished. */
function chooseKey(
  signingKey: SigningKey,
  name: string,
  head: Head,
): { readonly key: KeyObject; readonly publicKey: VerifierKey } {
  // The next ones first: they take the place of the key.
  const next = signingKey.readNext();
  const current = signingKey.read();
  const all = [...(current === undefined ? [] : [current]), ...next];
  if (all.length === 0) {
    throw new LogRefusedError(
      'no_key',
      `The signing key of the audit log, ${signingKey.file}, is missing. Put it back, or, if it is lost, archive this log and begin another: caregate audit new-log --reason TEXT`,
    );
  }
  for (const key of all) {
    const publicKey = VerifierKey.of(name, key);
    if (publicKey.signed(head)) {
      if (key !== current) {
        signingKey.finishChange(key);
      }
      return { key, publicKey };
    }
  }
  throw new LogRefusedError(
    'wrong_key',
    `${signingKey.file} did not sign the newest head of the audit log ${name}. Put the key of this log back; if it is lost, or the log was altered, archive the log and begin another: caregate audit new-log --reason TEXT`,
  );
}

/** The stored tree, if it is that of the head. @throws AuditBrokenError */
async function startFrom(
  storage: LogStorage,
  { logId, name, size, frontier }: LogRow,
  head: Head,
  members: Members,
): Promise<{ readonly tree: Frontier; readonly lastTimeUs: number }> {
  const { first, end } = await storage.range(logId);
  if (head.size !== size || end !== size || first !== 0) {
    throw new AuditBrokenError(
      end < size || first > 0 ? 'gap' : 'altered',
      `The log has records ${first} to ${end - 1}, ${size} in its own row and ${head.size} in its newest signed head`,
      first === 0 ? Math.min(end, size) : 0,
    );
  }
  let tree: Frontier;
  try {
    tree = Frontier.of(size, frontier);
  } catch {
    tree = new Frontier();
  }
  if (!tree.root().equals(head.root)) {
    throw new AuditBrokenError(
      'altered',
      'The stored frontier is not that of the newest signed head',
    );
  }
  const last = await new SignedTree(storage, { logId, name }, head).record(size - 1);
  return { tree, lastTimeUs: timeIn(last, members) };
}

function timeIn({ body }: StoredRecord, { time }: Members): number {
  const at = parseMembers(body)[time];
  return Number.isSafeInteger(at) ? (at as number) : 0;
}
