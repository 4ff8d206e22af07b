import { randomBytes } from 'node:crypto';
import type { Breach } from '../errors.ts';
import { saltLength } from '../record.ts';
import {
  chooseHead,
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

/** The size of the log, a random record, and the dice for other choices. */
interface Choice {
  readonly size: number;
  readonly seq: number;
  readonly dice: Dice;
}

/** @param change an SQL statement, or a function */
function forgery(
  name: string,
  breach: readonly Breach[],
  change: string | ((tables: Tables, choice: Choice) => Promise<unknown>),
): Forgery {
  const forge = async (tables: Tables, dice: Dice): Promise<unknown> => {
    if (typeof change === 'string') return await tables.rows(change);
    const size = await readSize(tables);
    return await change(tables, { size, seq: dice(size), dice });
  };
  return { name, breach, forge };
}

const alterBody =
  (how?: 'roots' | 'sign') =>
  async (tables: Tables, { seq }: Choice): Promise<void> => {
    await putBody(tables, seq, forgedBody);
    await (how && recompute(tables, how));
  };
const newestHead = 'where size = (select max(size) from audit_head)';
const firstWith = (column: string): string =>
  `where seq = (select min(seq) from audit_record where ${column} is not null)`;

export const forgeries: readonly Forgery[] = [
  forgery('a body is altered, and the columns beside it', ['altered'], alterBody()),
  forgery(
    'a body is altered, and everything computed again from it, unsigned',
    ['altered', 'bad_signature'],
    alterBody('roots'),
  ),
  forgery(
    'a body is altered, and all heads signed by another key',
    ['bad_signature'],
    alterBody('sign'),
  ),
  forgery(
    'the log is signed anew by another key, which the tables name',
    ['bad_signature'],
    async (tables, choice) => {
      await alterBody('sign')(tables, choice);
      await tables.rows('update audit_log set public_key = ?', await otherPublicKey(tables));
    },
  ),
  forgery('a salt is altered', ['altered'], ({ rows }, { seq }) =>
    rows('update audit_record set salt = ? where seq = ?', randomBytes(saltLength), seq),
  ),
  forgery('the first byte of a body moves into the salt', ['altered'], (tables, { seq }) =>
    moveBoundary(tables, seq, 1),
  ),
  // One salt in 500 ends with text.
  forgery('the last byte of a salt moves into the body', ['altered'], (tables, { seq }) =>
    moveBoundary(tables, seq, -1),
  ),
  forgery('a record is deleted', ['gap', 'altered'], ({ rows }, { seq }) =>
    rows('delete from audit_record where seq = ?', seq),
  ),
  forgery(
    'a record is deleted, and those behind it move up',
    ['altered', 'gap', 'bad_signature'],
    async (tables, { size, dice }) => {
      const at = dice(size - 1);
      await tables.rows('delete from audit_record where seq = ?', at);
      await shift(tables, at, -1);
      await recompute(tables, 'roots');
    },
  ),
  forgery(
    'a record is put in, and those behind it move down',
    ['altered'],
    async (tables, { seq }) => {
      await shift(tables, seq, 1);
      await insert(tables, seq, forgedBody);
      await recompute(tables, 'roots');
    },
  ),
  forgery('two records change places', ['altered'], async ({ rows }, { size, dice }) => {
    const one = dice(size - 1);
    await rows('update audit_record set seq = -9 where seq = ?', one);
    await rows('update audit_record set seq = ? where seq = ?', one, one + 1);
    await rows('update audit_record set seq = ? where seq = -9', one + 1);
  }),
  forgery('a record is added behind the last one', ['altered'], (tables, { size }) =>
    insert(tables, size, forgedBody),
  ),
  forgery(
    'a record is added behind the last one, with its size, frontier and a head of the signature before',
    ['bad_signature'],
    async (tables, { size }) => {
      await insert(tables, size, forgedBody);
      await recompute(tables, 'roots');
      const [head] = await tables.rows('select * from audit_head where size = ?', size);
      await insertHead(tables, size + 1, await rootIn(tables), head?.['signature'] as Buffer);
    },
  ),
  forgery(
    'a record is added behind the last one, and signed by another key',
    ['bad_signature'],
    async (tables, { size }) => {
      await insert(tables, size, forgedBody);
      await recompute(tables, 'sign');
    },
  ),
  forgery('a record stands before the first one', ['altered'], (tables) =>
    insert(tables, -1, forgedBody),
  ),
  forgery('the newest records are deleted', ['gap'], ({ rows }, { size, dice }) =>
    rows('delete from audit_record where seq >= ?', size - 1 - dice(50)),
  ),
  {
    name: 'the log is rolled back to an earlier state in all tables',
    breach: ['truncated'],
    needsCheckpoint: true,
    forge: rollBack,
  },
  forgery(
    'the log is rolled back, but for its row',
    ['altered', 'truncated'],
    async (tables, { dice }) => {
      const [row] = await tables.rows('select size, frontier from audit_log');
      await rollBack(tables, dice);
      const values = [Number(row?.['size']), row?.['frontier'] as Buffer];
      await tables.rows('update audit_log set size = ?, frontier = ?', ...values);
    },
  ),
  forgery('all records are deleted', ['gap'], 'delete from audit_record'),
  forgery('all heads are deleted', ['gap'], 'delete from audit_head'),
  forgery('the newest head is deleted', ['altered'], `delete from audit_head ${newestHead}`),
  forgery(
    'the root of a head is altered',
    ['altered', 'bad_signature'],
    async (tables, { dice }) => {
      const size = await chooseHead(tables, dice);
      await tables.rows('update audit_head set root = ? where size = ?', randomBytes(32), size);
    },
  ),
  forgery('the signature of the newest head is altered', ['bad_signature'], ({ rows }) =>
    rows(`update audit_head set signature = ? ${newestHead}`, randomBytes(68)),
  ),
  forgery('a head is forged beyond the end', ['gap', 'bad_signature'], (tables, { size }) =>
    insertHead(tables, size + 5, randomBytes(32), randomBytes(68)),
  ),
  forgery('a node is deleted', ['altered'], 'delete from audit_node where level = 8 and place = 0'),
  forgery('a node is altered', ['altered'], ({ rows }, { dice }) =>
    rows(
      'update audit_node set hash = ? where level = 8 and place = ?',
      ...[randomBytes(32), dice(2)],
    ),
  ),
  forgery('a node is added where the log will have one', ['altered'], async (tables) => {
    const [log] = await tables.rows('select * from audit_log');
    await insertRow(tables, 'audit_node', log, { level: 8, place: 2, hash: randomBytes(32) });
  }),
  forgery('a column beside a record is altered', ['altered'], ({ rows }, { seq, dice }) => {
    const column = ['recorded_at_us', 'team_id', 'actor_id', 'operation', 'decision'][dice(5)];
    const value = column === 'recorded_at_us' ? 1 : 'another';
    return rows(`update audit_record set ${column} = ? where seq = ?`, value, seq);
  }),
  forgery('a column beside a record is emptied', ['altered'], ({ rows }, { seq, dice }) => {
    const column = ['recorded_at_us', 'operation', 'decision'][dice(3)];
    return rows(`update audit_record set ${column} = null where seq = ?`, seq);
  }),
  forgery(
    'a patient is taken from a record, or another put in',
    ['altered'],
    ({ rows }, { dice }) =>
      rows(
        `update audit_record set patient = ? ${firstWith('patient')}`,
        dice(2) === 0 ? null : randomBytes(16),
      ),
  ),
  forgery('the patients of a record are altered', ['altered'], ({ rows }) =>
    rows(`update audit_record set patients = ? ${firstWith('patients')}`, randomBytes(32)),
  ),
  forgery('the frontier is altered', ['altered'], async ({ rows }) => {
    const [log] = await rows('select frontier from audit_log');
    const { length } = log?.['frontier'] as Buffer;
    await rows('update audit_log set frontier = ?', randomBytes(length));
  }),
  forgery('the size is altered', ['altered'], ({ rows }, { dice }) =>
    rows(`update audit_log set size = size ${dice(2) === 0 ? '-' : '+'} 1`),
  ),
  forgery('the public key is replaced', ['bad_signature'], async (tables) =>
    tables.rows('update audit_log set public_key = ?', await otherPublicKey(tables)),
  ),
  forgery(
    'the log has another name',
    ['bad_signature', 'gap'],
    `update audit_log set name = 'other.example/audit/0123456789ab'`,
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
  forgery(
    'a change of the key is added at the end',
    ['bad_signature'],
    async (tables, { size }) => {
      const { body } = await keyChange(tables);
      const [log] = await tables.rows('select public_key from audit_log');
      const { details } = JSON.parse(body) as { details: Row };
      const key = await otherPublicKey(tables);
      const forged = body
        .replace(String(details['public_key']), key)
        .replace(String(details['old_public_key']), String(log?.['public_key']));
      await insert(tables, size, forged);
      await recompute(tables, 'sign newest');
      await tables.rows('update audit_log set public_key = ?', key);
    },
  ),
  forgery(
    'the head of the change of the key is deleted',
    ['bad_signature'],
    async (tables) =>
      await tables.rows('delete from audit_head where size = ?', (await keyChange(tables)).seq + 1),
  ),
  forgery('the row of the log is deleted', ['gap'], 'delete from audit_log'),
];
