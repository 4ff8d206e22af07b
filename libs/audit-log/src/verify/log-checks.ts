import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { AuditBrokenError, BadCheckpointError } from '../errors.ts';
import type { OpenedCheckpoint, WholeLog } from '../log/log-source.ts';
import { LogKeys, VerifierKey } from '../note/checkpoint.ts';
import { isSealValid, sealText, type Seal } from '../note/seal.ts';
import { blockPath, hashesInBlock, isFullBlock } from '../tree/blocks.ts';
import { GrowingTree } from '../tree/growing-tree.ts';
import { leafHashText, type HashText } from '../tree/tree.ts';

const verifyOnThread = promisify<null, Buffer, KeyObject, Buffer, boolean>(verify);

/** More would only take memory. */
const mostAtOnce = 512;

type KnownCheckpoint = Pick<OpenedCheckpoint, 'size' | 'root' | 'keys'> & { readonly from: string };

interface Checked {
  readonly log: Pick<WholeLog, 'identity' | 'checkpoints' | 'hasAllCheckpoints' | 'block'>;
  readonly checkpoints: readonly KnownCheckpoint[];
  /** Whether the log is being written: seals after the checkpoint may name a newer one. */
  readonly isLive: boolean;
}

/** Checks records and seals in order, for each storage. All methods throw AuditBrokenError. */
export class LogChecks {
  readonly tree: GrowingTree;
  readonly seals: SealChecks;
  sealed = 0;
  readonly #parts: Checked;
  /** Size of the newest stored checkpoint: no seal may name a larger one. */
  readonly #checkpointSize: number;
  readonly #stored: ReadonlySet<number>;
  readonly #checkpoints = new Map<number, KnownCheckpoint[]>();
  /** Of the records so far. */
  #keys: LogKeys;
  #groupBegan = 0;
  #groupLeaves: string[] = [];
  #checkpointNamed = 0;

  constructor(parts: Checked) {
    const { identity, checkpoints } = parts.log;
    this.#parts = parts;
    this.#checkpointSize = checkpoints.at(-1)?.size ?? 0;
    this.#stored = new Set(checkpoints.map(({ size }) => size));
    for (const checkpoint of parts.checkpoints) {
      const { size } = checkpoint;
      this.#checkpoints.set(size, [...(this.#checkpoints.get(size) ?? []), checkpoint]);
    }
    this.#keys = LogKeys.of(VerifierKey.parse(identity.verifierKey));
    this.seals = new SealChecks(identity.origin);
    this.tree = new GrowingTree((level, index, block) => {
      this.#compareBlock(level, index, block);
    });
    this.#compareCheckpoints();
  }

  record(entry: Buffer, hashed: HashText = '', stored?: Buffer): void {
    const { tree } = this;
    const seq = tree.size;
    const leaf = hashed === '' ? leafHashText(entry) : hashed;
    if (stored !== undefined && stored.toString('latin1') !== leaf) {
      throw new AuditBrokenError('altered', `Record ${seq} was altered`, seq);
    }
    this.#groupLeaves.push(leaf);
    this.#keys = this.#keysAfter(entry);
    tree.append(leaf);
    this.#compareCheckpoints();
  }

  seal(seal: Seal, isSigned?: boolean): void {
    const { size } = this.tree;
    const first = this.#groupBegan;
    if (seal.size !== size || first === size) {
      throw new AuditBrokenError(
        'altered',
        `A seal of ${seal.size} records is not at their end`,
        first,
      );
    }
    if (seal.first !== first) {
      throw new AuditBrokenError('gap', `The seal of record ${first} is missing`, first);
    }
    const { isLive, log } = this.#parts;
    const key = this.#keys.sealing(seal);
    if (!seal.root.equals(this.tree.root())) {
      throw isSealValid(log.identity.origin, seal, key)
        ? this.#alteredGroup(first)
        : wrongSeal(first);
    }
    const checkpointSize = this.#checkpointSize;
    if (seal.checkpointSize > first || seal.checkpointSize < this.#checkpointNamed) {
      throw new AuditBrokenError(
        'altered',
        `The seal of ${size} records names a wrong checkpoint`,
        first,
      );
    }
    if (seal.checkpointSize > checkpointSize && !(isLive && first >= checkpointSize)) {
      throw new AuditBrokenError(
        'truncated',
        `The checkpoint was replaced by an older one: it covers ${checkpointSize} records, a seal names one of ${seal.checkpointSize}`,
      );
    }
    if (
      log.hasAllCheckpoints &&
      seal.checkpointSize > 0 &&
      !this.#stored.has(seal.checkpointSize)
    ) {
      throw new AuditBrokenError(
        'truncated',
        `The checkpoint of ${seal.checkpointSize} records, which the seal of ${size} names, is missing`,
      );
    }
    if (isSigned !== true) {
      this.seals.add(seal, first, key.publicKey);
    }
    this.#checkpointNamed = seal.checkpointSize;
    this.#groupBegan = size;
    this.#groupLeaves = [];
    this.sealed += 1;
  }

  finish(): void {
    const { size } = this.tree;
    if (this.#groupBegan < size) {
      throw new AuditBrokenError(
        'bad_signature',
        `Record ${this.#groupBegan} is not sealed`,
        this.#groupBegan,
      );
    }
    const beyond = this.#parts.checkpoints.find((checkpoint) => checkpoint.size > size);
    if (beyond !== undefined) {
      throw new AuditBrokenError(
        'truncated',
        `The log is truncated: ${beyond.from} covers ${beyond.size} records, the log has ${size}`,
        size,
      );
    }
  }

  #keysAfter(entry: Buffer): LogKeys {
    const { size } = this.tree;
    try {
      return this.#keys.after(entry, size, () => this.tree.root());
    } catch (error) {
      if (error instanceof BadCheckpointError) {
        throw new AuditBrokenError('bad_signature', `Record ${size}: ${error.message}`, size);
      }
      throw error;
    }
  }

  /** Names the altered record, if a block has the original hash. */
  #alteredGroup(first: number): AuditBrokenError {
    const at = this.#groupLeaves.findIndex((leaf, index) => {
      const seq = first + index;
      const block = this.#parts.log.block(0, Math.floor(seq / hashesInBlock));
      const start = 32 * (seq % hashesInBlock);
      return block !== undefined && block.toString('latin1', start, start + 32) !== leaf;
    });
    const last = this.tree.size - 1;
    return at < 0
      ? new AuditBrokenError(
          'altered',
          `Records ${first} to ${last} are not those that were sealed`,
          first,
        )
      : new AuditBrokenError('altered', `Record ${first + at} was altered`, first + at);
  }

  #compareCheckpoints(): void {
    const { size } = this.tree;
    for (const { root, from, keys } of this.#checkpoints.get(size) ?? []) {
      if (!root.equals(this.tree.root())) {
        throw new AuditBrokenError(
          'forked',
          `The log was forked: its first ${size} records do not match ${from}`,
        );
      }
      if (!keys.current.bytes.equals(this.#keys.signing(size).bytes)) {
        throw new AuditBrokenError(
          'bad_signature',
          `${from} of ${size} records is not signed by the key that the log had then`,
        );
      }
    }
  }

  #compareBlock(level: number, index: number, block: Buffer): void {
    const { log } = this.#parts;
    // In files, blocks are durable with the checkpoint over them.
    const isStored = log.hasAllCheckpoints || isFullBlock(this.#checkpointSize, level, index);
    if (isStored && log.block(level, index)?.equals(block) !== true) {
      throw new AuditBrokenError(
        'altered',
        `The hashes in ${blockPath(level, index)} are missing or were altered`,
      );
    }
  }
}

/** Checks seals on Node's thread pool and reports the first invalid one. */
class SealChecks {
  readonly #origin: string;
  #waiting: Promise<void>[] = [];
  #wrong: number | undefined;
  #key: { readonly original: KeyObject; readonly bytes: Buffer } | undefined;
  /** One key object per check: sharing one makes the caller wait for the thread that uses it. */
  #copies: KeyObject[] = [];

  constructor(origin: string) {
    this.#origin = origin;
  }

  get isFull(): boolean {
    return this.#waiting.length >= mostAtOnce;
  }

  add(seal: Seal, first: number, key: KeyObject): void {
    const text = Buffer.from(sealText(this.#origin, seal));
    const checked = verifyOnThread(null, text, this.#copyOf(key), seal.signature).then((isGood) => {
      if (!isGood) {
        this.#wrong = Math.min(first, this.#wrong ?? first);
      }
    });
    this.#waiting.push(checked);
  }

  async settle(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    await Promise.all(waiting);
    if (this.#wrong !== undefined) {
      throw wrongSeal(this.#wrong);
    }
  }

  #copyOf(key: KeyObject): KeyObject {
    if (this.#key?.original !== key) {
      this.#key = { original: key, bytes: key.export({ type: 'spki', format: 'der' }) };
      this.#copies = [];
    }
    const { bytes } = this.#key;
    return (this.#copies[this.#waiting.length] ??= createPublicKey({
      key: bytes,
      type: 'spki',
      format: 'der',
    }));
  }
}

function wrongSeal(first: number): AuditBrokenError {
  return new AuditBrokenError(
    'bad_signature',
    `The seal of the group that begins with record ${first} has no valid signature`,
    first,
  );
}
