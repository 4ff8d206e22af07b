#!/usr/bin/env -S node --disable-warning=ExperimentalWarning
// Verifies a Caregate audit log with Node alone. It shares no code with the service that wrote the log.
//   node verify.mjs AUDIT.db|EXPORT.ndjson PUBLIC-KEY-FILE-OR-TEXT [CHECKPOINT-FILE ...]
// docs/audit-log.md describes the format of the log and the exit codes.
import { createHash, createPublicKey, hash, verify } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, realpathSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const sha256 = (bytes) => hash('sha256', bytes, 'buffer');
const nodeHash = (left, right) => sha256(Buffer.concat([Buffer.of(1), left, right], 65));
export const leafHash = (salt, body) =>
  createHash('sha256').update(Buffer.of(0)).update(salt).update(body).digest();

/** The tree of RFC 6962, 2.1. It only stores the roots of its largest complete subtrees. */
export class GrowingTree {
  size = 0;
  frontier = [];
  onNode = () => {};
  add(leaf) {
    let [node, place] = [leaf, this.size];
    for (let level = 1; place % 2 === 1; level += 1) {
      place = (place - 1) / 2;
      node = nodeHash(this.frontier.pop(), node);
      this.onNode(level, place, node);
    }
    this.frontier.push(node);
    this.size += 1;
  }
  root() {
    return this.size === 0 ? sha256('') : this.frontier.reduceRight((a, b) => nodeHash(b, a));
  }
}

/** Parses `<name>+<key ID>+<base64 of 0x01 and an Ed25519 key>` (C2SP); returns undefined for any other text. */
function parseKey(text) {
  const [, name, id, base64 = ''] = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/u.exec(text) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  const keyId = sha256(Buffer.concat([Buffer.from(`${name}\n`), bytes])).subarray(0, 4);
  if (bytes.length !== 33 || bytes[0] !== 1 || keyId.toString('hex') !== id) return undefined;
  const key = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), bytes.subarray(1)]);
  return { name, keyId, key: createPublicKey({ key, format: 'der', type: 'spki' }) };
}

/** Reads a checkpoint (C2SP tlog-checkpoint), or returns undefined if the key didn't sign it. */
export function openCheckpoint(note, publicKey) {
  const signer = parseKey(publicKey.trim());
  const [, text, name, size, root] = /^((.+)\n(\d+)\n(.+)\n(?:.+\n)*)\n/u.exec(note) ?? [];
  if (signer === undefined || signer.name !== name) return undefined;
  const lines = note.split('\n').filter((line) => line.startsWith(`— ${name} `));
  const isSigned = lines
    .map((line) => Buffer.from(line.slice(name.length + 3), 'base64'))
    .filter((bytes) => bytes.subarray(0, 4).equals(signer.keyId))
    .some((bytes) => verify(null, Buffer.from(text), signer.key, bytes.subarray(4)));
  return isSigned ? { size: Number(size), root: Buffer.from(root, 'base64') } : undefined;
}

/** Ends the verification with this exit code and sentence if something is wrong. */
function check(isGood, code, sentence) {
  if (!isGood) throw Object.assign(new Error(sentence), { code });
}
function toVerdict({ code, message }) {
  return typeof code === 'number' ? [code, message] : [1, `Could not be read: ${message}`];
}
function parseObject(text) {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Verifies the row of a log, and then its records and heads in their order. */
async function verifyLog(read, publicKeys, notes) {
  const tree = new GrowingTree();
  const entries = read(tree);
  const { name, public_key: storedKey = '', ...log } = (await entries.next()).value ?? {};
  check(name !== undefined, 1, 'This is neither an audit database nor an export');
  const givenKeys = publicKeys.trim().split(/\s+/u);
  const roots = new Map(notes.map((note) => [note.split('\n')[1], tree.root()]));
  const changes = []; // of the key: each old key, and the size of the last tree that it signed
  let [key, isChangeSigned, newest, leftOut] = [undefined, true, undefined, 0];
  const signer = (size) => changes.find(({ last }) => size <= last)?.old ?? key ?? storedKey;
  const isSigned = (note, keys) => keys.some((each) => openCheckpoint(note, each) !== undefined);
  for await (const { note, leaf, body } of entries) {
    const count = tree.size;
    if (note !== undefined) {
      const [, size] = note.split('\n');
      check(!(size > count), 3, `Truncated: ${size} records were signed, ${count} are there`);
      const isSame = note.startsWith(`${name}\n${count}\n${tree.root().toString('base64')}\n`);
      check(isSame, 2, `Altered: the first ${size} records are not those of their head`);
      isChangeSigned ||= isSigned(note, [signer(count)]);
      newest = { size: count, note };
      continue;
    }
    check(isChangeSigned, 5, `The old key did not sign its change in record ${count - 1}`);
    tree.add(leaf);
    if (roots.has(String(tree.size))) roots.set(String(tree.size), tree.root());
    if (body === undefined) leftOut += 1;
    const { operation, details } = body?.startsWith('{"_log":1,') ? parseObject(body) : {};
    if (operation !== 'rotateAuditKey') continue;
    const { old_public_key: old, public_key: next } = Object(details);
    const isNext = parseKey(next)?.name === name && old === (key ?? old);
    check(isNext, 5, `Record ${count} names a wrong old or new key`);
    [key, isChangeSigned] = [next, false];
    changes.push({ old: String(old), last: tree.size });
  }
  const { size } = tree;
  check(newest !== undefined, 3, 'Truncated: there is no signed head');
  check(newest.size === size, 2, `Altered: record ${newest.size} is beyond the newest head`);
  check(isSigned(newest.note, [signer(size)]), 5, 'The newest head has no good signature');
  // A key that the last record names has signed nothing: a forger could name any key there.
  const signers = [...changes.map(({ old }) => old), signer(size)];
  const isKnown = givenKeys.some((each) => signers.includes(each));
  check(isKnown, 5, 'The log is not signed by the given public key');
  check([...signers, key].includes(storedKey), 5, 'The stored public key is none of the log');
  for (const note of notes) {
    const [origin, older, root] = note.split('\n');
    const isForeign = origin !== name && /^\S+\/audit\/[0-9a-f]{12}$/u.test(origin);
    check(!isForeign, 4, `Forked: a checkpoint is of ${origin}, and this log is ${name}`);
    check(isSigned(note, [signer(older), ...givenKeys]), 5, 'A checkpoint has a wrong signature');
    check(older <= size, 3, `Truncated: a checkpoint signed ${older} records, not ${size}`);
    const isSame = roots.get(older).toString('base64') === root;
    check(isSame, 4, `Forked: the given checkpoint of ${older} records is of another log`);
  }
  const { frontier = Buffer.concat(tree.frontier) } = log;
  const isSame = log.size === size && isCopy(frontier, Buffer.concat(tree.frontier));
  check(isSame, 2, `Altered: the stored size or frontier is not that of ${size} records`);
  const hidden = leftOut > 0 ? `; of ${leftOut} records this export has the hash alone` : '';
  return [0, `Holds: ${size} records and ${notes.length} old checkpoints${hidden}`];
}

export function verifyExport(lines, publicKeys, notes = []) {
  return verifyLog((tree) => readExport(lines, tree), publicKeys, notes).catch(toVerdict);
}
async function* readExport(lines, tree) {
  let isFirst = true;
  for await (const line of lines) {
    const read = parseObject(line);
    const { seq, salt, body, leaf_hash: leaf, checkpoint: note } = read;
    const members = Object.keys(read).sort().join();
    if (isFirst) yield { ...read, name: read.log };
    else if (members === 'checkpoint') yield { note: String(note) };
    else {
      const isLeaf = members === 'leaf_hash,seq' && /^[0-9a-f]{64}$/u.test(leaf);
      const isWhole = members === 'body,salt,seq' && /^[0-9a-f]{32}$/u.test(salt);
      const isText = isWhole && typeof body === 'string' && body.isWellFormed();
      check(isLeaf || isText, 2, `Altered: the line of record ${tree.size}`);
      check(seq === tree.size, 6, `Record ${tree.size} is missing`);
      if (isLeaf) yield { leaf: Buffer.from(leaf, 'hex') };
      else yield { leaf: leafHash(Buffer.from(salt, 'hex'), body), body };
    }
    isFirst = false;
  }
}

export function verifyDatabase(file, publicKeys, notes = []) {
  return verifyLog((tree) => readTables(file, tree), publicKeys, notes).catch(toVerdict);
}

function* readTables(file, tree) {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    db.exec('BEGIN'); // reads one state of the log, also while the service writes
    const [log, other] = db.prepare('SELECT * FROM audit_log').all();
    check(log?.name.endsWith(`/audit/${log.log_id}`) && !other, 2, 'Altered: the row of audit_log');
    yield log;
    const node = db.prepare('SELECT hash FROM audit_node WHERE level = ? AND place = ?');
    tree.onNode = (level, place, hashed) => {
      const isSame = level % 8 !== 0 || level > 24 || isCopy(node.get(level, place)?.hash, hashed);
      check(isSame, 2, `Altered: the stored node ${place} of level ${level}`);
    };
    const readHeads = db.prepare('SELECT * FROM audit_head ORDER BY size'); // Node 22 needs it kept.
    const heads = readHeads.iterate();
    let next = heads.next();
    check(!next.done, 6, 'The log has no signed head');
    const records = db.prepare('SELECT *, CAST(body AS BLOB) raw FROM audit_record ORDER BY seq');
    records.setReadBigInts(true);
    let copies;
    for (const row of records.iterate()) {
      const { seq, salt, body, raw } = row;
      check(seq === BigInt(tree.size), 6, `Record ${tree.size} is missing`);
      const isRecord = typeof body === 'string' && ArrayBuffer.isView(salt) && salt.length === 16;
      check(isRecord, 2, `Altered: record ${seq} has no text or no salt of 16 bytes`);
      const members = parseObject(body);
      const ids = packPatients(members.patients);
      members.patient = ids.length === 16 ? ids : null;
      members.patients = ids.length > 16 ? ids : null;
      copies ??= Object.keys(row).filter((name) => !/^(seq|salt|body|raw)$/u.test(name));
      const wrong = copies.find((name) => !isCopy(row[name], members[name]));
      check(wrong === undefined, 2, `Altered: ${wrong} of record ${seq} is not that of its body`);
      yield { leaf: leafHash(salt, raw), body };
      for (; next.value?.size === tree.size; next = heads.next()) yield toHead(log, next.value);
    }
    check(!(next.value?.size > tree.size), 6, `Record ${tree.size} is missing`);
    if (!next.done) yield toHead(log, next.value);
    const { integrity_check: fault } = db.prepare('PRAGMA integrity_check(1)').get();
    check(fault === 'ok', 2, `Altered: ${fault}`); // An altered index could hide records.
    const { count } = db.prepare('SELECT count(*) AS count FROM audit_node').get();
    const nodes = [8, 16, 24].reduce((sum, level) => sum + Math.floor(tree.size / 2 ** level), 0);
    check(count === nodes, 2, `Altered: ${count} nodes are stored, not ${nodes}`);
  } finally {
    db.close();
  }
}

const toBase64 = (blob) => Buffer.from(ArrayBuffer.isView(blob) ? blob : '').toString('base64');
function toHead({ name }, { size, root, signature }) {
  const text = `${name}\n${size}\n${toBase64(root)}\n`;
  return { note: `${text}\n— ${name} ${toBase64(signature)}\n` };
}
function isCopy(column, member = null) {
  if (ArrayBuffer.isView(column)) return Buffer.isBuffer(member) && member.equals(column);
  if (Number.isSafeInteger(member)) return column === BigInt(member);
  // A column has U+FFFD for what a database can't store.
  return column === member || column === member?.replaceAll?.(/[\p{Surrogate}\0]/gu, '\uFFFD');
}

/** Packs 16 bytes for each patient: the bytes of a UUID, or the first bytes of the hash of another ID. */
function packPatients(list) {
  const packed = Buffer.from(typeof list === 'string' ? list : '', 'base64url');
  if (packed.length % 16 === 0 && packed.toString('base64url') === list) return packed;
  const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;
  const toHex = (id) => (uuid.test(id) ? id.replaceAll('-', '') : hash('sha256', id));
  const ids = Array.isArray(list) ? list.filter((id) => typeof id === 'string') : [];
  return Buffer.concat(ids.map((id) => Buffer.from(toHex(id), 'hex').subarray(0, 16)));
}

async function* readLines(file) {
  let rest = '';
  for await (const chunk of createReadStream(file, 'utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    yield* lines;
  }
  if (rest !== '') yield rest;
}

async function verifyFile(file, key = '', ...checkpoints) {
  const keys = existsSync(key) ? readFileSync(key, 'utf8') : key;
  check(/\+[0-9a-f]{8}\+/u.test(keys), 1, 'Name the log and its public key, as a file or text');
  const notes = checkpoints.map((name) => readFileSync(name, 'utf8'));
  const [start] = await createReadStream(file, { encoding: 'utf8', end: 14 }).toArray();
  if (start === 'SQLite format 3') return verifyDatabase(file, keys, notes);
  return verifyExport(readLines(file), keys, notes);
}
if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === import.meta.filename) {
  const [code, sentence] = await verifyFile(...process.argv.slice(2)).catch(toVerdict);
  console[code === 0 ? 'log' : 'error'](sentence);
  process.exitCode = code;
}
