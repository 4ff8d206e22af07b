import { randomBytes, type KeyObject } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { signCheckpoint } from './log/checkpoint.ts';
import { Frontier, leafHash } from './log/tree.ts';

/** A source of numbers from 0 to below `below`. */
export type Dice = (below: number) => number;

export interface Forger {
  readonly db: DatabaseSync;
  readonly dice: Dice;
  readonly size: number;
  readonly origin: string;
  /** The log's own key, as if it were stolen. */
  readonly key: KeyObject;
}

export function edited(db: DatabaseSync, seq: number, dice: Dice): [body: string, seq: number] {
  const body = String(db.prepare('select body from audit_event where seq = ?').get(seq)?.['body']);
  const changes: [RegExp, string][] = [
    [/"decision":"[a-z]+"/u, '"decision":"denied"'],
    [/"actor_id":"[^"]*"/u, '"actor_id":"somebody else"'],
    [/"recorded_at_us":\d+/u, '"recorded_at_us":1700000000000000'],
    [/"operation":"[a-zA-Z]+"/u, '"operation":"somethingElse"'],
    [/"patients":\[[^\]]*\]/u, '"patients":["00000000-0000-4000-8000-000000000001"]'],
    // The same value, written in another way.
    [/^\{/u, '{ '],
  ];
  const [what, by] = changes[dice(changes.length)] as [RegExp, string];
  return [body.replace(what, by), seq];
}

export function editWithHash({ db, dice, size }: Forger): void {
  const [body, seq] = edited(db, dice(size), dice);
  const salt = randomBytes(16);
  db.prepare('update audit_event set body = ?, salt = ?, leaf_hash = ? where seq = ?').run(
    body,
    salt,
    leafHash(salt, Buffer.from(body)),
    seq,
  );
}

export function swap({ db, dice, size }: Forger): void {
  const one = dice(size);
  const other = (one + 1 + dice(size - 1)) % size;
  db.exec(`
    update audit_event set seq = 1000001 where seq = ${one};
    update audit_event set seq = ${one} where seq = ${other};
    update audit_event set seq = ${other} where seq = 1000001;
    update audit_patient set seq = 1000001 where seq = ${one};
    update audit_patient set seq = ${one} where seq = ${other};
    update audit_patient set seq = ${other} where seq = 1000001`);
}

export function insert({ db, origin }: Forger, seq: number): void {
  shift(db, seq, 1);
  const source = db.prepare('select body from audit_event where seq >= 0 limit 1').get();
  const body = String(source?.['body'] ?? `{"log_id":"${origin.split('/').at(-1) ?? ''}"}`)
    .replace(/"seq":\d+/u, `"seq":${seq}`)
    .replace(/"patients":\[[^\]]*\]/u, '"patients":[]');
  const salt = randomBytes(16);
  db.prepare('insert into audit_event (seq, leaf_hash, salt, body) values (?, ?, ?, ?)').run(
    seq,
    leafHash(salt, Buffer.from(body)),
    salt,
    body,
  );
}

export function remove(db: DatabaseSync, seq: number): void {
  db.exec(
    `delete from audit_event where seq = ${seq}; delete from audit_patient where seq = ${seq}`,
  );
}

/** Renumbers the records from `seq` on, by way of numbers that are free. */
export function shift(db: DatabaseSync, seq: number, by: number): void {
  const far = 1_000_000;
  for (const table of ['audit_event', 'audit_patient']) {
    db.exec(`update ${table} set seq = seq + ${far} where seq >= ${seq};
             update ${table} set seq = seq - ${far} + ${by} where seq >= ${far}`);
  }
}

export function cutOff({ db, dice, size }: Forger): void {
  const from = dice(size);
  db.exec(
    `delete from audit_event where seq >= ${from}; delete from audit_patient where seq >= ${from}`,
  );
}

/** Makes nodes and head anew, and the checkpoints too where there is a key to sign them. */
export function rebuild({ db, origin }: Forger, key?: KeyObject): void {
  db.exec('delete from audit_node; delete from audit_head');
  const signed = new Set(
    db
      .prepare('select size from audit_checkpoint')
      .all()
      .map((row) => Number(row['size'])),
  );
  if (key !== undefined) {
    db.exec('delete from audit_checkpoint');
  }
  const tree = new Frontier();
  const node = db.prepare('insert into audit_node (level, idx, hash) values (?, ?, ?)');
  const note = db.prepare('insert into audit_checkpoint (size, note) values (?, ?)');
  const sign = (): void => {
    const { size } = tree;
    if (key !== undefined && signed.has(size)) {
      note.run(size, signCheckpoint({ origin, size, root: tree.root() }, key));
    }
  };
  sign();
  for (const row of db.prepare('select leaf_hash from audit_event order by seq').all()) {
    tree.append(Buffer.from(row['leaf_hash'] as Uint8Array), (level, index, hash) => {
      node.run(level, index, hash);
    });
    sign();
  }
  db.prepare('insert into audit_head (one, size, frontier) values (1, ?, ?)').run(
    tree.size,
    tree.toBytes(),
  );
}

export function flipIn(db: DatabaseSync, dice: Dice, where: string, column: string): void {
  const [table = '', condition = '1'] = where.split(' where ');
  const row = db.prepare(`select ${column} as bytes from ${table} where ${condition}`).get();
  const bytes = Buffer.from(row?.['bytes'] as Uint8Array);
  const bit = dice(bytes.length * 8);
  bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
  db.prepare(`update ${table} set ${column} = ? where ${condition}`).run(bytes);
}

export function somePatient(db: DatabaseSync, dice: Dice): { seq: number; userId: string } {
  const rows = db.prepare('select seq, user_id from audit_patient').all();
  const row = rows[dice(rows.length)];
  return { seq: Number(row?.['seq']), userId: String(row?.['user_id']) };
}

export function someNode(db: DatabaseSync, dice: Dice): { level: number; idx: number } {
  const rows = db.prepare('select level, idx from audit_node').all();
  const row = rows[dice(rows.length)];
  return { level: Number(row?.['level']), idx: Number(row?.['idx']) };
}

export function someCheckpoint(db: DatabaseSync, dice: Dice): { size: number; note: string } {
  const rows = db.prepare('select size, note from audit_checkpoint').all();
  const row = rows[dice(rows.length)];
  return { size: Number(row?.['size']), note: String(row?.['note']) };
}
