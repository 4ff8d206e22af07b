import { randomBytes, type KeyObject } from 'node:crypto';
import { hostname } from 'node:os';
import type { Disk, DiskFile } from '../disk/disk.ts';
import { removeIfThere, writeWhole } from '../disk/whole-file.ts';
import { ownRecord, ownText, saltLength, TORN_GROUP } from '../entry/record-text.ts';
import { AuditLogError } from '../errors.ts';
import { signCheckpoint, type LogIdentity, type LogKeys, VerifierKey } from '../note/checkpoint.ts';
import { recordOfChange, signChange } from '../note/key-change.ts';
import { rawPublicKey } from '../note/note-key.ts';
import { signSeal } from '../note/seal.ts';
import { blockPath } from '../tree/blocks.ts';
import { GrowingTree } from '../tree/growing-tree.ts';
import {
  hashEntries,
  joinGroup,
  mostBytes,
  segmentHeader,
  writeSeal,
  type LaidOutRecords,
} from './group.ts';
import { holdEnd, markRecorded, unrecordedEnds } from './held.ts';
import { logPaths, type LogPaths } from './layout.ts';
import { openOrCreate } from './log-key.ts';
import { refused } from './log-refused.ts';
import { layOutTexts } from './record-frame.ts';
import { segmentPath } from './segments.ts';
import { SigningKey } from './signing-key.ts';
import {
  checkEnd,
  readCheckpoint,
  signedFrontier,
  type LogEnd,
  type SignedCheckpoint,
} from './start-checks.ts';
import { StoredRecords } from './stored-records.ts';
import { storedNodes, StoredBlocks } from './stored-blocks.ts';
import { BlockWriter } from './block-writer.ts';

export interface LogWriterOptions {
  /** First part of the name of a new log, `<host>/audit/<log id>`. Default: the name of this machine. */
  readonly host?: string | undefined;
  readonly disk: Disk;
  /** An absolute path; the folder must exist. */
  readonly dataDir: string;
  /** Evidence outside the log that the folder had one, such as `access.db has keys (3)`: then none is created. */
  readonly hadLog?: string | undefined;
  readonly segmentBytes?: number;
  readonly reservedBytes?: number;
}

/** The caller holds the lock. After any error it MUST be closed and opened again, which checks the end of the log. */
export class LogWriter {
  readonly identity: LogIdentity;
  readonly #disk: Disk;
  readonly #paths: LogPaths;
  readonly #signing: SigningKey;
  readonly #segmentBytes: number;
  readonly #reservedBytes: number;
  readonly #blocks: BlockWriter;
  readonly #tree: GrowingTree;
  /** Full blocks whose records may not be durable yet. */
  readonly #filled: { readonly path: string; readonly bytes: Buffer }[] = [];
  #key: KeyObject;
  #keys: LogKeys;
  #checkpoint: SignedCheckpoint;
  #segment: DiskFile | undefined;
  /** Length of the segment without reserved room; `#room` is the length with it. */
  #bytes = 0;
  #room = 0;
  #appended = 0;
  #hasGroups = false;
  #groups = 0;
  #isAppending = false;

  /** @throws LogRefusedError if the log is not as it was left */
  constructor(options: LogWriterOptions) {
    const { disk, dataDir, hadLog, host = hostname() } = options;
    this.#disk = disk;
    this.#paths = logPaths(dataDir);
    this.#blocks = new BlockWriter(disk, this.#paths.audit);
    this.#segmentBytes = options.segmentBytes ?? 64 * 2 ** 20;
    this.#reservedBytes = options.reservedBytes ?? 2 ** 20;
    const identity = openOrCreate(disk, this.#paths, () => ({
      logId: randomBytes(6).toString('hex'),
      host,
      hadLog,
    }));
    this.identity = identity;
    this.#signing = new SigningKey(disk, this.#paths);
    this.#checkpoint = readCheckpoint(disk, this.#paths, VerifierKey.parse(identity.verifierKey));
    const records = new StoredRecords(disk, this.#paths.records, identity.logId);
    try {
      const { size } = this.#checkpoint;
      const nodes = storedNodes(new StoredBlocks(disk, this.#paths.audit), records, () => size);
      const frontier = signedFrontier(this.#checkpoint, nodes);
      this.#tree = new GrowingTree(
        (level, index, block) => {
          this.#filled.push({ path: blockPath(level, index), bytes: Buffer.from(block) });
        },
        frontier,
        nodes,
      );
      const end = checkEnd(
        {
          disk,
          records: this.#paths.records,
          logId: identity.logId,
          origin: identity.origin,
          checkpoint: this.#checkpoint,
        },
        this.#tree,
      );
      const key = this.#signing.of(end.keys);
      if (key === undefined) {
        throw refused('wrong_key');
      }
      this.#key = key;
      this.#keys = end.keys;
      this.#writeBlocks();
      this.#goOn(end);
    } finally {
      records.close();
    }
    this.#settle();
    this.#recordHeld();
    this.checkpoint();
  }

  /** The public key that signs now. */
  get verifierKey(): string {
    return this.#keys.current.text;
  }

  get size(): number {
    return this.#tree.size;
  }

  get groups(): number {
    return this.#groups;
  }

  /** Appends the records durably, with one write and one sync. Returns the number of the first. */
  append(texts: readonly string[]): number {
    return this.appendLaidOut(texts.length === 0 ? [] : [layOutTexts(this.size, texts)]);
  }

  /** @throws AuditLogError if the numbers are not the next ones; nothing is appended */
  appendLaidOut(parts: readonly LaidOutRecords[]): number {
    this.#requireWhole();
    const first = this.size;
    let next = first;
    for (const part of parts) {
      if (part.first !== next) {
        throw new AuditLogError(`Record ${next} was to be written as ${part.first}`);
      }
      next += part.count;
    }
    for (const group of groupsOf(parts)) {
      this.#appendGroup(group);
    }
    return first;
  }

  /** The key for `rotateKey`. @throws AuditLogError if it can't be taken; nothing is changed */
  nextKey(): KeyObject {
    if (this.size === 0) {
      throw new AuditLogError('The audit log has no records yet: there is nothing to go on with.');
    }
    return this.#signing.next(this.#keys);
  }

  /** Records the next key, which signs from now on. Returns its first checkpoint. */
  rotateKey(next: KeyObject, actorId: string): string {
    const { name, bytes } = this.#keys.current;
    const { size } = this;
    const change = signChange(
      name,
      { size, root: this.#tree.root() },
      { old: { key: this.#key, bytes }, next: { key: next, bytes: rawPublicKey(next, 32) } },
    );
    const keys = this.#keys.with(change);
    this.append([recordOfChange(name, bytes, { change, actorId })]);
    this.#keys = keys;
    this.#key = next;
    return this.#settle();
  }

  /** Signs with the new key before anything is appended and the old key is removed. */
  #settle(): string {
    const { count } = this.#keys;
    const note = this.#checkpoint.keys.count < count ? this.checkpoint() : this.#checkpoint.note;
    this.#signing.settle(this.#keys);
    return note;
  }

  /** Does a little of the work of the next checkpoint; false if there is none. */
  rest(): boolean {
    return this.#blocks.syncOne();
  }

  /** Signs the log durably; returns the newest checkpoint if nothing was added. */
  checkpoint(): string {
    this.#requireWhole();
    const { size } = this.#tree;
    if (this.#checkpoint.size < size) {
      this.#blocks.sync();
      const { origin } = this.identity;
      const root = this.#tree.root();
      const note = signCheckpoint({ origin, size, root }, this.#key, this.#keys);
      writeWhole(this.#disk, this.#paths.checkpoint, Buffer.from(note));
      this.#checkpoint = { origin, size, root, keys: this.#keys, note };
    }
    return this.#checkpoint.note;
  }

  close(): void {
    this.#blocks.close();
    try {
      this.#giveBack();
    } finally {
      this.#segment?.close();
      this.#segment = undefined;
    }
  }

  /** The tree has the records of a failed append, which may not be on the disk. */
  #requireWhole(): void {
    if (this.#isAppending) {
      throw new AuditLogError('An append failed: the log must be opened again');
    }
  }

  /** Reserves room when a group fills it, in proportion to what was appended: syncs that write no length take half the time. */
  #reserve(segment: DiskFile, group: number): void {
    const end = this.#bytes + group;
    if (end > this.#room && this.#appended > 0) {
      const bytes = Math.min(this.#reservedBytes, 4 * this.#appended);
      segment.reserve(bytes);
      this.#room = end + bytes;
    }
    this.#appended += group;
  }

  /** Truncates reserved room. After an error the end is unknown and left to the next start. */
  #giveBack(): void {
    if (this.#room > this.#bytes && !this.#isAppending) {
      this.#segment?.truncate(this.#bytes);
      this.#segment?.sync();
    }
    this.#room = 0;
  }

  #appendGroup(parts: readonly LaidOutRecords[]): void {
    const { first } = parts[0] as LaidOutRecords;
    const segment = this.#segmentForGroup();
    const bytes = joinGroup(first, parts);
    const count = parts.reduce((sum, part) => sum + part.count, 0);
    const leaves = hashEntries(bytes, randomBytes(saltLength * count));
    this.#isAppending = true;
    for (const leaf of leaves) {
      this.#tree.append(leaf);
    }
    const tree = {
      first,
      size: this.#tree.size,
      root: this.#tree.root(),
      checkpointSize: this.#checkpoint.size,
    };
    writeSeal(bytes, signSeal(this.identity.origin, tree, this.#key));
    segment.append(bytes);
    this.#reserve(segment, bytes.length);
    segment.sync();
    this.#isAppending = false;
    this.#groups += 1;
    this.#bytes += bytes.length;
    this.#hasGroups = true;
    // A block must not have a leaf whose record may be lost.
    this.#writeBlocks();
  }

  #writeBlocks(): void {
    for (const { path, bytes } of this.#filled.splice(0)) {
      this.#blocks.write(path, bytes);
    }
  }

  #segmentForGroup(): DiskFile {
    const isEnded = this.#hasGroups && this.#bytes >= this.#segmentBytes;
    if (this.#segment !== undefined && !isEnded) {
      return this.#segment;
    }
    this.#blocks.sync();
    this.#giveBack();
    // Only the last segment may end in zeros.
    this.#segment?.sync();
    this.#segment?.close();
    this.#segment = undefined;
    return this.#begin();
  }

  #begin(): DiskFile {
    const header = segmentHeader(this.identity.logId, this.size);
    const file = this.#disk.create(segmentPath(this.#paths.records, this.size));
    this.#segment = file;
    this.#hasGroups = false;
    this.#bytes = header.length;
    this.#appended = 0;
    file.append(header);
    file.sync();
    this.#disk.syncFolder(this.#paths.records);
    return file;
  }

  /** Opens the segment to append to, after setting aside a torn end. */
  #goOn({ segment, bytes, hasGroups, torn }: LogEnd): void {
    this.#disk.syncFolder(this.#paths.records);
    if (segment === undefined) {
      return;
    }
    if (torn !== undefined) {
      holdEnd(this.#disk, this.#paths.held, this.#paths.audit, this.size, torn);
    }
    if (!hasGroups) {
      // Its header may not be durable, so it is created again.
      removeIfThere(this.#disk, segment.path);
      return;
    }
    if (torn !== undefined || this.size > this.#checkpoint.size) {
      // What was read may not be durable, and a sync that failed once may not write it.
      const proven = this.#disk.read(segment.path)?.subarray(0, bytes);
      writeWhole(this.#disk, segment.path, proven as Buffer);
    }
    this.#segment = this.#disk.open(segment.path);
    if (this.#segment.size() > bytes) {
      this.#segment.truncate(bytes);
    }
    this.#bytes = bytes;
    this.#hasGroups = true;
  }

  #recordHeld(): void {
    for (const held of this.#unrecorded()) {
      const { bytes, sha256 } = held;
      if (!held.isRecorded) {
        this.append([ownText({ operation: TORN_GROUP, details: { bytes, sha256 } })]);
      }
      markRecorded(this.#disk, this.#paths.held, held);
    }
  }

  #unrecorded(): ReturnType<typeof unrecordedEnds> {
    const records = new StoredRecords(this.#disk, this.#paths.records, this.identity.logId);
    try {
      return unrecordedEnds(this.#disk, this.#paths.held, {
        size: this.size,
        isRecorded: (seq, sha256) => {
          const entry = records.entry(seq);
          const own = entry && ownRecord(entry);
          return own?.operation === TORN_GROUP && own.details['sha256'] === sha256;
        },
      });
    } finally {
      records.close();
    }
  }
}

function* groupsOf(parts: readonly LaidOutRecords[]): Generator<LaidOutRecords[]> {
  let group: LaidOutRecords[] = [];
  let length = 0;
  for (const part of parts) {
    if (group.length > 0 && length + part.bytes.length > mostBytes) {
      yield group;
      group = [];
      length = 0;
    }
    group.push(part);
    length += part.bytes.length;
  }
  if (group.length > 0) {
    yield group;
  }
}
