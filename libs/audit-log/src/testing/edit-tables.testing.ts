import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { extend } from '../appender.ts';
import { signHead, VerifierKey } from '../checkpoint.ts';
import { copyMembers, saltLength } from '../record.ts';
import type { Node } from '../storage/storage.ts';
import { Frontier } from '../tree.ts';
import { auditText, members } from './audit-text.testing.ts';
import type { Row, Tables } from './log-place.testing.ts';

/** Returns a random integer from 0 to below the given one. */
export type Dice = (below: number) => number;

const otherKey = generateKeyPairSync('ed25519').privateKey;
const [before, after] = auditText({ operation: 'forged' });
export const forgedBody = `${before}1700000000000000${after}`;

export async function readSize(tables: Tables): Promise<number> {
  const [row] = await tables.rows('select max(seq) + 1 as size from audit_record');
  return Number(row?.['size']);
}

export async function otherPublicKey(tables: Tables): Promise<string> {
  const [log] = await tables.rows('select name from audit_log');
  return VerifierKey.fromKey(String(log?.['name']), otherKey).text;
}

export async function keyChange(
  tables: Tables,
): Promise<{ readonly seq: number; readonly body: string }> {
  const [row] = await tables.rows(
    `select seq, body from audit_record where operation = 'rotateAuditKey' order by seq desc limit 1`,
  );
  return { seq: Number(row?.['seq']), body: String(row?.['body']) };
}

export async function chooseHead(tables: Tables, dice: Dice): Promise<number> {
  const heads = await tables.rows('select size from audit_head');
  return Number(heads[dice(heads.length)]?.['size']);
}

export async function putBody(tables: Tables, seq: number, body: string): Promise<void> {
  await tables.rows('delete from audit_record where seq = ?', seq);
  await insert(tables, seq, body);
}

export async function insert(tables: Tables, seq: number, body: string): Promise<void> {
  const [log] = await tables.rows('select * from audit_log');
  const { time, texts, one, many } = copyMembers(body, members);
  await insertRow(tables, 'audit_record', log, {
    ...{ seq, salt: randomBytes(saltLength), body, [members.time]: time },
    ...Object.fromEntries(members.texts.map((name, at) => [name, texts[at] ?? null])),
    ...{ [members.ids.one]: one, [members.ids.many]: many },
  });
}

export async function insertHead(
  tables: Tables,
  size: number,
  root: Buffer,
  signature: Buffer,
): Promise<void> {
  const [log] = await tables.rows('select * from audit_log');
  await insertRow(tables, 'audit_head', log, { size, root, signature, signed_at_us: 0 });
}

export async function insertRow(
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

export async function shift({ rows }: Tables, from: number, by: 1 | -1): Promise<void> {
  // Negative numbers avoid conflicts while the rows are renumbered.
  await rows('update audit_record set seq = -seq - 10 where seq >= ?', from);
  await rows(`update audit_record set seq = -(seq + 10) + ${by} where seq <= ?`, -from - 10);
}

export async function moveBoundary(tables: Tables, seq: number, by: 1 | -1): Promise<void> {
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

export async function rollBack(tables: Tables, dice: Dice): Promise<void> {
  const sizes = (await tables.rows('select size from audit_head order by size desc limit 6')).map(
    (row) => Number(row['size']),
  );
  const size = sizes[1 + dice(sizes.length - 1)] as number;
  await tables.rows('delete from audit_record where seq >= ?', size);
  await tables.rows('delete from audit_head where size > ?', size);
  await tables.rows('delete from audit_node where level = 8 and (place + 1) * 256 > ?', size);
  const tree = await growTree(tables);
  await tables.rows('update audit_log set size = ?, frontier = ?', size, tree.toBytes());
}

async function growTree(
  { rows }: Tables,
  grown?: (tree: Frontier, nodes: Node[]) => Promise<void>,
): Promise<Frontier> {
  const tree = new Frontier();
  for (const row of await rows('select seq, salt, body from audit_record order by seq')) {
    const salt = Buffer.from(row['salt'] as Buffer);
    const nodes: Node[] = [];
    extend(tree, { seq: Number(row['seq']), salt, body: String(row['body']) }, nodes);
    await grown?.(tree, nodes);
  }
  return tree;
}

export async function rootIn(tables: Tables): Promise<Buffer> {
  return (await growTree(tables)).computeRoot();
}

/** Recomputes nodes, frontier and the roots of the heads from the records. `sign` signs the heads with another key. */
export async function recompute(
  tables: Tables,
  how: 'roots' | 'sign' | 'sign newest',
): Promise<void> {
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
    const root = now.computeRoot();
    if (isSigned) {
      const { signature } = signHead({ size: now.size, root }, otherKey, key);
      await rows('delete from audit_head where size = ?', now.size);
      await insertHead(tables, now.size, root, signature);
    } else {
      await rows('update audit_head set root = ? where size = ?', root, now.size);
    }
  });
  await rows('update audit_log set size = ?, frontier = ?', tree.size, tree.toBytes());
}
