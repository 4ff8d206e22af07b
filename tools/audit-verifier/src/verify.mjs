#!/usr/bin/env node
// Verifies an exported Caregate audit log by Node alone: shares no code with the service that wrote it.
//   node verify.mjs EXPORT.ndjson PUBLIC-KEY [OLD-CHECKPOINT...]
// Checks the signatures of the last checkpoint and of the old ones, the tree's root at each of their sizes, and each seal.
// A record's hash is SHA-256(0x00, salt, body), a node's is SHA-256(0x01, left, right), as in RFC 6962.
// Exit codes as of `caregate audit verify`: 0 holds, 2 altered, 3 truncated, 4 forked, 5 bad signature or seal, 6 gap, 1 usage.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { createReadStream, readFileSync, realpathSync } from 'node:fs';
import { createInterface } from 'node:readline';

function sha256(...parts) {
  return parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
}
export const leafHash = (salt, body) => sha256(Buffer.of(0), salt, body);
const nodeHash = (left, right) => sha256(Buffer.of(1), left, right);

/** RFC 6962, 2.1: the root of a list of leaf hashes. */
export function treeRoot(leaves) {
  if (leaves.length <= 1) return leaves[0] ?? sha256('');
  const k = split(leaves.length);
  return nodeHash(treeRoot(leaves.slice(0, k)), treeRoot(leaves.slice(k)));
}

/** RFC 6962, 2.1.1: the path from leaf `index` to the root. */
export function inclusionProof(index, leaves) {
  if (leaves.length <= 1) return [];
  const k = split(leaves.length);
  return index < k
    ? [...inclusionProof(index, leaves.slice(0, k)), treeRoot(leaves.slice(k))]
    : [...inclusionProof(index - k, leaves.slice(k)), treeRoot(leaves.slice(0, k))];
}

/** RFC 6962, 2.1.2: the proof that the tree of all leaves begins with that of the first `older`. */
export function consistencyProof(older, leaves, whole = true) {
  if (older === 0 || older === leaves.length) return whole ? [] : [treeRoot(leaves)];
  const k = split(leaves.length);
  return older <= k
    ? [...consistencyProof(older, leaves.slice(0, k), whole), treeRoot(leaves.slice(k))]
    : [...consistencyProof(older - k, leaves.slice(k), false), treeRoot(leaves.slice(0, k))];
}

function split(count) {
  let k = 1;
  while (k * 2 < count) k *= 2;
  return k;
}

/** The same root, leaf by leaf: keeps the roots of the complete subtrees, at most one of each height. */
export class GrowingTree {
  size = 0;
  #peaks = [];
  add(leaf) {
    let hash = leaf;
    for (let position = this.size; position % 2 === 1; position = (position - 1) / 2) {
      hash = nodeHash(this.#peaks.pop(), hash);
    }
    this.#peaks.push(hash);
    this.size += 1;
  }
  root() {
    if (this.size === 0) return sha256('');
    return this.#peaks.reduceRight((right, left) => nodeHash(left, right));
  }
}

/** The public key (`<name>+<id>+<base64>`, C2SP signed-note) as Node takes it; undefined if it is none. */
function keyOf(text) {
  const key = Buffer.from(text.trim().slice(text.indexOf('+') + 10), 'base64'); // 0x01 (Ed25519) and 32 bytes
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), key.subarray(1)]);
  if (key.length !== 33 || key[0] !== 1) return undefined;
  return createPublicKey({ key: der, format: 'der', type: 'spki' });
}

/** Reads a checkpoint (C2SP tlog-checkpoint) that the key signed; undefined if it did not. */
export function openCheckpoint(note, publicKey) {
  const name = publicKey.trim().split('+', 1)[0];
  const key = Buffer.from(publicKey.trim().slice(name.length + 10), 'base64');
  const keyId = sha256(`${name}\n`, key).subarray(0, 4);
  const text = note.slice(0, note.indexOf('\n\n') + 1);
  const [origin, size, root] = text.split('\n');
  const signature = note
    .split('\n')
    .filter((line) => line.startsWith(`— ${name} `))
    .map((line) => bytesOf(line.slice(name.length + 3)))
    .find((bytes) => bytes?.subarray(0, 4).equals(keyId));
  const signer = keyOf(publicKey);
  if (signer === undefined || signature === undefined || !note.endsWith('\n')) return undefined;
  if (origin !== name || !/^\d+$/u.test(size)) return undefined;
  const isGood = verify(null, Buffer.from(text), signer, signature.subarray(4));
  return isGood ? { size: Number(size), root: Buffer.from(root, 'base64') } : undefined;
}

function sizeOf(note) {
  return Number(note.split('\n')[1]);
}

function bytesOf(text) {
  const bytes = Buffer.from(String(text), 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

// The key of a log can be replaced: a record names the next one, signed by both over the tree before it. If it is a group alone, the
// old key seals it. Every larger tree is sealed and signed by the new one.

class Keys {
  #keys;
  #sizes = []; // of the trees before the changes
  constructor(first) {
    this.#keys = [first.trim()];
  }
  has(key) {
    return this.#keys.includes(key.trim());
  }
  of(size, first) {
    const isPast = (at) => size > at && !(first === at && size === at + 1);
    return this.#keys[this.#sizes.findLastIndex(isPast) + 1];
  }
  /** False if the record names a next key and is not signed by both. */
  follow(body, tree) {
    const {
      _log: isOwn,
      operation,
      details,
    } = body.startsWith('{"_log":') ? (objectOf(body) ?? {}) : {};
    if (isOwn === undefined || operation !== 'rotateAuditKey') return true;
    const { root, old_public_key: old, public_key: next, ...signatures } = Object(details);
    const origin = this.#keys[0].split('+', 1)[0];
    const text = `caregate audit key v1\n${origin}\n${tree.size}\n${root}\n${old}\n${next}\n`;
    const isSigned = (key, signature) =>
      verify(null, Buffer.from(text), keyOf(key), bytesOf(signature) ?? Buffer.alloc(0));
    const isOf = (key) => typeof key === 'string' && key.startsWith(`${origin}+`) && keyOf(key);
    if (old !== this.#keys.at(-1) || !isOf(next) || this.has(next)) return false;
    if (root !== tree.root().toString('base64')) return false;
    if (!isSigned(old, signatures.signed_by_old) || !isSigned(next, signatures.signed_by_new))
      return false;
    this.#keys.push(next);
    this.#sizes.push(tree.size);
    return true;
  }
}

// Each group of records ends with a seal, by the log's key: six lines, which begin as no checkpoint does. The last is the size
// of the newest checkpoint that was on disk before.

class Seals {
  #keys;
  #first = 0; // of the group that is being read
  #checkpoint = 0;
  constructor(keys) {
    this.#keys = keys;
  }
  refusal({ first: from, size, root, checkpoint_size: checkpoint, signature }, tree) {
    const first = this.#first;
    if (from !== first) return [6, `The seal of record ${first} is missing`];
    const key = this.#keys.of(size, first);
    const origin = key.split('+', 1)[0];
    const text = `caregate audit seal v1\n${origin}\n${first}\n${size}\n${root}\n${checkpoint}\n`;
    const bytes = bytesOf(signature);
    if (bytes === undefined || !verify(null, Buffer.from(text), keyOf(key), bytes))
      return [5, `The seal of the group that begins with record ${first} has no good signature`];
    if (size !== tree.size || first === size || root !== tree.root().toString('base64'))
      return [2, `Records ${first} to ${tree.size - 1} are not those that were sealed`];
    if (checkpoint > first || checkpoint < this.#checkpoint)
      return [2, `The seal of ${size} records names a wrong checkpoint`];
    [this.#first, this.#checkpoint] = [size, checkpoint];
    return undefined;
  }
  missing(tree) {
    return this.#first < tree.size ? [5, `Record ${this.#first} is not sealed`] : undefined;
  }
}

function objectOf(text) {
  try {
    return Object(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Verifies the lines of an export. Gives an exit code and a sentence. */
export async function verifyExport(lines, publicKey, oldNotes = []) {
  const oldSizes = oldNotes.map(sizeOf);
  const tree = new GrowingTree();
  const roots = new Map([[0, tree.root()]]);
  let keys = new Keys(publicKey);
  let seals = new Seals(keys);
  let leftOut = 0;
  let last = '';
  for await (const line of lines) {
    const read = objectOf(line);
    if (read === undefined) return [2, `The line behind record ${tree.size - 1} can't be read`];
    const { seq, salt, body, leaf_hash: hidden, verifier_key: firstKey, ...other } = read;
    if (firstKey !== undefined && tree.size === 0 && last === '') {
      if (keyOf(String(firstKey)) === undefined) return [5, 'The export names no key of its log'];
      seals = new Seals((keys = new Keys(firstKey)));
    }
    last = other.checkpoint ?? last;
    const wrong = other.seal && seals.refusal(other.seal, tree);
    if (wrong !== undefined) return wrong;
    if (seq === undefined) continue;
    if (seq !== tree.size) return [6, `Record ${tree.size} is missing`];
    if (hidden === undefined) {
      if (typeof body !== 'string') return [2, `Record ${seq} was altered`];
      if (!keys.follow(body, tree)) return [5, `Record ${seq} names a key without its signature`];
      tree.add(leafHash(Buffer.from(String(salt), 'hex'), body));
    } else {
      leftOut += 1;
      tree.add(Buffer.from(hidden, 'hex'));
    }
    if (oldSizes.includes(tree.size)) roots.set(tree.size, tree.root());
  }
  if (last === '') return [3, 'The export has no checkpoint at its end: it was cut off'];
  const signed = openCheckpoint(last, keys.of(sizeOf(last)));
  if (signed === undefined) return [5, 'The checkpoint of the export bears no good signature'];
  if (!keys.has(publicKey)) return [5, 'The export is of a log that this key did not sign'];
  const old = oldNotes.map((note) => openCheckpoint(note, keys.of(sizeOf(note))));
  if (old.includes(undefined)) return [5, 'An old checkpoint bears no good signature of this log'];
  const { size } = tree;
  for (const note of old) {
    if (note.size > size) return [3, `You hold a checkpoint of ${note.size} records, not ${size}`];
    if (!note.root.equals(roots.get(note.size))) return [4, `Not your log of ${note.size} records`];
  }
  if (signed.size !== size) return [3, `${signed.size} records were signed, not ${size}`];
  if (!signed.root.equals(tree.root())) return [2, 'Altered: not the records that were signed'];
  const unsealed = seals.missing(tree);
  if (unsealed !== undefined) return unsealed;
  const left = leftOut > 0 ? `; of ${leftOut} records this export has the hash alone` : '';
  return [0, `Holds: ${size} records and ${old.length} old checkpoints${left}`];
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === import.meta.filename) {
  const [file, key, ...old] = process.argv.slice(2);
  if (key === undefined)
    throw new Error('Name the export and the public key, see the top of this file');
  const lines = createInterface({ input: createReadStream(file) });
  const notes = old.map((name) => readFileSync(name, 'utf8'));
  const [code, sentence] = await verifyExport(lines, key, notes);
  console[code === 0 ? 'log' : 'error'](sentence);
  process.exitCode = code;
}
