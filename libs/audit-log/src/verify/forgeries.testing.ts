import { segmentHeader, type Group } from '../folder/group.ts';
import { LogKeys, signCheckpoint, VerifierKey } from '../note/checkpoint.ts';
import { oneOf } from '../testing/dice.testing.ts';
import {
  bytesOf,
  checkpointFile,
  dataDir,
  type Forger,
  keyFile,
  logFile,
  type OpenSegment,
} from './forged-log.testing.ts';
import {
  noteOf,
  sizeOf,
  older,
  twoOf,
  edited,
  changeGroups,
  swapRecords,
  cutGroups,
  append,
  signAnew,
  keyOf,
  nameKey,
  removeLog,
  addSealed,
  change,
  changed,
  sealBefore,
} from './forger-moves.testing.ts';

/** Ways to forge a log for somebody who can write every file and has not its key. */
export const forgeries: Readonly<Record<string, (forger: Forger) => unknown>> = {
  'edit a record': (f) => {
    f.write(edited(f));
  },
  'edit a record and hash all again': (f) => {
    f.rebuild(edited(f));
  },
  'edit a record, hash and seal all again with another key': (f) => {
    f.rebuild(edited(f), () => f.key);
  },
  'edit a record, hash, seal and sign all again with another key': (f) => {
    f.rebuild(edited(f), () => f.key);
    signAnew(f);
  },
  'write the log anew with another key, named in the log file': (f) => {
    f.rebuild(edited(f), () => f.key);
    signAnew(f);
    nameKey(f);
  },
  'write the log anew with another key, in the place of the key too': (f) => {
    f.rebuild(edited(f), () => f.key);
    signAnew(f);
    nameKey(f);
    f.files.set(keyFile, Buffer.from(f.key.export({ type: 'pkcs8', format: 'pem' })));
  },
  'delete the checkpoint, edit a record, hash all again': (f) => {
    f.files.delete(checkpointFile);
    f.rebuild(edited(f));
  },
  'delete the checkpoint': (f) => f.files.delete(checkpointFile),
  'put back an older checkpoint': (f) =>
    f.files.set(checkpointFile, Buffer.from(older(f).checkpoint)),
  'put back an older checkpoint and cut off the groups that name a newer one': (f) => {
    cutGroups(f, sizeOf(older(f).checkpoint));
    f.files.set(checkpointFile, Buffer.from(older(f).checkpoint));
  },
  'put the checkpoint of another log': (f) =>
    f.files.set(checkpointFile, Buffer.from(f.other.checkpoint)),
  'change the checkpoint': (f) => {
    const note = String(f.files.get(checkpointFile));
    const size = sizeOf(note);
    const text = note.replace(`\n${size}\n`, `\n${f.dice(size)}\n`);
    f.files.set(checkpointFile, Buffer.from(text));
  },
  'cut off whole groups': (f) => {
    cutGroups(f, f.dice(sizeOf(noteOf(f))));
  },
  'cut a file of records anywhere': (f) => {
    const path = oneOf(f.dice, f.paths('records'));
    const bytes = f.files.get(path) as Buffer;
    f.files.set(path, bytes.subarray(0, f.dice(bytes.length)));
  },
  'remove a file of records': (f) => f.files.delete(oneOf(f.dice, f.paths('records'))),
  'remove the first files of records': (f) => {
    const paths = f.paths('records');
    paths.slice(0, 1 + f.dice(paths.length - 1)).forEach((path) => f.files.delete(path));
  },
  'make one group of two, under the seal of the second': (f) => {
    const all = f.segments();
    const { groups } = all[0] as OpenSegment;
    const at = f.dice(groups.length - 1);
    const [one, other] = groups.slice(at, at + 2) as [Group, Group];
    const entries = [...one.entries, ...other.entries];
    groups.splice(at, 2, { first: one.first, entries, seal: other.seal });
    f.write(all);
  },
  'rename a file of records': (f) => {
    const path = oneOf(f.dice, f.paths('records'));
    const to = `${dataDir}/audit/records/${String(f.dice(500)).padStart(15, '0')}`;
    const bytes = f.files.get(path) as Buffer;
    f.files.delete(path);
    f.files.set(path === to ? `${to.slice(0, -1)}9` : to, bytes);
  },
  'change the header of a file of records': (f) => {
    const { path, groups } = oneOf(f.dice, f.segments());
    const header = segmentHeader(oneOf(f.dice, ['0123456789ab', 'x']), f.dice(300));
    f.files.set(path, Buffer.concat([header, ...groups.map(bytesOf)]));
  },
  'remove a group': (f) => {
    changeGroups(f, (groups) => groups.splice(f.dice(groups.length), 1));
  },
  'remove a group and hash all again': (f) => {
    const all = f.segments();
    const { groups } = oneOf(f.dice, all);
    groups.splice(f.dice(groups.length), 1);
    f.rebuild(all);
  },
  'swap two groups': (f) => {
    changeGroups(f, (groups) => {
      const at = f.dice(groups.length - 1);
      groups.splice(at, 2, ...groups.slice(at, at + 2).reverse());
    });
  },
  'repeat a group': (f) => {
    changeGroups(f, (groups) => {
      groups.splice(f.dice(groups.length), 0, oneOf(f.dice, groups));
    });
  },
  'put the groups of another log': (f) => {
    const all = f.segments();
    const mine = all[0] as OpenSegment;
    const [theirs] = f.segments(f.other.files) as [OpenSegment];
    const at = f.dice(mine.groups.length);
    mine.groups.splice(at, 1, theirs.groups[at] as Group);
    f.write(all);
  },
  'swap two records of a group': (f) => {
    const all = f.segments();
    swapRecords(f, all);
    f.write(all);
  },
  'swap two records of a group and hash all again': (f) => {
    const all = f.segments();
    swapRecords(f, all);
    f.rebuild(all);
  },
  'add a record to a group and hash all again': (f) => {
    const all = f.segments();
    const { groups } = oneOf(f.dice, all);
    const at = f.dice(groups.length);
    const group = groups[at] as Group;
    groups[at] = { ...group, entries: [...group.entries, oneOf(f.dice, group.entries)] };
    f.rebuild(all);
  },
  'copy the seal of another group': (f) => {
    changeGroups(f, (groups) => {
      const [at, from] = twoOf(f.dice, groups.length);
      const { seal } = groups[from] as Group;
      const group = groups[at] as Group;
      // Its own size, or the file would not even read.
      groups[at] = { ...group, seal: { ...seal, size: group.seal.size, checkpointSize: 0 } };
    });
  },
  'copy the signature of another seal': (f) => {
    changeGroups(f, (groups) => {
      const [at, from] = twoOf(f.dice, groups.length);
      const group = groups[at] as Group;
      const { signature } = (groups[from] as Group).seal;
      groups[at] = { ...group, seal: { ...group.seal, signature } };
    });
  },
  'change the checkpoint that a seal names': (f) => {
    changeGroups(f, (groups) => {
      const at = groups.findIndex(({ seal }) => seal.checkpointSize > 0);
      const group = groups[Math.max(0, at)] as Group;
      const checkpointSize = at < 0 ? 1 : group.seal.checkpointSize - 1;
      groups[Math.max(0, at)] = { ...group, seal: { ...group.seal, checkpointSize } };
    });
  },
  'add bytes at the end': (f) => {
    // Zeros are room that is reserved: they add nothing.
    append(f, Buffer.alloc(1 + f.dice(300), 1 + f.dice(255)));
  },
  'add a group at the end with another key': (f) => {
    const all = f.segments();
    const { groups } = all.at(-1) as OpenSegment;
    groups.push(groups[0] as Group);
    const before = new Map(f.files);
    f.rebuild(all, () => f.key);
    const { path } = all.at(-1) as OpenSegment;
    const forged = bytesOf(groups.at(-1) as Group);
    before.forEach((bytes, name) => f.files.set(name, bytes));
    f.files.set(path, Buffer.concat([before.get(path) as Buffer, forged]));
  },
  'add a file of records at the end': (f) => {
    const path = oneOf(f.dice, f.paths('records'));
    const to = `${dataDir}/audit/records/${String(sizeOf(noteOf(f))).padStart(15, '0')}`;
    f.files.set(to, f.files.get(path) as Buffer);
  },
  'change a block': (f) => {
    const path = oneOf(f.dice, f.paths('nodes'));
    const bytes = Buffer.from(f.files.get(path) as Buffer);
    const at = f.dice(bytes.length);
    bytes[at] = (bytes[at] as number) ^ (1 << f.dice(8));
    f.files.set(path, bytes);
  },
  'remove a block': (f) => f.files.delete(oneOf(f.dice, f.paths('nodes'))),
  'put the block of another log': (f) => {
    const path = oneOf(f.dice, f.paths('nodes'));
    f.files.set(path, f.other.files.get(path) as Buffer);
  },
  'change the log file': (f) => {
    const text = String(f.files.get(logFile));
    const key = keyOf(f);
    const changed = oneOf(f.dice, [
      () => text.replace(/"log_id":"./u, '"log_id":"'),
      () => text.replace('"origin":"clinic', '"origin":"clinid'),
      () => text.replace('}', `,"verifier_key":"${key}"}`),
      () => text.replace(/\+[0-9a-f]{8}\+/u, '+00000000+'),
      () => `${text} `,
      () => '',
    ])();
    f.files.set(logFile, Buffer.from(changed));
  },
  'put the log file of another log': (f) =>
    f.files.set(logFile, f.other.files.get(logFile) as Buffer),
  'remove the log file': (f) => f.files.delete(logFile),
  'remove the log and leave its key': (f) => {
    removeLog(f);
  },
  'put another log in the place of the log': (f) => {
    const key = f.files.get(keyFile) as Buffer;
    f.files.clear();
    f.other.files.forEach((bytes, path) => f.files.set(path, bytes));
    f.files.set(keyFile, key);
  },
  'put back an earlier state of the whole folder': (f) => {
    const state = older(f);
    f.files.clear();
    state.files.forEach((bytes, path) => f.files.set(path, bytes));
  },
  'name another key at the end, with a stolen old one': (f) => {
    const all = f.segments();
    const { groups } = all.at(-1) as OpenSegment;
    const { seal } = groups.at(-1) as Group;
    addSealed(f, all, change(f, { size: seal.size, root: seal.root }, f.key));
  },
  'repeat the change of the key at the end, with a stolen old one': (f) => {
    const all = f.segments();
    addSealed(f, all, changed(all).entry);
  },
  'name another key in place of the next one, which the old one alone signed': (f) => {
    const all = f.segments();
    const { group, entry } = changed(all);
    const text = entry
      .toString()
      .replace(/"signed_by_new":"[^"]{40}/u, (found) => found.replace(/.{8}$/u, 'AAAAAAAA'));
    group.entries = [Buffer.from(text)];
    f.rebuild(all, (size) => (size <= group.seal.size ? f.stolen : undefined));
  },
  'name a key of the forger in place of the next one, with a stolen old one': (f) => {
    const all = f.segments();
    const { at, group } = changed(all);
    const before = sealBefore(all, at);
    group.entries = [change(f, before, f.key)];
    f.rebuild(all, (size) => (size <= before.size + 1 ? f.stolen : f.key));
    const keys = LogKeys.of(VerifierKey.of(f.origin, f.stolen)).after(
      group.entries[0] as Buffer,
      before.size,
      () => before.root,
    );
    signAnew(f, f.key, keys);
  },
  'change the key for a public key of somebody else, with a stolen old one': (f) => {
    const all = f.segments();
    const { at, group } = changed(all);
    const theirs = VerifierKey.parse(f.other.verifierKey);
    const before = sealBefore(all, at);
    const made = change(f, before, f.stolen, theirs.bytes);
    group.entries = [made];
    f.rebuild(all, (size) => (size <= before.size + 1 ? f.stolen : undefined));
  },
  'move the change of the key, with a stolen old one': (f) => {
    const all = f.segments();
    const { groups, at } = changed(all);
    groups.splice(at - 1, 2, ...groups.slice(at - 1, at + 1).reverse());
    f.rebuild(all, (size) => (size <= sizeOf(older(f).checkpoint) ? f.stolen : undefined));
  },
  'put a record beside the change of the key, with a stolen old one': (f) => {
    const all = f.segments();
    const { groups, group } = changed(all);
    const more = (groups[0] as Group).entries[0] as Buffer;
    const isBehind = f.dice(2) === 0;
    group.entries = isBehind ? [...group.entries, more] : [more, ...group.entries];
    f.rebuild(all, (size) => (size <= group.seal.size + 1 ? f.stolen : undefined));
  },
  'take the change of the key away, and go on with a stolen old one': (f) => {
    const all = f.segments();
    const { groups, at } = changed(all);
    groups.splice(at, 1);
    f.rebuild(all, () => f.stolen);
    signAnew(f, f.stolen);
  },
  'add a group at the end with a stolen old key': (f) => {
    const all = f.segments();
    const { groups } = all[0] as OpenSegment;
    addSealed(f, all, (groups[0] as Group).entries[0] as Buffer);
  },
  'sign the checkpoint with a stolen old key': (f) => {
    signAnew(f, f.stolen);
  },
  'edit what was before the change of the key, and have a start finish the change, with a stolen old key':
    (f) => {
      const all = f.segments();
      const { at, groups } = changed(all);
      groups.splice(at + 1);
      all.splice(all.findIndex((one) => one.groups === groups) + 1).forEach(({ path }) => {
        f.files.delete(path);
      });
      swapRecords(f, all.slice(0, 1));
      f.rebuild(all, () => f.stolen);
      const tree = sealBefore(all, at);
      const note = signCheckpoint({ origin: f.origin, ...tree }, f.stolen);
      f.files.set(checkpointFile, Buffer.from(note));
      f.files.set(`${keyFile}.next`, f.files.get(keyFile) as Buffer);
      f.files.set(
        keyFile,
        Buffer.from(f.stolen.export({ type: 'pkcs8', format: 'pem' }) as string),
      );
    },
  'take the names of the keys out of the checkpoint': (f) => {
    const lines = noteOf(f).split('\n');
    f.files.set(checkpointFile, Buffer.from([...lines.slice(0, 5), ''].join('\n')));
  },
  'flip a bit': (f) => {
    const paths = [...f.paths('records'), ...f.paths('nodes'), checkpointFile, logFile];
    const path = oneOf(f.dice, paths);
    const bytes = Buffer.from(f.files.get(path) as Buffer);
    const at = f.dice(bytes.length);
    bytes[at] = (bytes[at] as number) ^ (1 << f.dice(8));
    f.files.set(path, bytes);
  },
};

/** Only a checkpoint kept elsewhere shows these. */
export const needKept: readonly string[] = [
  'put back an older checkpoint and cut off the groups that name a newer one',
  'put back an earlier state of the whole folder',
];
