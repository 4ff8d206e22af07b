import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Disk } from '../disk/disk.ts';
import { removeIfThere, writeWhole } from '../disk/whole-file.ts';
import type { AuditEntry } from '../entry/audit-entry.ts';
import { textAroundSeq } from '../entry/body.ts';
import { parseBody } from '../entry/record-body.ts';
import { formatVerifierKey, signCheckpoint, verifierKey } from '../note/checkpoint.ts';
import { signSeal } from '../note/seal.ts';
import { Frontier, leafHash } from '../tree/tree.ts';
import { layOutGroup, segmentHeader, writeSeal, type Group } from './group.ts';
import type { LogPaths } from './layout.ts';
import { formatLogFile, type LogKey } from './log-file.ts';
import { segmentPath } from './segments.ts';
import { TileWriter } from './tile-writer.ts';

const saltLength = 16;
const mostBytes = 64 * 2 ** 20;

/** A log that goes on under a new key. */
export interface Renewal {
  readonly logId: string;
  readonly origin: string;
  /** Keys until now. */
  readonly keys: readonly LogKey[];
  readonly serverId: string;
  readonly nowMs: number;
  /** What the command needs to know when it is repeated after an interruption. */
  readonly marker?: string;
}

/**
 * Writes a log anew, with the same leaves, and goes on under a new key. Until `finish`, the folder's key is as it was, and a
 * start does not take what is here for a log.
 */
export class RenewedLog {
  readonly #disk: Disk;
  readonly #paths: LogPaths;
  readonly #renewal: Renewal;
  readonly #frontier = new Frontier();
  readonly #tiles: TileWriter;
  #month: string | undefined;
  #segment: ReturnType<Disk['create']> | undefined;
  #bytes = 0;
  /** Size of the checkpoint that the last seal names. */
  #named = 0;

  /** Removes what an interrupted attempt left. */
  constructor(disk: Disk, paths: LogPaths, renewal: Renewal) {
    this.#disk = disk;
    this.#paths = paths;
    this.#renewal = renewal;
    disk.makeFolder(paths.audit);
    writeWhole(disk, paths.renewing, Buffer.from(renewal.marker ?? ''));
    for (const path of [paths.log, paths.checkpoint]) {
      removeIfThere(disk, path);
    }
    disk.list(paths.records).forEach((name) => {
      disk.remove(join(paths.records, name));
    });
    disk.makeFolder(paths.records);
    this.#tiles = new TileWriter(disk, paths.audit, 0, () => Buffer.alloc(0));
  }

  get size(): number {
    return this.#frontier.size;
  }

  /** A group with the seal that it has; `bytes` are all of it. */
  sealed({ entries, seal }: Group, bytes: Buffer): void {
    this.#beginFor(entries[0] as Buffer);
    for (const entry of entries) {
      const leaf = leafHash(entry.subarray(0, saltLength), entry.subarray(saltLength));
      this.#tiles.append(this.#frontier, leaf);
    }
    this.#named = seal.checkpointSize;
    this.#write(bytes);
  }

  /** Appends the record that says why, under a new key, which becomes the folder's. Returns its public key. */
  finish(why: AuditEntry): string {
    const { logId, origin, keys, serverId, nowMs } = this.#renewal;
    const from = this.#frontier.size;
    const key = generateKeyPairSync('ed25519').privateKey;
    const publicKey = formatVerifierKey(verifierKey(origin, createPublicKey(key)));
    const recordedAtUs = nowMs * 1000;
    const { head, tail } = textAroundSeq(why, { logId, serverId, recordedAtUs });
    const text = Buffer.from(`${head}${from}${tail}`);
    const entry = Buffer.concat([randomBytes(saltLength), text]);
    this.#beginFor(entry);
    const { bytes, leaves } = layOutGroup(from, [[entry]]);
    leaves.forEach((leaf) => {
      this.#tiles.append(this.#frontier, leaf);
    });
    const root = this.#frontier.root();
    const tree = { first: from, size: from + 1, root, checkpointSize: this.#named };
    writeSeal(bytes, signSeal(origin, tree, key));
    this.#write(bytes);
    this.#segment?.close();
    this.#tiles.sync();
    this.#disk.syncFolder(this.#paths.records);
    const signed = [...keys, { verifierKey: publicKey, from }];
    writeWhole(this.#disk, this.#paths.log, formatLogFile({ logId, origin, keys: signed }));
    const note = signCheckpoint({ origin, size: tree.size, root: tree.root }, key);
    writeWhole(this.#disk, this.#paths.checkpoint, Buffer.from(note));
    const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString();
    // From here on it is the log of the folder.
    writeWhole(this.#disk, this.#paths.key, Buffer.from(pem));
    removeIfThere(this.#disk, this.#paths.renewing);
    this.#disk.syncFolder(this.#paths.audit);
    return publicKey;
  }

  #write(bytes: Buffer): void {
    this.#segment?.append(bytes);
    this.#segment?.sync();
    this.#bytes += bytes.length;
  }

  /** A segment has records of one month. */
  #beginFor(entry: Buffer): void {
    const month = monthOf(entry);
    if (this.#month === month && this.#bytes <= mostBytes) {
      return;
    }
    this.#month = month;
    this.#segment?.close();
    const { size } = this.#frontier;
    this.#segment = this.#disk.create(segmentPath(this.#paths.records, size));
    const header = segmentHeader(this.#renewal.logId, size);
    this.#segment.append(header);
    this.#bytes = header.length;
  }
}

function monthOf(entry: Buffer): string {
  const { recorded_at_us: us } = parseBody(entry.toString('utf8', saltLength));
  return new Date(us / 1000).toISOString().slice(0, 7);
}
