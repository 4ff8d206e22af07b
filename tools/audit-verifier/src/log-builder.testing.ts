// Writes audit logs as docs/audit-log.md describes them, with SQL and node:crypto alone.
import { generateKeyPairSync, hash, type KeyObject, randomBytes, sign } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

export interface Signer {
  readonly privateKey: KeyObject;
  readonly publicKey: string;
  readonly keyId: Buffer;
}
export type Body = Readonly<Record<string, unknown>>;

export const NAME = 'clinic.example/audit/0123456789ab';
const sha256 = (...parts: Uint8Array[]): Buffer => hash('sha256', Buffer.concat(parts), 'buffer');

export function createSigner(name = NAME): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  const key = Buffer.concat([Buffer.of(1), raw]);
  const keyId = sha256(Buffer.from(`${name}\n`), key).subarray(0, 4);
  return {
    privateKey,
    publicKey: `${name}+${keyId.toString('hex')}+${key.toString('base64')}`,
    keyId,
  };
}

const SCHEMA = `
  create table audit_log (log_id text, name text, public_key text, size integer, frontier blob) strict;
  create table audit_record (seq integer primary key, salt blob, body text, recorded_at_us integer, team_id text,
    actor_id text, operation text, decision text, patient blob, patients blob) strict;
  create index audit_record_operation on audit_record (operation, seq);
  create table audit_head (size integer primary key, root blob, signature blob, signed_at_us integer) strict;
  create table audit_node (level integer, place integer, hash blob, primary key (level, place)) strict, without rowid;`;
const TRIGGERS = ['audit_record', 'audit_head', 'audit_node'].flatMap((table) =>
  ['update', 'delete'].map(
    (act) =>
      `create trigger ${table}_${act} before ${act} on ${table} begin select raise(abort, 'append only'); end;`,
  ),
);

export function createLog(file: string, publicKey: string, name = NAME): DatabaseSync {
  const db = new DatabaseSync(file);
  db.exec(SCHEMA + TRIGGERS.join(''));
  const values = [name.slice(-12), name, publicKey, Buffer.alloc(0)];
  db.prepare('insert into audit_log values (?, ?, ?, 0, ?)').run(...values);
  return db;
}

/** Removes the triggers that prevent changes. */
export function dropTriggers(db: DatabaseSync): void {
  for (const { name } of db.prepare("select name from sqlite_schema where type = 'trigger'").all())
    db.exec(`drop trigger ${String(name)}`);
}

/** Computes the root as RFC 6962, 2.1 defines it. */
export function treeRoot(leaves: readonly Buffer[]): Buffer {
  if (leaves.length <= 1) return leaves[0] ?? sha256();
  const leftSize = 2 ** (31 - Math.clz32(leaves.length - 1)); // the largest power of two below
  const halves = [leaves.slice(0, leftSize), leaves.slice(leftSize)].map(treeRoot);
  return sha256(Buffer.of(1), ...halves);
}

export function packId(id: string): Buffer {
  return /^[0-9a-f-]{36}$/u.test(id)
    ? Buffer.from(id.replaceAll('-', ''), 'hex')
    : sha256(Buffer.from(id)).subarray(0, 16);
}

function readRow(db: DatabaseSync, sql: string, ...values: number[]): Record<string, unknown> {
  const row = db.prepare(sql).get(...values);
  if (row === undefined) throw new Error(`No row for ${sql}`);
  return row;
}

/** Appends records, and signs one head. */
export function append(db: DatabaseSync, signer: Signer, bodies: readonly (Body | string)[]): void {
  db.exec('begin');
  const insert = db.prepare('insert into audit_record values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  let seq = Number(readRow(db, 'select count(*) as count from audit_record')['count']);
  for (const each of bodies) {
    const body = typeof each === 'string' ? each : JSON.stringify(each);
    const members = JSON.parse(body) as Record<string, string | number | string[] | null>;
    const copies = ['recorded_at_us', 'team_id', 'actor_id', 'operation', 'decision'].map(
      (name) => (members[name] ?? null) as string | null,
    );
    const listed = members['patients'] ?? [];
    const ids =
      typeof listed === 'string'
        ? Buffer.from(listed, 'base64url')
        : Buffer.concat((listed as string[]).map(packId));
    const salt = Buffer.concat([randomBytes(15), Buffer.from('\t')]);
    const patients = [ids.length === 16 ? ids : null, ids.length > 16 ? ids : null];
    insert.run(seq, salt, body, ...copies, ...patients);
    seq += 1;
  }
  writeTree(db);
  writeHead(db, signer, seq);
  db.exec('commit');
}

export function readLeaves(db: DatabaseSync): Buffer[] {
  const rows = db.prepare('select salt, body from audit_record order by seq').all();
  return rows.map(({ salt, body }) =>
    sha256(Buffer.of(0), salt as Uint8Array, Buffer.from(body as string)),
  );
}

function formatNote(name: string, size: number, root: Uint8Array, signature: Uint8Array): string {
  const [hashed, signed] = [root, signature].map((blob) => Buffer.from(blob).toString('base64'));
  return `${name}\n${String(size)}\n${hashed ?? ''}\n\n— ${name} ${signed ?? ''}\n`;
}

function signHead(root: Buffer, size: number, signer: Signer, name: string): Buffer {
  const text = `${name}\n${String(size)}\n${root.toString('base64')}\n`;
  return Buffer.concat([signer.keyId, sign(null, Buffer.from(text), signer.privateKey)]);
}

export function createNote(root: Buffer, size: number, signer: Signer, name = NAME): string {
  return formatNote(name, size, root, signHead(root, size, signer, name));
}

/** Signs a head over the first `size` records in their current state. */
export function writeHead(db: DatabaseSync, signer: Signer, size: number): void {
  const { name } = readRow(db, 'select name from audit_log');
  const root = treeRoot(readLeaves(db).slice(0, size));
  const signature = signHead(root, size, signer, String(name));
  db.prepare('insert or replace into audit_head values (?, ?, ?, 1)').run(size, root, signature);
}

/** Writes the missing nodes, and size and frontier, from the current records. */
export function writeTree(db: DatabaseSync): void {
  const leaves = readLeaves(db);
  const insert = db.prepare('insert into audit_node values (?, ?, ?)');
  const count = 'select count(*) as count from audit_node where level = ?';
  for (const level of [8, 16]) {
    const complete = Math.floor(leaves.length / 2 ** level);
    for (let place = Number(readRow(db, count, level)['count']); place < complete; place += 1) {
      const part = leaves.slice(place * 2 ** level, (place + 1) * 2 ** level);
      insert.run(level, place, treeRoot(part));
    }
  }
  const frontier: Buffer[] = [];
  for (let from = 0; from < leaves.length;) {
    const size = 2 ** Math.floor(Math.log2(leaves.length - from));
    frontier.push(treeRoot(leaves.slice(from, from + size)));
    from += size;
  }
  const update = db.prepare('update audit_log set size = ?, frontier = ?');
  update.run(leaves.length, Buffer.concat(frontier));
}

export function readNote(db: DatabaseSync, size: number): string {
  const { name } = readRow(db, 'select name from audit_log');
  const { root, signature } = readRow(db, `select * from audit_head where size = ${String(size)}`);
  return formatNote(String(name), size, root as Uint8Array, signature as Uint8Array);
}

type Line = Record<string, unknown>;

/** Returns the lines of an export, with a checkpoint at each of these sizes. */
export function exportLog(db: DatabaseSync, firstKey: string, sizes: readonly number[]): Line[] {
  const { name, size } = readRow(db, 'select name, size from audit_log');
  const lines: Line[] = [{ log: name, public_key: firstKey, size }];
  for (const row of db.prepare('select seq, salt, body from audit_record order by seq').all()) {
    const salt = Buffer.from(row['salt'] as Uint8Array).toString('hex');
    lines.push({ seq: row['seq'], salt, body: row['body'] });
    const count = Number(row['seq']) + 1;
    if (sizes.includes(count)) lines.push({ checkpoint: readNote(db, count) });
  }
  return lines;
}
