import { randomBytes } from 'node:crypto';
import type { Breach } from '../errors.ts';
import { saltLength } from '../record.ts';
import {
  alterBody,
  anyHead,
  type Dice,
  forgedBody,
  insert,
  insertHead,
  insertRow,
  keyChange,
  moveBoundary,
  otherPublicKey,
  putBody,
  readSize,
  recompute,
  rollBack,
  rootIn,
  shift,
} from './edit-tables.testing.ts';
import type { Row, Tables } from './log-place.testing.ts';

/** A way to forge a log of about 520 records in the tables without its key. */
export interface Forgery {
  readonly name: string;
  /** What a verification with a trusted key and checkpoint may report. */
  readonly breach: readonly Breach[];
  /** Whether only a trusted checkpoint reveals the forgery, since the forged log equals an earlier state. */
  readonly needsCheckpoint?: boolean;
  readonly forge: (tables: Tables, dice: Dice) => Promise<unknown>;
}

function forgery(name: string, breach: readonly Breach[], forge: Forgery['forge']): Forgery {
  return { name, breach, forge };
}

export const forgeries: readonly Forgery[] = [
  forgery('a body is altered, and the columns beside it', ['altered'], async (tables, dice) => {
    await alterBody(tables, dice);
  }),
  forgery(
    'a body is altered, and everything computed again from it, unsigned',
    ['altered', 'bad_signature'],
    async (tables, dice) => {
      await alterBody(tables, dice);
      await recompute(tables, 'roots');
    },
  ),
  forgery(
    'a body is altered, and all heads signed by another key',
    ['bad_signature'],
    async (tables, dice) => {
      await alterBody(tables, dice);
      await recompute(tables, 'sign');
    },
  ),
  forgery(
    'the log is signed anew by another key, which the tables name',
    ['bad_signature'],
    async (tables, dice) => {
      await alterBody(tables, dice);
      await recompute(tables, 'sign');
      await tables.rows('update audit_log set public_key = ?', await otherPublicKey(tables));
    },
  ),
  forgery(
    'a salt is altered',
    ['altered'],
    async (tables, dice) =>
      await tables.rows(
        'update audit_record set salt = ? where seq = ?',
        randomBytes(saltLength),
        dice(await readSize(tables)),
      ),
  ),
  forgery('the first byte of a body moves into the salt', ['altered'], (tables, dice) =>
    moveBoundary(tables, dice, 1),
  ),
  forgery('the last byte of a salt moves into the body', ['altered'], async (tables, dice) => {
    // One salt in 500 ends with text.
    await moveBoundary(tables, dice, -1);
  }),
  forgery(
    'a record is deleted',
    ['gap', 'altered'],
    async (tables, dice) =>
      await tables.rows('delete from audit_record where seq = ?', dice(await readSize(tables))),
  ),
  forgery(
    'a record is deleted, and those behind it move up',
    ['altered', 'gap', 'bad_signature'],
    async (tables, dice) => {
      const at = dice((await readSize(tables)) - 1);
      await tables.rows('delete from audit_record where seq = ?', at);
      await shift(tables, at, -1);
      await recompute(tables, 'roots');
    },
  ),
  forgery(
    'a record is put in, and those behind it move down',
    ['altered'],
    async (tables, dice) => {
      const at = dice(await readSize(tables));
      await shift(tables, at, 1);
      await insert(tables, at, forgedBody);
      await recompute(tables, 'roots');
    },
  ),
  forgery('two records change places', ['altered'], async (tables, dice) => {
    const one = dice((await readSize(tables)) - 1);
    await tables.rows('update audit_record set seq = -9 where seq = ?', one);
    await tables.rows('update audit_record set seq = ? where seq = ?', one, one + 1);
    await tables.rows('update audit_record set seq = ? where seq = -9', one + 1);
  }),
  forgery('a record is added behind the last one', ['altered'], async (tables) => {
    await insert(tables, await readSize(tables), forgedBody);
  }),
  forgery(
    'a record is added behind the last one, with its size, frontier and a head of the signature before',
    ['bad_signature'],
    async (tables) => {
      const size = await readSize(tables);
      await insert(tables, size, forgedBody);
      await recompute(tables, 'roots');
      const [head] = await tables.rows('select * from audit_head where size = ?', size);
      await insertHead(tables, size + 1, await rootIn(tables), head?.['signature'] as Buffer);
    },
  ),
  forgery(
    'a record is added behind the last one, and signed by another key',
    ['bad_signature'],
    async (tables) => {
      await insert(tables, await readSize(tables), forgedBody);
      await recompute(tables, 'sign');
    },
  ),
  forgery('a record stands before the first one', ['altered'], (tables) =>
    insert(tables, -1, forgedBody),
  ),
  forgery(
    'the newest records are deleted',
    ['gap'],
    async (tables, dice) =>
      await tables.rows(
        'delete from audit_record where seq >= ?',
        (await readSize(tables)) - 1 - dice(50),
      ),
  ),
  {
    ...forgery('the log is rolled back to an earlier state in all tables', ['truncated'], rollBack),
    needsCheckpoint: true,
  },
  forgery(
    'the log is rolled back, but for its row',
    ['altered', 'truncated'],
    async (tables, dice) => {
      const [row] = await tables.rows('select size, frontier from audit_log');
      await rollBack(tables, dice);
      await tables.rows(
        'update audit_log set size = ?, frontier = ?',
        Number(row?.['size']),
        row?.['frontier'] as Buffer,
      );
    },
  ),
  forgery('all records are deleted', ['gap'], (tables) => tables.rows('delete from audit_record')),
  forgery('all heads are deleted', ['gap'], (tables) => tables.rows('delete from audit_head')),
  forgery('the newest head is deleted', ['altered'], (tables) =>
    tables.rows('delete from audit_head where size = (select max(size) from audit_head)'),
  ),
  forgery('the root of a head is altered', ['altered', 'bad_signature'], async (tables, dice) => {
    const size = await anyHead(tables, dice);
    await tables.rows('update audit_head set root = ? where size = ?', randomBytes(32), size);
  }),
  forgery('the signature of the newest head is altered', ['bad_signature'], (tables) =>
    tables.rows(
      'update audit_head set signature = ? where size = (select max(size) from audit_head)',
      randomBytes(68),
    ),
  ),
  forgery('a head is forged beyond the end', ['gap', 'bad_signature'], async (tables) => {
    await insertHead(tables, (await readSize(tables)) + 5, randomBytes(32), randomBytes(68));
  }),
  forgery('a node is deleted', ['altered'], (tables) =>
    tables.rows('delete from audit_node where level = 8 and place = 0'),
  ),
  forgery('a node is altered', ['altered'], (tables, dice) =>
    tables.rows(
      'update audit_node set hash = ? where level = 8 and place = ?',
      randomBytes(32),
      dice(2),
    ),
  ),
  forgery('a node is added where the log will have one', ['altered'], async (tables) => {
    const [log] = await tables.rows('select * from audit_log');
    await insertRow(tables, 'audit_node', log, { level: 8, place: 2, hash: randomBytes(32) });
  }),
  forgery('a column beside a record is altered', ['altered'], async (tables, dice) => {
    const column = ['recorded_at_us', 'team_id', 'actor_id', 'operation', 'decision'][dice(5)];
    const value = column === 'recorded_at_us' ? 1 : 'another';
    await tables.rows(
      `update audit_record set ${column} = ? where seq = ?`,
      value,
      dice(await readSize(tables)),
    );
  }),
  forgery('a column beside a record is emptied', ['altered'], async (tables, dice) => {
    const column = ['recorded_at_us', 'operation', 'decision'][dice(3)];
    await tables.rows(
      `update audit_record set ${column} = null where seq = ?`,
      dice(await readSize(tables)),
    );
  }),
  forgery('a patient is taken from a record, or another put in', ['altered'], (tables, dice) =>
    tables.rows(
      `update audit_record set patient = ? where seq = (select min(seq) from audit_record where patient is not null)`,
      dice(2) === 0 ? null : randomBytes(16),
    ),
  ),
  forgery('the patients of a record are altered', ['altered'], (tables) =>
    tables.rows(
      `update audit_record set patients = ? where seq = (select min(seq) from audit_record where patients is not null)`,
      randomBytes(32),
    ),
  ),
  forgery('the frontier is altered', ['altered'], async (tables) => {
    const [log] = await tables.rows('select frontier from audit_log');
    const length = (log?.['frontier'] as Buffer).length;
    await tables.rows('update audit_log set frontier = ?', randomBytes(length));
  }),
  forgery('the size is altered', ['altered'], (tables, dice) =>
    tables.rows(`update audit_log set size = size ${dice(2) === 0 ? '-' : '+'} 1`),
  ),
  forgery(
    'the public key is replaced',
    ['bad_signature'],
    async (tables) =>
      await tables.rows('update audit_log set public_key = ?', await otherPublicKey(tables)),
  ),
  forgery('the log has another name', ['bad_signature', 'gap'], (tables) =>
    tables.rows(`update audit_log set name = 'other.example/audit/0123456789ab'`),
  ),
  forgery(
    'the change of the key names another key',
    ['altered', 'bad_signature'],
    async (tables) => {
      const { seq, body } = await keyChange(tables);
      const key = await otherPublicKey(tables);
      const old = String((JSON.parse(body) as { details: Row }).details['public_key']);
      await putBody(tables, seq, body.replace(old, key));
      await recompute(tables, 'sign');
      await tables.rows('update audit_log set public_key = ?', key);
    },
  ),
  forgery('a change of the key is added at the end', ['bad_signature'], async (tables) => {
    const { body } = await keyChange(tables);
    const [log] = await tables.rows('select public_key from audit_log');
    const { details } = JSON.parse(body) as { details: Row };
    const key = await otherPublicKey(tables);
    const forged = body
      .replace(String(details['public_key']), key)
      .replace(String(details['old_public_key']), String(log?.['public_key']));
    await insert(tables, await readSize(tables), forged);
    await recompute(tables, 'sign newest');
    await tables.rows('update audit_log set public_key = ?', key);
  }),
  forgery(
    'the head of the change of the key is deleted',
    ['bad_signature'],
    async (tables) =>
      await tables.rows('delete from audit_head where size = ?', (await keyChange(tables)).seq + 1),
  ),
  forgery('the row of the log is deleted', ['gap'], (tables) =>
    tables.rows('delete from audit_log'),
  ),
];
