import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { signHead, VerifierKey } from '../checkpoint.ts';
import type { Breach } from '../errors.ts';
import { copyMembers, saltLength } from '../record.ts';
import { extend } from '../appender.ts';
import type { Node } from '../storage/storage.ts';
import { Frontier } from '../tree.ts';
import { auditText, members } from './audit-text.testing.ts';
import type { Row, Tables } from './log-place.testing.ts';

/** Returns a random integer from 0 to below the given one. */
type Dice = (below: number) => number;

/** A way to forge a log of about 520 records in the tables without its key. */
export interface Forgery {
  readonly name: string;
  /** What a verification with a trusted key and checkpoint may report. */
  readonly breach: readonly Breach[];
  /** Whether only a trusted checkpoint reveals the forgery, since the forged log equals an earlier state. */
  readonly needsCheckpoint?: boolean;
  readonly forge: (tables: Tables, dice: Dice) => Promise<unknown>;
}

const otherKey = generateKeyPairSync('ed25519').privateKey;
const [before, after] = auditText({ operation: 'forged' });
const forgedBody = `${before}1700000000000000${after}`;

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

async function readSize(tables: Tables): Promise<number> {
  const [row] = await tables.rows('select max(seq) + 1 as size from audit_record');
  return Number(row?.['size']);
}

async function otherPublicKey(tables: Tables): Promise<string> {
  const [log] = await tables.rows('select name from audit_log');
  return VerifierKey.fromKey(String(log?.['name']), otherKey).text;
}

async function keyChange(tables: Tables): Promise<{ readonly seq: number; readonly body: string }> {
  const [row] = await tables.rows(
    `select seq, body from audit_record where operation = 'rotateAuditKey' order by seq desc limit 1`,
  );
  return { seq: Number(row?.['seq']), body: String(row?.['body']) };
}

async function anyHead(tables: Tables, dice: Dice): Promise<number> {
  const heads = await tables.rows('select size from audit_head');
  return Number(heads[dice(heads.length)]?.['size']);
}

async function alterBody(tables: Tables, dice: Dice): Promise<void> {
  await putBody(tables, dice(await readSize(tables)), forgedBody);
}

async function putBody(tables: Tables, seq: number, body: string): Promise<void> {
  await tables.rows('delete from audit_record where seq = ?', seq);
  await insert(tables, seq, body);
}

async function insert(tables: Tables, seq: number, body: string): Promise<void> {
  const [log] = await tables.rows('select * from audit_log');
  const { time, texts, one, many } = copyMembers(body, members);
  await insertRow(tables, 'audit_record', log, {
    ...{ seq, salt: randomBytes(saltLength), body, [members.time]: time },
    ...Object.fromEntries(members.texts.map((name, at) => [name, texts[at] ?? null])),
    ...{ [members.ids.one]: one, [members.ids.many]: many },
  });
}

async function insertHead(
  tables: Tables,
  size: number,
  root: Buffer,
  signature: Buffer,
): Promise<void> {
  const [log] = await tables.rows('select * from audit_log');
  await insertRow(tables, 'audit_head', log, { size, root, signature, signed_at_us: 0 });
}

async function insertRow(
  { engine, rows }: Tables,
  table: string,
  log: Row | undefined,
  values: Readonly<Record<string, number | string | Uint8Array | null>>,
): Promise<void> {
  const row = engine === 'SQLite' ? values : { log_id: String(log?.['log_id']), ...values };
  await rows(
    `insert into ${table} (${Object.keys(row).join()}) values (${Object.keys(row)
      .map(() => '?')
      .join()})`,
    ...Object.values(row),
  );
}

async function shift({ rows }: Tables, from: number, by: 1 | -1): Promise<void> {
  // Negative numbers avoid conflicts while the rows are renumbered.
  await rows('update audit_record set seq = -seq - 10 where seq >= ?', from);
  await rows(`update audit_record set seq = -(seq + 10) + ${by} where seq <= ?`, -from - 10);
}

async function moveBoundary(tables: Tables, dice: Dice, by: 1 | -1): Promise<void> {
  const seq = dice(await readSize(tables));
  const [row] = await tables.rows('select salt, body from audit_record where seq = ?', seq);
  const salt = Buffer.from(row?.['salt'] as Buffer);
  if (by < 0) {
    // Replaces the byte by a character, which may have another encoding.
    await put(
      tables,
      seq,
      salt.subarray(0, -1),
      salt.subarray(-1).toString() + String(row?.['body']),
    );
  } else {
    const body = Buffer.from(String(row?.['body']));
    await put(tables, seq, Buffer.concat([salt, body.subarray(0, 1)]), body.subarray(1).toString());
  }
}

async function put(
  { rows, engine }: Tables,
  seq: number,
  salt: Buffer,
  body: string,
): Promise<void> {
  const text = engine === 'PostgreSQL' ? body.replaceAll('\0', '0') : body;
  await rows('update audit_record set salt = ?, body = ? where seq = ?', salt, text, seq);
}

async function rollBack(tables: Tables, dice: Dice): Promise<void> {
  const sizes = (await tables.rows('select size from audit_head order by size desc limit 6')).map(
    (row) => Number(row['size']),
  );
  const size = sizes[1 + dice(sizes.length - 1)] as number;
  await tables.rows('delete from audit_record where seq >= ?', size);
  await tables.rows('delete from audit_head where size > ?', size);
  await tables.rows('delete from audit_node where level = 8 and (place + 1) * 256 > ?', size);
  const tree = await growTree(tables, () => Promise.resolve());
  await tables.rows('update audit_log set size = ?, frontier = ?', size, tree.bytes());
}

async function growTree(
  { rows }: Tables,
  grown: (tree: Frontier, nodes: Node[]) => Promise<void>,
): Promise<Frontier> {
  const tree = new Frontier();
  for (const row of await rows('select seq, salt, body from audit_record order by seq')) {
    const salt = Buffer.from(row['salt'] as Buffer);
    const nodes: Node[] = [];
    extend(tree, { seq: Number(row['seq']), salt, body: String(row['body']) }, nodes);
    await grown(tree, nodes);
  }
  return tree;
}

async function rootIn(tables: Tables): Promise<Buffer> {
  return (await growTree(tables, () => Promise.resolve())).root();
}

/** Recomputes nodes, frontier and the roots of the heads from the records. `sign` signs the heads with another key. */
async function recompute(tables: Tables, how: 'roots' | 'sign' | 'sign newest'): Promise<void> {
  const { rows } = tables;
  const [log] = await rows('select * from audit_log');
  const sizes = new Set(
    (await rows('select size from audit_head')).map((row) => Number(row['size'])),
  );
  const end = await readSize(tables);
  const key = VerifierKey.fromKey(String(log?.['name']), otherKey);
  await rows('delete from audit_node');
  const tree = await growTree(tables, async (now, nodes) => {
    for (const node of nodes) {
      await insertRow(tables, 'audit_node', log, { ...node });
    }
    const isSigned = how === 'sign' || (how === 'sign newest' && now.size === end);
    if (!sizes.has(now.size) && !(isSigned && now.size === end)) {
      return;
    }
    const root = now.root();
    if (isSigned) {
      const { signature } = signHead({ size: now.size, root }, otherKey, key);
      await rows('delete from audit_head where size = ?', now.size);
      await insertHead(tables, now.size, root, signature);
    } else {
      await rows('update audit_head set root = ? where size = ?', root, now.size);
    }
  });
  await rows('update audit_log set size = ?, frontier = ?', tree.size, tree.bytes());
}
