import { createHash, randomBytes } from 'node:crypto';
import {
  cutOff,
  edited,
  editWithHash,
  flipIn,
  insert,
  rebuild,
  remove,
  shift,
  someCheckpoint,
  someNode,
  somePatient,
  swap,
  type Dice,
  type Forger,
} from './forging.testing.ts';
import { signCheckpoint } from './log/checkpoint.ts';

/** A generator of numbers that repeats for the same seed (mulberry32). */
export function seededDice(seed: number): Dice {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/**
 * Tampers in one of many ways, by someone with every right over the file, and verifies. The file is as before
 * afterwards. Gives the way's name and what the verification said.
 */
export function tamper(
  forger: Omit<Forger, 'size' | 'origin'>,
  verify: () => unknown,
): { way: string; found: unknown } {
  const { db } = forger;
  db.exec('begin');
  try {
    const size = Number(db.prepare('select size from audit_head').get()?.['size']);
    const origin = String(db.prepare('select origin from audit_log').get()?.['origin']);
    const names = Object.keys(ways);
    const way = names[forger.dice(names.length)] as string;
    const triggers = db.prepare(`select name, sql from sqlite_schema where type = 'trigger'`).all();
    triggers.forEach((trigger) => {
      db.exec(`drop trigger ${String(trigger['name'])}`);
    });
    (ways[way] as (forger: Forger) => void)({ ...forger, size, origin });
    triggers.forEach((trigger) => {
      db.exec(String(trigger['sql']));
    });
    try {
      return { way, found: verify() };
    } catch (error) {
      return { way, found: error };
    }
  } finally {
    db.exec('rollback');
  }
}

export const ways: Readonly<Record<string, (forger: Forger) => void>> = {
  'edit a body': ({ db, dice, size }) => {
    db.prepare('update audit_event set body = ? where seq = ?').run(
      ...edited(db, dice(size), dice),
    );
  },
  'edit a body and its hash': (forger) => {
    editWithHash(forger);
  },
  'change a bit of a salt': ({ db, dice, size }) => {
    flipIn(db, dice, `audit_event where seq = ${dice(size)}`, 'salt');
  },
  'change a bit of a hash': ({ db, dice, size }) => {
    flipIn(db, dice, `audit_event where seq = ${dice(size)}`, 'leaf_hash');
  },
  'empty a record as a cut would': ({ db, dice, size }) => {
    const seq = dice(size);
    db.exec(`update audit_event set body = null, salt = null where seq = ${seq};
             delete from audit_patient where seq = ${seq}`);
  },
  'delete a record': ({ db, dice, size }) => {
    remove(db, dice(size));
  },
  'delete a record and close the gap': ({ db, dice, size }) => {
    const seq = dice(size);
    remove(db, seq);
    shift(db, seq, -1);
  },
  'swap two records': (forger) => {
    swap(forger);
  },
  'swap two records and hash all again': (forger) => {
    swap(forger);
    rebuild(forger);
  },
  'insert a record': (forger) => {
    insert(forger, forger.dice(forger.size + 1));
  },
  'insert a record and hash all again': (forger) => {
    // Not at the end: that would be a record after the checkpoint, as the service itself adds them.
    insert(forger, forger.dice(forger.size));
    rebuild(forger);
  },
  'cut off the end': ({ db, dice, size }) => {
    db.exec(`delete from audit_event where seq >= ${dice(size)}`);
  },
  'cut off the end and hash all again': (forger) => {
    cutOff(forger);
    rebuild(forger);
  },
  'cut off the end and sign again with the stolen key': (forger) => {
    cutOff(forger);
    rebuild(forger, forger.key);
  },
  'edit a body and hash all again': (forger) => {
    editWithHash(forger);
    rebuild(forger);
  },
  'edit a body, hash all again, drop the checkpoints': (forger) => {
    editWithHash(forger);
    rebuild(forger);
    forger.db.exec('delete from audit_checkpoint where size > 0');
  },
  'edit a body, hash all again, sign with the stolen key': (forger) => {
    editWithHash(forger);
    rebuild(forger, forger.key);
  },
  'fork: another end, signed with the stolen key': (forger) => {
    const { db, size } = forger;
    cutOff(forger);
    const last = Number(
      db.prepare('select max(seq) as last from audit_event').get()?.['last'] ?? -1,
    );
    for (let seq = last + 1; seq < size + 3; seq += 1) {
      insert(forger, seq);
    }
    rebuild(forger, forger.key);
  },
  'remove a patient': ({ db, dice }) => {
    const { seq, userId } = somePatient(db, dice);
    db.prepare('delete from audit_patient where seq = ? and user_id = ?').run(seq, userId);
  },
  'add a patient': ({ db, dice, size }) => {
    const id = '00000000-0000-4000-8000-000000000000';
    db.prepare('insert into audit_patient (seq, user_id) values (?, ?)').run(dice(size + 5), id);
  },
  'give a patient to another record': ({ db, dice, size }) => {
    const { seq, userId } = somePatient(db, dice);
    db.prepare(`update or replace audit_patient set seq = ? where seq = ? and user_id = ?`).run(
      (seq + 1 + dice(size - 1)) % size,
      seq,
      userId,
    );
  },
  'change a bit of a node': ({ db, dice }) => {
    const { level, idx } = someNode(db, dice);
    flipIn(db, dice, `audit_node where level = ${level} and idx = ${idx}`, 'hash');
  },
  'delete a node': ({ db, dice }) => {
    const { level, idx } = someNode(db, dice);
    db.exec(`delete from audit_node where level = ${level} and idx = ${idx}`);
  },
  'add a node': ({ db, dice, size }) => {
    db.prepare('insert into audit_node (level, idx, hash) values (?, ?, ?)').run(
      1 + dice(3),
      size + dice(9),
      randomBytes(32),
    );
  },
  'change a bit of the head': ({ db, dice }) => {
    flipIn(db, dice, 'audit_head', 'frontier');
  },
  'change the size of the head': ({ db, dice, size }) => {
    db.exec(`update audit_head set size = ${(size + 1 + dice(2 * size - 1)) % (2 * size)}`);
  },
  'change a checkpoint': ({ db, dice, key, origin }) => {
    const { size, note } = someCheckpoint(db, dice);
    const root = createHash('sha256').update(note).digest();
    const forged = [
      note.replace(/\n\d+\n/u, (line) => `\n${Number(line) + 1}\n`),
      note.replace(/[A-Za-z0-9+/]{8}=*\n$/u, 'AAAAAAAA\n'),
      signCheckpoint({ origin, size, root }, key),
      signCheckpoint({ origin, size: size + 1, root }, key),
      '',
    ][dice(5)] as string;
    db.prepare('update audit_checkpoint set note = ? where size = ?').run(forged, size);
  },
  'rename the log': ({ db, dice }) => {
    db.exec(`update audit_log set ${dice(2) === 0 ? 'log_id' : 'origin'} = 'other/audit/abcdef'`);
  },
};
