import { share } from '@caregate/seeded/seed';

/** Ways to forge a log that both engines have: as they are named for files, and for PostgreSQL. */
const onBoth: readonly (readonly [files: string, postgres: string])[] = [
  ['edit a record', 'a record is edited'],
  [
    'edit a record, hash, seal and sign all again with another key',
    'a record is edited and all that is computed from it, seals and checkpoints by another key',
  ],
  [
    'write the log anew with another key, named in the log file',
    'the key of the log is replaced, and everything signed anew',
  ],
  ['delete the checkpoint', 'all checkpoints are deleted'],
  ['cut off whole groups', 'the records of the end are deleted'],
  [
    'put back an older checkpoint and cut off the groups that name a newer one',
    'the end is cut off, all tables alike',
  ],
  ['remove the first files of records', 'entries are emptied'],
  [
    'remove a group and hash all again',
    'a record is deleted and those after it move up, the tree recomputed',
  ],
  ['swap two records of a group', 'two records change places'],
  ['copy the seal of another group', 'a seal is moved to another size'],
  ['change the checkpoint that a seal names', 'a seal names another checkpoint'],
  [
    'add a group at the end with another key',
    'a record is added at the end and sealed by another key',
  ],
  ['remove a block', 'a block is deleted'],
  ['make one group of two, under the seal of the second', 'an inner seal is deleted'],
  ['remove the log and leave its key', 'the log is deleted'],
  [
    'put another log in the place of the log',
    'all that another log has is put in, under this name',
  ],
  ['flip a bit', 'a bit of a hash, a salt, a root or a signature is flipped'],
];
const filesTurn = share(onBoth, 2);

/** Of all ways to forge a log on this engine its own, and those of both whose turn it is here: the seed chooses. */
export function waysInTurn(engine: 'files' | 'postgres', all: readonly string[]): string[] {
  const name = engine === 'files' ? 0 : 1;
  const elsewhere = onBoth
    .filter((way) => filesTurn.includes(way) !== (engine === 'files'))
    .map((way) => way[name]);
  const unknown = elsewhere.filter((way) => !all.includes(way));
  if (unknown.length > 0) {
    throw new Error(`No way to forge a log on ${engine}: ${unknown.join('; ')}`);
  }
  return all.filter((way) => !elsewhere.includes(way));
}
