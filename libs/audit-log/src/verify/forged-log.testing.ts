import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { SimulatedDisk } from '../disk/simulated-disk.testing.ts';
import { groupLength, parseGroup, writeSeal, type Group } from '../folder/group.ts';
import { layOutGroup } from '../folder/laid-out-group.testing.ts';
import { LogWriter } from '../folder/log-writer.ts';
import { signSeal } from '../note/seal.ts';
import { auditEntry } from '../testing/audit-entry.testing.ts';
import type { Dice } from '../testing/dice.testing.ts';
import { blockPath } from '../tree/blocks.ts';
import { leafHashText } from '../tree/tree.ts';
import { GrowingTree } from '../tree/growing-tree.ts';

export const dataDir = '/data';
const audit = `${dataDir}/audit`;
export const checkpointFile = `${audit}/checkpoint`;
export const logFile = `${audit}/log`;
export const keyFile = `${dataDir}/audit-key.pem`;

/** Files of a data folder by their paths. */
export type Files = Map<string, Buffer>;

/** A log as it was left at some time: signed, closed. */
export interface LeftLog {
  readonly files: Files;
  readonly checkpoint: string;
  readonly verifierKey: string;
}

/** Writes a log and gives its states, oldest first; in the second the key was replaced, the last has more than one full block. */
export function writeLog(seed: number, states = 3): LeftLog[] {
  const disk = new SimulatedDisk({ seed });
  disk.plant(`${dataDir}/service.toml`, Buffer.alloc(0));
  const left: LeftLog[] = [];
  for (let state = 1; state <= states; state += 1) {
    const log = openOn(disk);
    for (let group = 0; group < 13; group += 1) {
      log.append(Array.from({ length: 8 }, (_, at) => record(at)));
      if (group === 5) {
        log.checkpoint();
      }
      if (state === 2 && group === 8) {
        log.rotateKey(log.nextKey(), 'command line: amara');
      }
    }
    const checkpoint = log.checkpoint();
    log.close();
    left.push({ files: disk.files(), checkpoint, verifierKey: log.verifierKey });
  }
  return left;
}

export function diskOf(files: Files): SimulatedDisk {
  const disk = new SimulatedDisk({ seed: 1 });
  disk.plant(`${dataDir}/service.toml`, Buffer.alloc(0));
  for (const [path, bytes] of files) {
    disk.plant(path, bytes);
  }
  return disk;
}

export function openOn(disk: SimulatedDisk): LogWriter {
  return new LogWriter({ disk, dataDir, host: 'clinic.example', segmentBytes: 40_000 });
}

export function record(at: number): string {
  return auditEntry({ request_id: `request ${at}`, http_status: 200 + at });
}

/** A segment taken apart. */
export interface OpenSegment {
  readonly path: string;
  readonly header: Buffer;
  readonly groups: Group[];
}

/** What somebody has who can write every file of a folder and has not its key. */
export class Forger {
  readonly files: Files;
  readonly dice: Dice;
  /** Earlier states of the same log, and another log of the same house. */
  readonly earlier: readonly LeftLog[];
  readonly other: LeftLog;
  readonly key: KeyObject = generateKeyPairSync('ed25519').privateKey;
  /** The first key of the log, which was replaced, for ways that say that it was stolen. */
  readonly stolen: KeyObject;
  readonly origin: string;

  constructor(states: readonly LeftLog[], other: LeftLog, dice: Dice) {
    const last = states.at(-1) as LeftLog;
    this.files = new Map([...last.files].map(([path, bytes]) => [path, Buffer.from(bytes)]));
    this.earlier = states.slice(0, -1);
    this.other = other;
    this.dice = dice;
    this.stolen = createPrivateKey(states[0]?.files.get(keyFile) as Buffer);
    this.origin = (JSON.parse(String(this.files.get(logFile))) as { origin: string }).origin;
  }

  paths(part: 'records' | 'nodes'): string[] {
    return [...this.files.keys()].filter((path) => path.startsWith(`${audit}/${part}/`)).sort();
  }

  segments(files: Files = this.files): OpenSegment[] {
    return [...files.keys()]
      .filter((path) => path.startsWith(`${audit}/records/`))
      .sort()
      .map((path) => open(path, files.get(path) as Buffer));
  }

  /** Writes the groups of segments as they are, seals and all. */
  write(segments: readonly OpenSegment[]): void {
    segments.forEach(({ path, header, groups }) => {
      this.files.set(path, Buffer.concat([header, ...groups.map(bytesOf)]));
    });
  }

  /** Makes all that needs no key fit the entries again: numbers, sizes, roots, blocks; seals by the key that is given. */
  rebuild(
    segments: readonly OpenSegment[],
    sealedBy: (size: number) => KeyObject | undefined = () => undefined,
  ): void {
    const tree = new GrowingTree((level, index, block) => {
      this.files.set(`${audit}/${blockPath(level, index)}`, Buffer.from(block));
    });
    for (const { groups } of segments) {
      groups.forEach((group, at) => {
        const first = tree.size;
        for (const entry of group.entries) {
          tree.append(leafHashText(entry));
        }
        const sealed = {
          size: tree.size,
          root: tree.root(),
          checkpointSize: Math.min(group.seal.checkpointSize, first),
          first,
        };
        const key = sealedBy(tree.size);
        const { signature } = key ? signSeal(this.origin, sealed, key) : group.seal;
        groups[at] = { ...group, first, seal: { ...sealed, signature } };
      });
    }
    this.write(segments);
  }
}

function open(path: string, bytes: Buffer): OpenSegment {
  const start = bytes.indexOf('\n') + 1;
  const groups: Group[] = [];
  for (let at = start; at < bytes.length;) {
    const length = groupLength(bytes.subarray(at)) as number;
    groups.push(parseGroup(bytes.subarray(at, at + length)) as Group);
    at += length;
  }
  return { path, header: bytes.subarray(0, start), groups };
}

export function bytesOf({ first, entries, seal }: Group): Buffer {
  const { bytes } = layOutGroup(
    first,
    entries.map((entry) => [entry]),
  );
  writeSeal(bytes, seal);
  return bytes;
}
