#!/usr/bin/env node
// Verifies an exported Caregate audit log. Depends on Node alone and shares no code with the service that wrote it.
//
//   node verify.mjs EXPORT.ndjson PUBLIC-KEY [OLD-CHECKPOINT...] [--approver=PUBLIC-KEY...]
//
// The export ends with a signed checkpoint: a name, a size and a root hash. This program
//   1. checks that PUBLIC-KEY signed that checkpoint, and each OLD-CHECKPOINT that you kept,
//   2. hashes every record of the export, record by record: SHA-256(0x00, salt, body), and looks into each body whether
//      it says the record's own number and log,
//   3. builds the hash tree of RFC 6962 from those hashes: SHA-256(0x01, left, right),
//   4. compares its root with the checkpoint's, and its root at each old size with the old checkpoint's,
//   5. checks the seal behind each group of records, an Ed25519 signature of the tree as it was then: see "Seals" below,
//   6. where records were erased, looks for the retention cut that allows it: see "Retention cuts" below.
// A record that was changed, removed, moved or cut off changes the roots; a signature can't be made without the key.
// With --approver, no retention cut by anybody else counts.
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

/** The largest power of two below `count`. */
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

/** The bytes of a text in base64; undefined if it has another form. */
function bytesOf(text) {
  const bytes = Buffer.from(String(text), 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

// ---- Retention cuts ------------------------------------------------------------------------------------------------
// A record that was erased left its hash alone. That is allowed up to `before_seq` of a record `retentionCut` that carries
//   - a proposal and approvals by two different approvers, signed by their own keys over all that the cut says,
//   - a checkpoint that the log's key signed, with all that was erased, and the proof that it is one of this log,
//   - the approvers who were enrolled and the legal holds that were in force, as the records before it have them;
// its months were over for the years of retention, 6 at least, when the first of them signed, and by the clock here.
// The first two approvers are enrolled by a record alone, each later one needs the signatures of two.

const proposalDays = 7;
const fewestYears = 6;

function isSigned(rawKey, lines, signature) {
  const bytes = Buffer.from(String(signature), 'base64');
  if (bytes.length !== 64 || bytes.toString('base64') !== signature) return false;
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), rawKey]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  return verify(null, Buffer.from(lines.map((line) => `${line}\n`).join('')), key, bytes);
}

/** RFC 6962, 2.1.2: the roots that a consistency proof leads to, of the older and of the newer tree. */
function provenRoots(older, size, proof, olderRoot, whole = true) {
  if (older === size) return whole ? [olderRoot, olderRoot] : Array(2).fill(proof.pop());
  const [k, sibling] = [split(size), proof.pop()];
  if (older <= k) {
    const [old, young] = provenRoots(older, k, proof, olderRoot, whole);
    return [old, nodeHash(young, sibling)];
  }
  return provenRoots(older - k, size - k, proof, olderRoot, false).map((root) =>
    nodeHash(sibling, root),
  );
}

/** The approvers after these records; of those whose own records are erased, what the cut names. */
function approversAfter(records, named, erased, origin) {
  const all = named.split(', ').flatMap((line) => {
    const [name, key, seq, revoked] = line.split(' ');
    const at = Number(revoked ?? Infinity);
    const one = { name, key, seq: Number(seq), revoked: at < erased ? at : Infinity, waits: false };
    return one.seq < erased ? [one] : [];
  });
  for (const { seq, operation, details } of records) {
    const { approver: name, key: text, by, signature } = details;
    const isCalled = (called) => (one) =>
      one.revoked === Infinity && one.name.toLowerCase() === String(called).toLowerCase();
    const known = all.find(isCalled(name));
    if (operation === 'enrolApprover' && known === undefined) {
      const bytes = Buffer.from(String(text).slice(String(name).length + 10), 'base64');
      const key = bytes.subarray(1).toString('base64');
      const waits = all.some((one) => all.some((other) => areTwo(one, other)));
      const isOther = all.every((one) => one.key !== key);
      if (bytes.length === 33 && text.startsWith(`${name}+`) && isOther)
        all.push({ name, key, text, seq, revoked: Infinity, waits, signers: new Set() });
    } else if (operation === 'endorseApprover' && known?.waits) {
      const signer = all.find(isCalled(by));
      const lines = ['caregate audit approver v1', origin, known.text];
      if (!signer || signer.waits || !isSigned(Buffer.from(signer.key, 'base64'), lines, signature))
        continue;
      known.signers.add(signer);
      known.waits = [...known.signers].filter(({ revoked }) => revoked === Infinity).length < 2;
    } else if (operation === 'revokeApprover' && known !== undefined) known.revoked = seq;
  }
  return all;
}
/** Whether these are two approvers who were in force at the same time. */
const areTwo = (one, other) =>
  one !== other &&
  !(one.waits || other.waits) &&
  one.seq < other.revoked &&
  other.seq < one.revoked;

/** The legal holds in force after these records, by id. */
function holdsAfter(records) {
  const holds = new Map();
  for (const { operation, details } of records) {
    if (operation === 'addLegalHold') holds.set(String(details.hold), details);
    if (operation === 'releaseLegalHold') holds.delete(String(details.hold));
  }
  return holds;
}

/** What a log says of erased records: give it the records in order, and ask how many may be erased. */
export class Cuts {
  erased = 0;
  #records = [];
  #roots = new Map();
  #months = [];

  take(record, root) {
    const date = new Date(record.recorded_at_us / 1000);
    const month = Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 7);
    const last = this.#months.at(-1);
    if (last?.month === month) last.end = record.seq + 1;
    else this.#months.push({ month, first: record.seq, end: record.seq + 1 });
    if (
      record.decision !== 'allowed' ||
      !/Cut$|Hold$|Approver$|^upgradeLog$/u.test(record.operation)
    )
      return;
    this.#records.push(record);
    if (record.operation === 'proposeCut') this.#roots.set(record.seq, root());
  }

  /** The record of an upgrade from the first form of the log; `places`: where it may stand, see `Seals`. */
  upgrade(places) {
    const isIn = ({ seq, details }) => places.has(seq) && details.records === seq;
    return this.#records.find((one) => one.operation === 'upgradeLog' && isIn(one));
  }

  /** Undefined if all that is erased may be; else a sentence. `approvers`: public keys of theirs that you kept, or none. */
  refusal(publicKeys, approvers, now, upgrade) {
    // An upgrade tells how many were erased before cuts carried a proof, all of them before its own record.
    let allowed = Math.min(Number(upgrade?.details.erased) || 0, upgrade?.seq ?? 0);
    let why = 'no record of a cut allows it';
    for (const [at, record] of this.#records.entries()) {
      const { operation, details, seq } = record;
      if (operation !== 'retentionCut') continue;
      const fault = this.#fault(record, this.#records.slice(0, at), { publicKeys, approvers, now });
      if (fault === undefined) allowed = Math.max(allowed, details.before_seq);
      else why = `record ${seq} is no valid cut, ${fault}`;
    }
    return this.erased > allowed ? `Record ${allowed} was erased: ${why}` : undefined;
  }

  #fault({ details: cut, seq, recorded_at_us: us }, before, { publicKeys, approvers, now }) {
    const origin = publicKeys[0].split('+', 1)[0];
    const { since, until, before_seq: end, years, proposed_at: proposed } = cut;
    const notes = publicKeys.map((key) => openCheckpoint(String(cut.checkpoint), key));
    const signed = notes.find((note) => note !== undefined);
    if (signed === undefined || !(signed.size >= end) || end > seq)
      return 'nothing signed has it all';
    const proposal = before.find(
      (one) => one.operation === 'proposeCut' && one.details.proposal === cut.proposal,
    );
    const bytes = Buffer.from(String(cut.consistency), 'base64');
    const proof = Array.from({ length: bytes.length / 32 }, (_, at) =>
      bytes.subarray(32 * at, 32 * at + 32),
    );
    const root = this.#roots.get(proposal?.seq);
    if (root === undefined || signed.size > proposal.seq) return 'its proposal is not in the log';
    try {
      const roots = provenRoots(signed.size, proposal.seq, proof, signed.root);
      if (!roots[0].equals(signed.root) || !roots[1].equals(root) || proof.length > 0) throw signed;
    } catch {
      return 'its checkpoint is not one of this log';
    }
    const all = approversAfter(before, String(cut.approvers), this.erased, origin);
    const named = all
      .filter(({ waits }) => !waits)
      .map(({ name, key, seq: from, revoked }) =>
        [name, key, from, ...(revoked === Infinity ? [] : [revoked])].join(' '),
      );
    if (named.join(', ') !== cut.approvers) return 'it does not name the approvers';
    const holds = holdsAfter(before);
    if (([...holds.keys()].sort().join(', ') || '-') !== cut.holds)
      return 'it does not name the holds';
    for (const { patient, from = '0', to = '9', reference } of holds.values())
      if (patient === undefined && from <= until && to >= since) return `${reference} holds it`;
    const { size, root: hash } = signed;
    const lines = (role, at) => [
      ...['caregate audit cut v1', role, origin, cut.proposal, since, until, end, size],
      ...[hash.toString('base64'), years, proposed, at, cut.approvers, cut.holds],
    ];
    const isBy = (name, role) => {
      const [by, at] = [cut[`${name}_by`], cut[`${name}_at`]];
      const one = all.find((approver) => approver.name === by && approver.revoked === Infinity);
      const key = one && !one.waits ? Buffer.from(one.key, 'base64') : undefined;
      const isKnown = approvers.length === 0 || approvers.some((kept) => kept.equals(key));
      return key && isKnown && isSigned(key, lines(role, at), cut[`${name}_signature`]);
    };
    if (!isBy('proposed', 'proposal') || cut.proposed_at !== proposed) return 'nobody proposed it';
    if (!isBy('approved', 'approval') || !isBy('approved_2', 'approval'))
      return 'nobody approved it';
    if (cut.approved_by === cut.approved_2_by) return 'one person approved it twice';
    const times = [proposed, cut.approved_at, cut.approved_2_at].map((at) => Date.parse(at));
    const isInTime = times.every((at) => at >= times[0] && at <= times[0] + proposalDays * 86400e3);
    const date = new Date(Math.min(...times, us / 1000, now));
    date.setUTCFullYear(date.getUTCFullYear() - years);
    const over = new Date(`${until}-01T00:00:00Z`);
    over.setUTCMonth(over.getUTCMonth() + 1);
    if (!isInTime || !(years >= fewestYears) || !(date >= over))
      return 'its records were too young';
    const isMisplaced = ({ month, first, end: last }) =>
      first < end ? month < since || month > until || last > end : first === end && month <= until;
    if (end >= this.erased && this.#months.some(isMisplaced)) return 'it ends in the wrong place';
    return undefined;
  }
}

// ---- Seals ---------------------------------------------------------------------------------------------------------
// The log is written in groups of records, and each group ends with a seal: the log's key signs a text of five lines, which
// begins as no checkpoint does, over the size and root of the tree with that group, and the size of the newest checkpoint
// that was on disk before it. A log whose key was replaced names all its keys; the last one is the one that you hold.

class Seals {
  count = 0;
  firstSize = 0;
  keyTexts;
  #origin;
  #keys;
  #first = 0; // of the group that is being read
  #checkpoint = 0;
  constructor(publicKey) {
    this.#origin = publicKey.trim().split('+', 1)[0];
    this.#keys = [{ key: keyOf(publicKey), from: 0 }];
    this.keyTexts = [publicKey.trim()];
  }
  /** The keys that the export names before its records, if the last of them is the one that we hold. */
  takeKeys(keys, publicKey, size) {
    if (size > 0 || keys.at(-1)?.verifier_key !== publicKey.trim()) return false;
    this.#keys = keys.map(({ verifier_key: text, from }) => ({ key: keyOf(text), from }));
    this.keyTexts = keys.map(({ verifier_key: text }) => text);
    const isInOrder = ({ from }, at) => (at === 0 ? from === 0 : from > this.#keys[at - 1].from);
    return this.#keys.every((one, at) => one.key !== undefined && isInOrder(one, at));
  }
  /** Another key begins with a record that says why. */
  isExplained({ seq, operation }) {
    const isNew = seq > 0 && this.#keys.some(({ from }) => from === seq);
    return !isNew || operation === 'upgradeLog' || operation === 'acceptBreak';
  }
  /** Where an upgrade may be: with a later key, or, under the same key, at the end of the first group that is sealed. */
  upgradePlaces() {
    if (this.#keys.length === 1) return new Set(this.firstSize > 0 ? [this.firstSize - 1] : []);
    // The list of keys is not signed: the same key named again is no later one.
    const isLater = (_, at) => at > 0 && this.keyTexts.indexOf(this.keyTexts[at]) === at;
    return new Set(this.#keys.filter(isLater).map(({ from }) => from));
  }
  takeErased(size) {
    this.#first = size;
  }
  /** What is wrong with the seal behind the records of this tree; undefined if nothing is. */
  refusal({ size, root, checkpoint_size: checkpoint, signature }, tree) {
    const first = this.#first;
    const key = this.#keys.findLast(({ from }) => from <= first).key;
    const text = `caregate audit seal v1\n${this.#origin}\n${size}\n${root}\n${checkpoint}\n`;
    const bytes = bytesOf(signature);
    if (bytes === undefined || !verify(null, Buffer.from(text), key, bytes))
      return [5, `The seal of the group that begins with record ${first} has no good signature`];
    if (size !== tree.size || first === size || root !== tree.root().toString('base64'))
      return [2, `Records ${first} to ${tree.size - 1} are not those that were sealed`];
    if (checkpoint > first || checkpoint < this.#checkpoint)
      return [2, `The seal of ${size} records names a wrong checkpoint`];
    // The first seal of all names no checkpoint: where the groups before it were erased, it is another one.
    if (this.count === 0 && checkpoint === 0) this.firstSize = size;
    [this.#first, this.#checkpoint, this.count] = [size, checkpoint, this.count + 1];
    return undefined;
  }
  /** An export of a log from before there were seals has none. */
  missing(tree) {
    return this.count > 0 && this.#first < tree.size
      ? [5, `Record ${this.#first} is not sealed`]
      : undefined;
  }
}

/** The JSON object in a text; undefined if there is none. */
function objectOf(text) {
  try {
    return Object(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Verifies the lines of an export. Gives an exit code and a sentence. */
export async function verifyExport(
  lines,
  publicKey,
  oldNotes = [],
  approvers = [],
  now = Date.now(),
) {
  const logId = publicKey.split('+', 1)[0].split('/').at(-1);
  const old = oldNotes.map((note) => openCheckpoint(note, publicKey));
  if (old.includes(undefined)) return [5, 'An old checkpoint bears no good signature of this key'];
  const tree = new GrowingTree();
  const roots = new Map([[0, tree.root()]]);
  const cuts = new Cuts();
  const seals = new Seals(publicKey);
  let leftOut = 0;
  let last = '';
  for await (const line of lines) {
    const read = objectOf(line);
    if (read === undefined) return [2, `The line behind record ${tree.size - 1} can't be read`];
    const { seq, salt, body, leaf_hash: cut, erased: isErased, ...other } = read;
    last = other.checkpoint ?? last;
    if (other.keys !== undefined && !seals.takeKeys(other.keys, publicKey, tree.size))
      return [5, 'The export is not of the log of this key'];
    const wrong = other.seal && seals.refusal(other.seal, tree);
    if (wrong !== undefined) return wrong;
    if (seq === undefined) continue;
    if (seq !== tree.size) return [6, `Record ${tree.size} is missing`];
    const said = cut === undefined ? objectOf(body) : { seq, log_id: logId };
    if (said?.seq !== seq || said.log_id !== logId) return [2, `Record ${seq} was altered`];
    if (cut === undefined && !seals.isExplained(said))
      return [5, `Record ${seq} does not explain why another key signs it`];
    if (cut === undefined) cuts.take(said, () => tree.root());
    else if (!isErased) leftOut += 1;
    else if (seq === cuts.erased + leftOut) cuts.erased += 1;
    else return [2, `Record ${seq} was erased, and one before it was not`];
    tree.add(
      cut === undefined ? leafHash(Buffer.from(salt, 'hex'), body) : Buffer.from(cut, 'hex'),
    );
    if (isErased) seals.takeErased(tree.size);
    if (old.some(({ size }) => size === tree.size)) roots.set(tree.size, tree.root());
  }
  if (last === '') return [3, 'The export has no checkpoint at its end: it was cut off'];
  const signed = openCheckpoint(last, publicKey);
  if (signed === undefined) return [5, 'The checkpoint of the export bears no good signature'];
  const { size } = tree;
  for (const note of old) {
    if (note.size > size) return [3, `You hold a checkpoint of ${note.size} records, not ${size}`];
    if (!note.root.equals(roots.get(note.size))) return [4, `Not your log of ${note.size} records`];
  }
  if (signed.size !== size) return [3, `${signed.size} records were signed, not ${size}`];
  if (!signed.root.equals(tree.root())) return [2, 'Altered: not the records that were signed'];
  const unsealed = seals.missing(tree);
  if (unsealed !== undefined) return unsealed;
  const upgrade = cuts.upgrade(seals.upgradePlaces());
  const { seq: upgraded = 0, details: { proved = 0 } = {} } = upgrade ?? {};
  const isOpen = `. Records ${proved} to ${upgraded - 1} were not proved at the upgrade (they followed the last checkpoint of the earlier version)`;
  const holds = `Holds: ${size} records and ${old.length} old checkpoints${proved < upgraded ? isOpen : ''}`;
  if (leftOut > 0)
    return [0, `${holds}; ${leftOut} records were left out of this export, cuts can't be checked`];
  const refusal = cuts.refusal(seals.keyTexts, approvers, now, upgrade);
  return refusal === undefined ? [0, holds] : [2, refusal];
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === import.meta.filename) {
  const kept = process.argv.filter((word) => word.startsWith('--approver='));
  const [file, key, ...old] = process.argv.slice(2).filter((word) => !kept.includes(word));
  if (key === undefined)
    throw new Error('Name the export and the public key, see the top of this file');
  const lines = createInterface({ input: createReadStream(file) });
  const notes = old.map((name) => readFileSync(name, 'utf8'));
  const approvers = kept.map((word) => Buffer.from(word.slice(-44), 'base64').subarray(-32));
  const [code, sentence] = await verifyExport(lines, key, notes, approvers);
  console[code === 0 ? 'log' : 'error'](sentence);
  process.exitCode = code;
}
