import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Disk } from '../disk/disk.ts';
import { nodeDisk } from '../disk/node-disk.ts';
import { AuditBrokenError, AuditLogError, NoAuditLogError } from '../errors.ts';
import { LogSource, type StoredEntry } from '../log/log-source.ts';
import { LogKeys, type LogIdentity, VerifierKey } from '../note/checkpoint.ts';
import { loadKey } from '../note/audit-key.ts';
import { isSealValid, type Seal } from '../note/seal.ts';
import { hashesInBlock, isFullBlock } from '../tree/blocks.ts';
import { leafHash, type NodeReader } from '../tree/tree.ts';
import { copyLog } from './copy-log.ts';
import { parseGroup, type Group } from './group.ts';
import { logPaths, type LogPaths } from './layout.ts';
import { isBeingWritten } from './lock/folder-lock.ts';
import { requirePlainParts } from './lock/plain-parts.ts';
import { openLocked, type LockedLog } from './locked-log.ts';
import { readLogFile } from './log-file.ts';
import { refused } from './log-refused.ts';
import type { Segment } from './segments.ts';
import { SigningKey } from './signing-key.ts';
import { StoredRecords } from './stored-records.ts';
import { storedNodes, StoredBlocks } from './stored-blocks.ts';

/** Reads the log of a data folder, also while it is written. */
export class LogReader extends LogSource {
  readonly #disk: Disk;
  readonly #paths: LogPaths;
  readonly #identity: LogIdentity;
  readonly #records: StoredRecords;
  readonly #blocks: StoredBlocks;
  readonly #nodes: NodeReader;
  #keys: LogKeys;
  #lock: LockedLog | undefined;
  #durableSize = 0;
  #size = 0;

  /** `dataDir` is an absolute path. @throws NoAuditLogError if the folder has no log */
  constructor(disk: Disk, dataDir: string) {
    super();
    this.#disk = disk;
    this.#paths = logPaths(dataDir);
    const identity = readLogFile(disk, this.#paths);
    if (identity === undefined) {
      throw new NoAuditLogError('This data folder has no audit log.');
    }
    this.#identity = identity;
    this.#keys = LogKeys.of(VerifierKey.parse(identity.verifierKey));
    this.#records = new StoredRecords(disk, this.#paths.records, identity.logId);
    this.#blocks = new StoredBlocks(disk, this.#paths.audit);
    this.#nodes = storedNodes(this.#blocks, this.#records, () => this.#durableSize);
  }

  /** @throws NoAuditLogError if the folder has no log, AuditLogError if a part of it is no plain file or folder */
  static open(dataDir: string): LogReader {
    const folder = resolve(dataDir);
    requirePlainParts(logPaths(folder));
    return new LogReader(nodeDisk, folder);
  }

  /**
   * Holds the writer's lock until it is closed. Undefined without a log, unless `hadLog` says what shows that there was one.
   *
   * @throws LogRefusedError if a start refuses the log or another process writes it, AuditLogError if a part is no plain file
   */
  static lock(dataDir: string, hadLog: string | undefined): LogReader | undefined {
    const folder = resolve(dataDir);
    if (!existsSync(logPaths(folder).log)) {
      if (hadLog !== undefined) {
        throw refused('log_missing', hadLog);
      }
      return undefined;
    }
    const locked = openLocked({ dataDir: folder, busyTimeoutMs: 500 });
    const reader = LogReader.open(folder);
    reader.#lock = locked;
    return reader;
  }

  isBeingWritten(): boolean {
    return isBeingWritten(this.#paths);
  }

  /** By the signing key of the folder; in a copy without it, the key that the log names, which proves less. */
  publicKey(): { readonly key: VerifierKey; readonly isOwn: boolean } {
    const own = loadKey(this.#paths.key);
    return own === undefined
      ? { key: this.keys().current, isOwn: false }
      : { key: VerifierKey.of(this.#identity.origin, own), isOwn: true };
  }

  /** The keys of the log up to now, as its checkpoint names them. */
  keys(): LogKeys {
    this.#refreshDurable();
    return this.#keys;
  }

  /** The signing key; undefined in a copy without it. */
  signingKey(): KeyObject | undefined {
    return new SigningKey(this.#disk, this.#paths).of(this.keys());
  }

  /** A copy without the signing key is accepted. @throws LogRefusedError if the key in the folder is not that of the log */
  requireOwnKey(): void {
    const isThere = this.#disk.read(this.#paths.key) !== undefined;
    if (isThere && !new SigningKey(this.#disk, this.#paths).isOneOf(() => this.keys())) {
      throw refused('wrong_key');
    }
  }

  identity(): LogIdentity {
    return this.#identity;
  }

  /** Records up to the last valid seal or the checkpoint, whether or not all are there. */
  size(): number {
    this.#refreshDurable();
    this.#size = Math.max(this.#size, this.#durableSize);
    // A new segment may have no group yet.
    for (const segment of this.#records.segments().slice(-2).reverse()) {
      const sealed = this.#lastSealed(segment);
      if (sealed !== undefined) {
        this.#size = Math.max(this.#size, sealed.seal.size);
        break;
      }
    }
    return this.#size;
  }

  /** @throws NoAuditLogError if it is missing */
  checkpoint(): string {
    const note = this.#disk.read(this.#paths.checkpoint)?.toString();
    if (note === undefined) {
      throw new NoAuditLogError('The log has no checkpoint.');
    }
    return note;
  }

  withNodes<T>(compute: (read: NodeReader) => T): T {
    return compute(this.#node);
  }

  /** A full block; undefined if it is missing or damaged. */
  block(level: number, index: number): Buffer | undefined {
    return this.#blocks.full(level, index);
  }

  /** Salt and text, not compared with the hash. @throws AuditBrokenError if it is missing or damaged */
  entry(seq: number): Buffer {
    return this.#records.entry(seq) ?? missing(seq);
  }

  /** Yields records in order, and each seal after its group. @throws AuditBrokenError at a missing or damaged record */
  *read(from: number, to: number): Generator<StoredEntry | Seal, void> {
    let next = from;
    this.#refreshDurable();
    const leaves = new LeafReader(this, this.#durableSize);
    for (const { bytes, first, end } of next < to ? this.#records.groups(next) : []) {
      const group = parseGroup(bytes);
      if (group === undefined || first > next) {
        break;
      }
      for (; next < Math.min(end, to); next += 1) {
        const entry = group.entries[next - first] as Buffer;
        yield { seq: next, leafHash: leaves.read(next) ?? leafHash(entry), entry };
      }
      if (end <= to) {
        yield group.seal;
      }
      if (next >= to) {
        break;
      }
    }
    if (next < to) {
      missing(next);
    }
  }

  /**
   * Copies what `note`, a checkpoint by the log's key, covers to an existing folder without a log. The key is not copied.
   *
   * @throws AuditBrokenError if records that the checkpoint covers are missing
   */
  copyTo(to: string, note: string, onProgress?: (bytes: number, of: number) => void): void {
    const copied = { logId: this.#identity.logId, from: this.#paths, to: resolve(to), note };
    copyLog(this.#disk, copied, onProgress);
  }

  close(): void {
    this.#records.close();
    this.#lock?.close();
  }

  #lastSealed(segment: Segment): Group | undefined {
    let before: Group | undefined;
    let last: Group | undefined;
    // A writer only appends.
    for (const { bytes } of this.#records.groupsOf(segment, Math.max(0, this.#size - 1))) {
      [before, last] = [last, parseGroup(bytes)];
    }
    const { origin } = this.#identity;
    return [last, before].find(
      (one) => one && isSealValid(origin, one.seal, this.#keys.sealing(one.seal)),
    );
  }

  /** Blocks under a checkpoint are durable. */
  #refreshDurable(): void {
    try {
      const { size, keys } = this.#keys.open(this.checkpoint());
      this.#durableSize = Math.max(this.#durableSize, size);
      // An older checkpoint does not restore an older key.
      this.#keys = keys.count > this.#keys.count ? keys : this.#keys;
    } catch (error) {
      // An invalid checkpoint covers nothing here; verification reports it.
      if (!(error instanceof AuditLogError)) {
        throw error;
      }
    }
  }

  readonly #node: NodeReader = (level, index) => {
    if (2 ** level * (index + 1) > this.#durableSize) {
      this.#refreshDurable();
    }
    return this.#nodes(level, index);
  };
}

class LeafReader {
  readonly #log: LogReader;
  readonly #durableSize: number;
  #index = -1;
  #block: Buffer | undefined;

  constructor(log: LogReader, durableSize: number) {
    this.#log = log;
    this.#durableSize = durableSize;
  }

  read(seq: number): Buffer | undefined {
    const index = Math.floor(seq / hashesInBlock);
    if (index !== this.#index) {
      this.#index = index;
      const isDurable = isFullBlock(this.#durableSize, 0, index);
      this.#block = isDurable ? this.#log.block(0, index) : undefined;
    }
    const at = 32 * (seq % hashesInBlock);
    return this.#block?.subarray(at, at + 32);
  }
}

function missing(seq: number): never {
  throw new AuditBrokenError('gap', `Record ${seq} is missing or damaged`, seq);
}
