import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { signHead, VerifierKey } from '../checkpoint.ts';
import type { Breach } from '../errors.ts';
import { copyMembers, saltLength } from '../record.ts';
import { extend } from '../appender.ts';
import type { Node } from '../storage/storage.ts';
import { Frontier } from '../tree.ts';
import { auditText, members } from './audit-text.testing.ts';
import type { Row, Tables } from './log-place.testing.ts';

/** A way to forge a log of some 600 records in the tables, without its key. */
export interface Forgery {
  readonly name: string;
  /** What a verification with a kept checkpoint and key says. */
  readonly breach: readonly Breach[];
  /** Nothing but a kept checkpoint shows it: the log is what it was earlier. */
  readonly needsKept?: boolean;
  /** The records are what they were: readers may go on. */
  readonly keepsRecords?: boolean;
  /** @param dice a number from 0 to below the given one */
  readonly forge: (tables: Tables, dice: (below: number) => number) => Promise<unknown>;
}

const otherKey = generateKeyPairSync('ed25519').privateKey;
const [before, after] = auditText({ operation: 'forged' });
const forgedBody = `${before}1700000000000000${after}`;

export const forgeries: readonly Forgery[] = [
  {
    name: 'a body is altered, and the columns beside it',
    breach: ['altered'],
    forge: async (tables, dice) => {
      await putBody(tables, dice(await readSize(tables)), forgedBody);
    },
  },
  {
    name: 'a body is altered, and everything computed again from it, unsigned',
    breach: ['altered', 'bad_signature'],
    forge: async (tables, dice) => {
      await putBody(tables, dice(await readSize(tables)), forgedBody);
      await recompute(tables, 'roots');
    },
  },
  {
    name: 'a body is altered, and all heads signed by another key',
    breach: ['bad_signature'],
    forge: async (tables, dice) => {
      await putBody(tables, dice(await readSize(tables)), forgedBody);
      await recompute(tables, 'sign');
    },
  },
  {
    name: 'the log is signed anew by another key, which the tables name',
    breach: ['bad_signature'],
    forge: async (tables, dice) => {
      await putBody(tables, dice(await readSize(tables)), forgedBody);
      await recompute(tables, 'sign');
      await tables.rows('update audit_log set public_key = ?', await otherPublicKey(tables));
    },
  },
  {
    name: 'a salt is altered',
    breach: ['altered'],
    forge: async (tables, dice) =>
      await tables.rows(
        'update audit_record set salt = ? where seq = ?',
        randomBytes(saltLength),
        dice(await readSize(tables)),
      ),
  },
  {
    name: 'the first byte of a body moves into the salt',
    breach: ['altered'],
    forge: (tables, dice) => moveBoundary(tables, dice, 1),
  },
  {
    name: 'the last byte of a salt moves into the body',
    breach: ['altered'],
    forge: async (tables, dice) => {
      // A salt that ends with text, as one in 500 does.
      await moveBoundary(tables, dice, -1);
    },
  },
  {
    name: 'a record is deleted',
    breach: ['gap', 'altered'],
    forge: async (tables, dice) =>
      await tables.rows('delete from audit_record where seq = ?', dice(await readSize(tables))),
  },
  {
    name: 'a record is deleted, and those behind it move up',
    breach: ['altered', 'gap', 'bad_signature'],
    forge: async (tables, dice) => {
      const at = dice((await readSize(tables)) - 1);
      await tables.rows('delete from audit_record where seq = ?', at);
      await shift(tables, at, -1);
      await recompute(tables, 'roots');
    },
  },
  {
    name: 'a record is put in, and those behind it move down',
    breach: ['altered'],
    forge: async (tables, dice) => {
      const at = dice(await readSize(tables));
      await shift(tables, at, 1);
      await insert(tables, at, forgedBody);
      await recompute(tables, 'roots');
    },
  },
  {
    name: 'two records change places',
    breach: ['altered'],
    forge: async (tables, dice) => {
      const one = dice((await readSize(tables)) - 1);
      await tables.rows('update audit_record set seq = -9 where seq = ?', one);
      await tables.rows('update audit_record set seq = ? where seq = ?', one, one + 1);
      await tables.rows('update audit_record set seq = ? where seq = -9', one + 1);
    },
  },
  {
    name: 'a record is added behind the last one',
    breach: ['altered'],
    keepsRecords: true,
    forge: async (tables) => {
      await insert(tables, await readSize(tables), forgedBody);
    },
  },
  {
    name: 'a record is added behind the last one, with its size, frontier and a head of the signature before',
    breach: ['bad_signature'],
    forge: async (tables) => {
      const size = await readSize(tables);
      await insert(tables, size, forgedBody);
      await recompute(tables, 'roots');
      const [head] = await tables.rows('select * from audit_head where size = ?', size);
      await insertHead(tables, size + 1, await rootIn(tables), head?.['signature'] as Buffer);
    },
  },
  {
    name: 'a record is added behind the last one, and signed by another key',
    breach: ['bad_signature'],
    forge: async (tables) => {
      await insert(tables, await readSize(tables), forgedBody);
      await recompute(tables, 'sign');
    },
  },
  {
    name: 'a record stands before the first one',
    breach: ['altered'],
    keepsRecords: true,
    forge: (tables) => insert(tables, -1, forgedBody),
  },
  {
    name: 'the newest records are deleted',
    breach: ['gap'],
    forge: async (tables, dice) =>
      await tables.rows(
        'delete from audit_record where seq >= ?',
        (await readSize(tables)) - 1 - dice(50),
      ),
  },
  {
    name: 'the log is rolled back to an earlier state in all tables',
    breach: ['truncated'],
    needsKept: true,
    forge: rollBack,
  },
  {
    name: 'the log is rolled back, but for its row',
    breach: ['altered', 'truncated'],
    forge: async (tables, dice) => {
      const [row] = await tables.rows('select size, frontier from audit_log');
      await rollBack(tables, dice);
      await tables.rows(
        'update audit_log set size = ?, frontier = ?',
        Number(row?.['size']),
        row?.['frontier'] as Buffer,
      );
    },
  },
  {
    name: 'all records are deleted',
    breach: ['gap'],
    forge: (tables) => tables.rows('delete from audit_record'),
  },
  {
    name: 'all heads are deleted',
    breach: ['gap'],
    forge: (tables) => tables.rows('delete from audit_head'),
  },
  {
    name: 'the newest head is deleted',
    breach: ['altered'],
    forge: (tables) =>
      tables.rows('delete from audit_head where size = (select max(size) from audit_head)'),
  },
  {
    name: 'the root of a head is altered',
    breach: ['altered', 'bad_signature'],
    keepsRecords: true,
    forge: async (tables, dice) => {
      const size = await anyHead(tables, dice);
      await tables.rows('update audit_head set root = ? where size = ?', randomBytes(32), size);
    },
  },
  {
    name: 'the signature of the newest head is altered',
    breach: ['bad_signature'],
    forge: (tables) =>
      tables.rows(
        'update audit_head set signature = ? where size = (select max(size) from audit_head)',
        randomBytes(68),
      ),
  },
  {
    name: 'a head is forged beyond the end',
    breach: ['gap', 'bad_signature'],
    forge: async (tables) => {
      await insertHead(tables, (await readSize(tables)) + 5, randomBytes(32), randomBytes(68));
    },
  },
  {
    name: 'a node is deleted',
    breach: ['altered'],
    forge: (tables) => tables.rows('delete from audit_node where level = 8 and place = 0'),
    keepsRecords: true,
  },
  {
    name: 'a node is altered',
    breach: ['altered'],
    forge: (tables, dice) =>
      tables.rows(
        'update audit_node set hash = ? where level = 8 and place = ?',
        randomBytes(32),
        dice(2),
      ),
    keepsRecords: true,
  },
  {
    name: 'a node is added where the log will have one',
    breach: ['altered'],
    forge: async (tables) => {
      const [log] = await tables.rows('select * from audit_log');
      await insertRow(tables, 'audit_node', log, { level: 8, place: 2, hash: randomBytes(32) });
    },
    keepsRecords: true,
  },
  {
    name: 'a column beside a record is altered',
    breach: ['altered'],
    keepsRecords: true,
    forge: async (tables, dice) => {
      const column = ['recorded_at_us', 'team_id', 'actor_id', 'operation', 'decision'][dice(5)];
      const value = column === 'recorded_at_us' ? 1 : 'another';
      await tables.rows(
        `update audit_record set ${column} = ? where seq = ?`,
        value,
        dice(await readSize(tables)),
      );
    },
  },
  {
    name: 'a column beside a record is emptied',
    breach: ['altered'],
    keepsRecords: true,
    forge: async (tables, dice) => {
      const column = ['recorded_at_us', 'operation', 'decision'][dice(3)];
      await tables.rows(
        `update audit_record set ${column} = null where seq = ?`,
        dice(await readSize(tables)),
      );
    },
  },
  {
    name: 'a patient is taken from a record, or another put in',
    breach: ['altered'],
    keepsRecords: true,
    forge: (tables, dice) =>
      tables.rows(
        `update audit_record set patient = ? where seq = (select min(seq) from audit_record where patient is not null)`,
        dice(2) === 0 ? null : randomBytes(16),
      ),
  },
  {
    name: 'the patients of a record are altered',
    breach: ['altered'],
    keepsRecords: true,
    forge: (tables) =>
      tables.rows(
        `update audit_record set patients = ? where seq = (select min(seq) from audit_record where patients is not null)`,
        randomBytes(32),
      ),
  },
  {
    name: 'the frontier is altered',
    breach: ['altered'],
    keepsRecords: true,
    forge: async (tables) => {
      const [log] = await tables.rows('select frontier from audit_log');
      const length = (log?.['frontier'] as Buffer).length;
      await tables.rows('update audit_log set frontier = ?', randomBytes(length));
    },
  },
  {
    name: 'the size is altered',
    breach: ['altered'],
    keepsRecords: true,
    forge: (tables, dice) =>
      tables.rows(`update audit_log set size = size ${dice(2) === 0 ? '-' : '+'} 1`),
  },
  {
    name: 'the public key is replaced',
    breach: ['bad_signature'],
    keepsRecords: true,
    forge: async (tables) =>
      await tables.rows('update audit_log set public_key = ?', await otherPublicKey(tables)),
  },
  {
    name: 'the log has another name',
    breach: ['bad_signature', 'gap'],
    forge: (tables) =>
      tables.rows(`update audit_log set name = 'other.example/audit/0123456789ab'`),
    keepsRecords: true,
  },
  {
    name: 'the change of the key names another key',
    breach: ['altered', 'bad_signature'],
    forge: async (tables) => {
      const { seq, body } = await keyChange(tables);
      const key = await otherPublicKey(tables);
      const old = String((JSON.parse(body) as { details: Row }).details['public_key']);
      await putBody(tables, seq, body.replace(old, key));
      await recompute(tables, 'sign');
      await tables.rows('update audit_log set public_key = ?', key);
    },
  },
  {
    name: 'a change of the key is added at the end',
    breach: ['bad_signature'],
    forge: async (tables) => {
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
    },
  },
  {
    name: 'the head of the change of the key is deleted',
    breach: ['bad_signature'],
    keepsRecords: true,
    forge: async (tables) =>
      await tables.rows('delete from audit_head where size = ?', (await keyChange(tables)).seq + 1),
  },
  {
    name: 'the row of the log is deleted',
    breach: ['gap'],
    forge: (tables) => tables.rows('delete from audit_log'),
  },
];

async function readSize(tables: Tables): Promise<number> {
  const [row] = await tables.rows('select max(seq) + 1 as size from audit_record');
  return Number(row?.['size']);
}

async function otherPublicKey(tables: Tables): Promise<string> {
  const [log] = await tables.rows('select name from audit_log');
  return VerifierKey.of(String(log?.['name']), otherKey).text;
}

async function keyChange(tables: Tables): Promise<{ readonly seq: number; readonly body: string }> {
  const [row] = await tables.rows(
    `select seq, body from audit_record where operation = 'rotateAuditKey' order by seq desc limit 1`,
  );
  return { seq: Number(row?.['seq']), body: String(row?.['body']) };
}

async function anyHead(tables: Tables, dice: (below: number) => number): Promise<number> {
  const heads = await tables.rows('select size from audit_head');
  return Number(heads[dice(heads.length)]?.['size']);
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
  values: Readonly<Record<string, number | string | Buffer | null>>,
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
  // Past each other without meeting.
  await rows('update audit_record set seq = -seq - 10 where seq >= ?', from);
  await rows(`update audit_record set seq = -(seq + 10) + ${by} where seq <= ?`, -from - 10);
}

async function moveBoundary(
  tables: Tables,
  dice: (below: number) => number,
  by: 1 | -1,
): Promise<void> {
  const seq = dice(await readSize(tables));
  const [row] = await tables.rows('select salt, body from audit_record where seq = ?', seq);
  const salt = Buffer.from(row?.['salt'] as Buffer);
  if (by < 0) {
    // The byte as a character of its own, which may have another code.
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

/** As if the log had ended at an earlier head. */
async function rollBack(tables: Tables, dice: (below: number) => number): Promise<void> {
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

/** Makes nodes, frontier and the roots of the heads those of the records; `sign` signs the heads by another key. */
async function recompute(tables: Tables, how: 'roots' | 'sign' | 'sign newest'): Promise<void> {
  const { rows } = tables;
  const [log] = await rows('select * from audit_log');
  const sizes = new Set(
    (await rows('select size from audit_head')).map((row) => Number(row['size'])),
  );
  const end = await readSize(tables);
  const key = VerifierKey.of(String(log?.['name']), otherKey);
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
