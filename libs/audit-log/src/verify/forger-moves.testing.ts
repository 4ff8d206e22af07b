import { randomBytes, type KeyObject } from 'node:crypto';
import type { Group } from '../folder/group.ts';
import { ownRecord, ROTATE_KEY } from '../entry/record-text.ts';
import { signCheckpoint, VerifierKey, type LogKeys } from '../note/checkpoint.ts';
import { recordOfChange, signChange } from '../note/key-change.ts';
import { rawPublicKey } from '../note/note-key.ts';
import { oneOf, type Dice } from '../testing/dice.testing.ts';
import {
  bytesOf,
  checkpointFile,
  dataDir,
  type Forger,
  logFile,
  type LeftLog,
  type OpenSegment,
} from './forged-log.testing.ts';

/** What several ways to forge a log are made of. */

export function noteOf(f: Forger): string {
  return String(f.files.get(checkpointFile));
}

export function sizeOf(note: string): number {
  return Number(note.split('\n')[1]);
}

export function older(f: Forger): LeftLog {
  return oneOf(f.dice, f.earlier);
}

export function twoOf(dice: Dice, length: number): [number, number] {
  const one = dice(length);
  return [one, (one + 1 + dice(length - 1)) % length];
}

/** Segments with one record changed. */
export function edited(f: Forger): OpenSegment[] {
  const all = f.segments();
  const { groups } = oneOf(f.dice, all);
  const at = f.dice(groups.length);
  const group = groups[at] as Group;
  const which = f.dice(group.entries.length);
  const entries = group.entries.map((entry, index) => {
    const text = entry.toString('latin1').replace('"resolveUser"', '"listUsersxx"');
    return index === which ? Buffer.from(text, 'latin1') : entry;
  });
  groups[at] = { ...group, entries };
  return all;
}

export function changeGroups(f: Forger, change: (groups: OpenSegment['groups']) => void): void {
  const all = f.segments();
  change(
    oneOf(
      f.dice,
      all.filter(({ groups }) => groups.length > 1),
    ).groups,
  );
  f.write(all);
}

export function swapRecords(f: Forger, all: readonly OpenSegment[]): void {
  const { groups } = oneOf(f.dice, all);
  const at = groups.findIndex(({ entries }) => entries.length > 1);
  const group = groups[at] as Group;
  const [one, other] = twoOf(f.dice, group.entries.length);
  const entries = [...group.entries];
  [entries[one], entries[other]] = [entries[other] as Buffer, entries[one] as Buffer];
  groups[at] = { ...group, entries };
}

/** Leaves the groups up to this size. */
export function cutGroups(f: Forger, size: number): void {
  const all = f.segments();
  for (const { path, header, groups } of all) {
    const kept = groups.filter(({ seal }) => seal.size <= size);
    if (kept.length === 0 && path !== all[0]?.path) {
      f.files.delete(path);
    } else {
      f.files.set(path, Buffer.concat([header, ...kept.map(bytesOf)]));
    }
  }
}

export function append(f: Forger, bytes: Buffer): void {
  const path = f.paths('records').at(-1) as string;
  f.files.set(path, Buffer.concat([f.files.get(path) as Buffer, bytes]));
}

export function signAnew(f: Forger, key: KeyObject = f.key, keys?: LogKeys): void {
  const all = f.segments();
  const { size, root } = (all.at(-1)?.groups.at(-1) as Group).seal;
  const note = signCheckpoint({ origin: f.origin, size, root }, key, keys);
  f.files.set(checkpointFile, Buffer.from(note));
}

export function keyOf(f: Forger): string {
  return VerifierKey.of(f.origin, f.key).text;
}

export function nameKey(f: Forger): void {
  const log = JSON.parse(String(f.files.get(logFile))) as Record<string, string>;
  const text = JSON.stringify({ ...log, verifier_key: keyOf(f) });
  f.files.set(logFile, Buffer.from(`${text}\n`));
}

export function removeLog(f: Forger): void {
  for (const path of f.files.keys()) {
    if (path.startsWith(`${dataDir}/audit/`)) {
      f.files.delete(path);
    }
  }
}

type Edited = Omit<Group, 'entries'> & { entries: readonly Buffer[] };

/** The group that changes the key. */
export function changed(all: readonly OpenSegment[]): {
  readonly groups: OpenSegment['groups'];
  readonly at: number;
  readonly group: Edited;
  readonly entry: Buffer;
} {
  const isChange = ({ entries }: Group): boolean =>
    ownRecord(entries[0] as Buffer)?.operation === ROTATE_KEY;
  const { groups } = all.find((one) => one.groups.some(isChange)) as OpenSegment;
  const at = groups.findIndex(isChange);
  const group = groups[at] as Edited;
  return { groups, at, group, entry: group.entries[0] as Buffer };
}

/** What the group before that one sealed. @param at its place in its segment, not the first one */
export function sealBefore(
  all: readonly OpenSegment[],
  at: number,
): { size: number; root: Buffer } {
  const { groups } = changed(all);
  const { size, root } = (groups[at - 1] as Group).seal;
  return { size, root };
}

/** A record that changes the stolen key for this one; signed by it in place of `theirs`, if that is given. */
export function change(
  f: Forger,
  before: { readonly size: number; readonly root: Buffer },
  next: KeyObject,
  theirs: Buffer = rawPublicKey(next, 32),
): Buffer {
  const old = rawPublicKey(f.stolen, 32);
  const made = signChange(f.origin, before, {
    old: { key: f.stolen, bytes: old },
    next: { key: next, bytes: theirs },
  });
  const text = recordOfChange(f.origin, old, { change: made, actorId: 'forger' });
  return Buffer.concat([randomBytes(16), Buffer.from(text)]);
}

/** A group of this record at the end, sealed by the stolen key. */
export function addSealed(f: Forger, all: OpenSegment[], entry: Buffer): void {
  const { groups, path } = all.at(-1) as OpenSegment;
  const { seal } = groups.at(-1) as Group;
  groups.push({ first: seal.size, entries: [entry], seal });
  const before = new Map(f.files);
  f.rebuild(all, () => f.stolen);
  const forged = bytesOf(groups.at(-1) as Group);
  before.forEach((bytes, name) => f.files.set(name, bytes));
  f.files.set(path, Buffer.concat([before.get(path) as Buffer, forged]));
}
