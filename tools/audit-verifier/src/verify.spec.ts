import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import {
  append,
  type Body,
  createLog,
  createNote,
  createSigner,
  dropTriggers,
  exportLog,
  NAME,
  packId,
  readLeaves,
  readNote,
  type Signer,
  treeRoot,
  writeHead,
  writeTree,
} from './log-builder.testing.ts';
import { GrowingTree, leafHash, openCheckpoint, verifyDatabase, verifyExport } from './verify.mjs';

const verifier = fileURLToPath(new URL('verify.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'caregate-verifier-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const uuids = Array.from({ length: 3 }, () => randomUUID());
/** Returns a body. The form of its list of patients depends on `seq`. */
function createBody(seq: number): Body {
  const packed = Buffer.concat(uuids.map(packId)).toString('base64url');
  const patients = [[uuids[0]], undefined, packed, ['MRN-1', uuids[1]], [], ['MRN-2']][seq % 6];
  return {
    actor_id: seq % 4 === 0 ? null : `key-${String(seq % 3)}`,
    decision: 'allow',
    http_status: 200,
    operation: 'resolveUser',
    patients,
    recorded_at_us: 1_700_000_000_000_000 + seq,
    ...(seq % 5 === 0 ? {} : { team_id: randomUUID() }),
  };
}
const createBodies = (from: number, to: number): Body[] =>
  Array.from({ length: to - from }, (_, at) => createBody(from + at));
const rotate = (from: Signer, to: Signer, details: object = {}): string =>
  JSON.stringify({
    _log: 1,
    details: { old_public_key: from.publicKey, public_key: to.publicKey, ...details },
    operation: 'rotateAuditKey',
  });

/** Writes a log of 300 records with heads at 1, 3, 6, 10, … 276 and 300. */
function writeSample(file: string, signer: Signer, name = NAME): void {
  const db = createLog(file, signer.publicKey, name);
  for (let from = 0, count = 1; from < 300; from += count - 1)
    append(db, signer, createBodies(from, Math.min(300, from + count++)));
  db.close();
}

const signer = createSigner();
const { publicKey, keyId } = signer;
const thief = createSigner();
const sample = join(folder, 'sample.db');
const otherName = 'clinic.example/audit/ba9876543210';
const otherSigner = createSigner(otherName);
const otherLog = join(folder, 'other.db');
let kept: string;
let lines: Record<string, unknown>[];
beforeAll(() => {
  writeSample(sample, signer);
  writeSample(otherLog, otherSigner, otherName);
  const db = new DatabaseSync(sample);
  kept = readNote(db, 45);
  lines = exportLog(db, publicKey, [300]);
  db.close();
});

const toTexts = (list: readonly object[]): string[] => list.map((line) => JSON.stringify(line));

let copies = 0;
type Change = (db: DatabaseSync) => void;
const storeKey = (by: Signer): Change => {
  return (db) => {
    db.prepare('update audit_log set public_key = ?').run(by.publicKey);
  };
};
/** Verifies a copy of the sample after changing its file. */
async function verifyChanged(change: Change, keys = publicKey, notes = [kept]) {
  copies += 1;
  const file = join(folder, `copy-${String(copies)}.db`);
  copyFileSync(sample, file);
  const db = new DatabaseSync(file);
  dropTriggers(db);
  change(db);
  db.close();
  return verifyDatabase(file, keys, notes);
}

describe('the independent verifier', () => {
  it('is short enough to be read in half an hour, and needs nothing but Node', () => {
    const text = readFileSync(verifier, 'utf8');
    expect(text.split('\n').length - 1).toBeLessThanOrEqual(250);
    const imports = [...text.matchAll(/^import .* from '([^']+)'/gmu)].map(([, from]) => from);
    expect(imports).toEqual(['node:crypto', 'node:fs', 'node:sqlite']);
  });

  it('computes the root of the reference tests of Certificate Transparency', () => {
    const inputs = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657'];
    const tree = new GrowingTree();
    const leaves = [...inputs, '606162636465666768696a6b6c6d6e6f'].map((hex) =>
      leafHash(Buffer.alloc(0), Buffer.from(hex, 'hex')),
    );
    for (const leaf of leaves) {
      tree.add(leaf);
      expect(tree.root()).toEqual(treeRoot(leaves.slice(0, tree.size)));
    }
    expect(tree.root()).toEqual(
      Buffer.from('5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328', 'hex'),
    );
  });

  it('opens a checkpoint with the key that signed it, and no other', () => {
    expect(openCheckpoint(kept, `${publicKey}\n`)?.size).toBe(45);
    expect(openCheckpoint(kept, thief.publicKey)).toBeUndefined();
    expect(openCheckpoint(kept.replace('\n45\n', '\n46\n'), publicKey)).toBeUndefined();
    expect(openCheckpoint('', publicKey)).toBeUndefined();
  });
});

describe('verifyDatabase', () => {
  const verdict = 'Holds: 300 records and 1 old checkpoints';

  it('holds for a log, also without triggers and while another process writes', async () => {
    expect(await verifyDatabase(sample, publicKey, [kept])).toEqual([0, verdict]);
    expect(await verifyChanged(() => {})).toEqual([0, verdict]);
    const file = join(folder, 'busy.db');
    const writer = createLog(file, publicKey);
    writer.exec('pragma journal_mode = wal');
    append(writer, signer, createBodies(0, 5));
    writer.exec('begin immediate');
    writer.exec('drop trigger audit_head_delete; delete from audit_head');
    expect((await verifyDatabase(file, publicKey))[0]).toBe(0);
    writer.close();
  });

  it('holds for one of several given keys, and for a checkpoint of any size', async () => {
    const keys = `${thief.publicKey}\n\n${publicKey}\n`;
    const db = new DatabaseSync(sample);
    const leaves = readLeaves(db);
    const notes = [0, 1, 2, 44, 256, 299, 300].map((size) =>
      createNote(treeRoot(leaves.slice(0, size)), size, signer),
    );
    db.close();
    expect((await verifyDatabase(sample, keys, notes))[0]).toBe(0);
  });

  it('accepts texts that a database cannot store as they are', async () => {
    const file = join(folder, 'texts.db');
    const db = createLog(file, publicKey);
    append(db, signer, [
      { ...createBody(0), actor_id: 'a\uD800b' },
      { ...createBody(1), actor_id: 'a\0b', details: '\u2028\0\uD800' },
    ]);
    db.close();
    expect((await verifyDatabase(file, publicKey))[0]).toBe(0);
  });

  it('checks nodes over 65,536 records', async () => {
    const file = join(folder, 'large.db');
    const db = createLog(file, publicKey);
    append(db, signer, Array<string>(65_537).fill('{"operation":"x"}'));
    dropTriggers(db);
    db.exec("update audit_node set hash = x'00' where level = 16");
    db.close();
    const sentence = 'Altered: the stored node 0 of level 16';
    expect(await verifyDatabase(file, publicKey)).toEqual([2, sentence]);
  }, 60_000);

  /** Changes a record, and signs all heads again. */
  const rebuild = (by: Signer): Change => {
    return (db) => {
      db.exec(`${denied}; delete from audit_node`);
      storeKey(by)(db);
      const sizes = db.prepare('select size from audit_head').all();
      for (const { size } of sizes) writeHead(db, by, Number(size));
      writeTree(db);
    };
  };
  const cut = (size: number): Change => {
    return (db) => {
      db.exec(`delete from audit_record where seq >= ${String(size)};
        delete from audit_head where size > ${String(size)}; delete from audit_node`);
      writeTree(db);
    };
  };
  const replaceTables = (...tables: string[]): string =>
    tables
      .map((name) => `delete from ${name}; insert into ${name} select * from other.${name};`)
      .join('');
  const denied = `update audit_record set body = replace(body, 'allow', 'deny'), decision = 'deny' where seq = 3`;
  const statements = `
    2 # the last body with a member more # update audit_record set body = replace(body, '{', '{"a":1,') where seq = 299
    2 # a body that is no JSON # update audit_record set body = replace(body, '}', '') where seq = 299
    2 # a body with more behind a NUL # update audit_record set body = body || char(0) || 'x' where seq = 7
    2 # a body that is a blob # create table t as select * from audit_record; drop table audit_record; alter table t rename to audit_record; update audit_record set body = cast(body as blob)
    2 # a salt that was changed # update audit_record set salt = randomblob(16) where seq = 299
    2 # a byte moved from the salt to the body # update audit_record set salt = substr(salt, 1, 15), body = char(9) || body where seq = 299
    2 # a byte moved from the body to the salt # update audit_record set salt = unhex(hex(salt) || '7B'), body = substr(body, 2) where seq = 299
    2 # a record inserted in the middle # update audit_record set seq = -seq where seq >= 20; update audit_record set seq = 1 - seq where seq < 0; insert into audit_record select 20, \
randomblob(16), body, recorded_at_us, team_id, actor_id, operation, decision, patient, patients from audit_record where seq = 19
    2 # a record inserted at the end # insert into audit_record select 300, salt, body, recorded_at_us, team_id, actor_id, operation, decision, patient, patients \
from audit_record where seq = 299; update audit_log set size = 301
    2 # a record left out and those behind it moved # delete from audit_record where seq = 150; update audit_record set seq = seq - 1 where seq > 150
    2 # two records in each other's place # update audit_record set seq = -1 where seq = 7; update audit_record set seq = 7 where seq = 8; update audit_record set seq = 8 where seq = -1
    2 # a record of another log # insert or replace into audit_record select * from other.audit_record where seq = 30
    6 # a record missing in the middle # delete from audit_record where seq = 150
    6 # the last records missing # delete from audit_record where seq >= 290
    6 # all records missing # delete from audit_record
    3 # an earlier state of records and heads alone # delete from audit_record where seq >= 36; delete from audit_head where size > 36; delete from audit_node
    2 # an earlier size # update audit_log set size = 276
    2 # another frontier # update audit_log set frontier = randomblob(128)
    2 # another time # update audit_record set recorded_at_us = recorded_at_us + 1 where seq = 21
    2 # a number that JavaScript does not have # update audit_record set recorded_at_us = 9223372036854775807 where seq = 21
    2 # no decision # update audit_record set decision = null where seq = 21
    2 # another patient # update audit_record set patient = randomblob(16) where seq = 18
    2 # a patient in the other column # update audit_record set patients = patient, patient = null where seq = 18
    2 # patients in another order # update audit_record set patients = unhex(substr(hex(patients), 33) || substr(hex(patients), 1, 32)) where seq = 21
    2 # a column that no body has # alter table audit_record add column role text default 'admin'
    2 # a node that was changed # update audit_node set hash = randomblob(32)
    2 # a node that is missing # delete from audit_node
    2 # a node too many # insert into audit_node select 8, 1, hash from audit_node
    2 # a root that was changed # update audit_head set root = randomblob(32) where size = 6
    2 # a head too many # insert into audit_head select 299, root, signature, 1 from audit_head where size = 300
    2 # a head of no records # insert into audit_head select 0, root, signature, 1 from audit_head where size = 300
    2 # the newest head missing # delete from audit_head where size = 300
    6 # all heads missing # delete from audit_head
    5 # a signature that was changed # update audit_head set signature = randomblob(68) where size = 300
    5 # the signature of another head # update audit_head set signature = (select signature from audit_head where size = 276) where size = 300
    5 # another public key # update audit_log set public_key = (select public_key from other.audit_log)
    5 # another host # update audit_log set name = replace(name, 'clinic', 'other')
    2 # another log ID # update audit_log set log_id = 'ba9876543210'
    2 # a second log # insert into audit_log select * from audit_log
    2 # no log # delete from audit_log
    1 # a table missing # drop table audit_node
    2 # an index that lacks records # pragma writable_schema = on; drop index audit_record_operation; \
create index audit_record_operation on audit_record (operation, seq) where seq <> 3; \
update sqlite_schema set sql = replace(sql, ' where seq <> 3', '') where name = 'audit_record_operation'`;

  it.each<[code: number, what: string, change: string | Change]>([
    ...statements
      .trim()
      .split('\n')
      .map((line): [number, string, string] => {
        const [code, what, sql] = line.split(' # ');
        return [Number(code), what!, sql!];
      }),
    [2, 'a body and its column that were changed', denied],
    [5, 'another log', replaceTables('audit_log', 'audit_record', 'audit_head', 'audit_node')],
    [5, 'the records of another log', replaceTables('audit_record', 'audit_head', 'audit_node')],
    [6, 'no record and no head', cut(0)],
    [3, 'an earlier state than the given checkpoint', cut(36)],
    [5, 'a rewritten history', rebuild({ ...thief, ...{ publicKey, keyId } })],
    [5, 'a rewritten history with a key of its own', rebuild(thief)],
    [4, 'a history that was rewritten with the key', rebuild(signer)],
  ])('gives %i for %s', async (code, _what, change) => {
    const apply: Change = (db) => {
      db.prepare('attach ? as other').run(otherLog);
      db.enableDefensive(false);
      if (typeof change === 'string') db.exec(change);
      else change(db);
    };
    expect(await verifyChanged(apply)).toEqual([code, expect.stringMatching(/^[A-Z].+/u)]);
  });

  it('finds a log that is signed by none of the given keys', async () => {
    expect((await verifyDatabase(sample, thief.publicKey))[0]).toBe(5);
    expect((await verifyDatabase(sample, otherSigner.publicKey, [kept]))[0]).toBe(5);
  });

  const root = randomBytes(32);
  it.each([
    ['has no good signature', 5, createNote(root, 45, { ...thief, keyId })],
    ['is by another key', 5, createNote(root, 45, thief)],
    ['is of another log', 4, createNote(root, 45, otherSigner, otherName)],
    ['is of another tree', 4, createNote(root, 45, signer)],
    ['is of a larger tree', 3, createNote(root, 301, signer)],
    ['is none', 5, 'no checkpoint'],
  ])('finds that a given checkpoint %s', async (_what, code, note) => {
    expect((await verifyDatabase(sample, publicKey, [kept, note]))[0]).toBe(code);
  });

  it('cannot find an earlier whole state without a checkpoint', async () => {
    expect((await verifyChanged(cut(36), publicKey, []))[0]).toBe(0);
  });
});

describe('a log whose key was changed', () => {
  const [second, third] = [createSigner(), createSigner()];
  let files = 0;
  type Commit = readonly [Signer, readonly (Body | string)[]];
  const history: Commit[] = [
    [signer, createBodies(0, 4)],
    [signer, [createBody(4), rotate(signer, second)]],
    [second, createBodies(6, 9)],
    [second, [rotate(second, third)]],
    [third, createBodies(10, 12)],
  ];
  const signedBy = (by: Signer): Change => {
    return (db) => {
      writeHead(db, by, 6);
    };
  };
  function write(commits: readonly Commit[], change: string | Change = ''): string {
    files += 1;
    const file = join(folder, `keys-${String(files)}.db`);
    const db = createLog(file, publicKey);
    for (const [by, bodies] of commits) append(db, by, bodies);
    dropTriggers(db);
    if (typeof change === 'string') db.exec(change);
    else change(db);
    db.close();
    return file;
  }

  it('holds for whoever has one of its keys, and with checkpoints by each', async () => {
    const file = write(history);
    const db = new DatabaseSync(file);
    const notes = [4, 6, 9, 10, 12].map((size) => readNote(db, size));
    const exported = toTexts(exportLog(db, publicKey, [6, 10, 12]));
    storeKey(third)(db);
    db.close();
    for (const { publicKey: key } of [signer, second, third]) {
      expect((await verifyDatabase(file, key, notes))[0]).toBe(0);
      expect((await verifyExport(exported, key, notes))[0]).toBe(0);
    }
    expect((await verifyDatabase(file, thief.publicKey, notes))[0]).toBe(5);
    expect((await verifyExport(exported.toSpliced(7, 1), publicKey))[0]).toBe(5);
  });

  it('holds where the change is the last record, for the old key alone', async () => {
    const file = write(history.slice(0, 2));
    expect((await verifyDatabase(file, publicKey))[0]).toBe(0);
    expect((await verifyDatabase(file, second.publicKey))[0]).toBe(5);
  });

  it('takes no other record for a change of the key', async () => {
    const { details, operation } = JSON.parse(rotate(signer, thief)) as Body;
    const file = write([[signer, [{ details, operation }, ...createBodies(1, 3)]]]);
    expect((await verifyDatabase(file, publicKey))[0]).toBe(0);
  });

  it('finds that a log was cut off before the change, by a checkpoint of the new key', async () => {
    const complete = new DatabaseSync(write(history));
    const note = readNote(complete, 12);
    complete.close();
    const keys = `${publicKey}\n${third.publicKey}`;
    expect((await verifyDatabase(write(history.slice(0, 1)), keys, [note]))[0]).toBe(3);
  });

  const first = createBodies(0, 4);
  it.each<[what: string, commits: readonly Commit[], change?: string | Change]>([
    ['without the head by the old key', history, 'delete from audit_head where size = 6'],
    ['with a head by the new key', history, signedBy(second)],
    ['with a head by another key', history, signedBy(thief)],
    ['inside a commit', [[signer, [rotate(signer, second), createBody(1)]], history[2]!]],
    ['behind which the old key signs', history.with(4, [second, createBodies(10, 12)])],
    ['from another key', history.with(1, [signer, [createBody(4), rotate(thief, second)]])],
    ['from an earlier key', history.with(3, [second, [rotate(signer, third)]])],
    [
      'to the key of another log',
      [
        [signer, [rotate(signer, otherSigner)]],
        [otherSigner, first],
      ],
    ],
    ['to no key', [[signer, [rotate(signer, second, { public_key: 'x' })]]]],
    ['without keys', [[signer, ['{"_log":1,"operation":"rotateAuditKey"}']]]],
    ['by a thief who names the key of another', [[thief, [...first, rotate(thief, signer)]]]],
    [
      'by a thief who names the key first',
      [
        [thief, [rotate(thief, signer)]],
        [thief, first],
      ],
    ],
    ['whose stored public key is another', history, storeKey(thief)],
  ])('finds a change %s', async (...[, commits, change]) => {
    expect((await verifyDatabase(write(commits, change), publicKey))[0]).toBe(5);
  });
});

describe('verifyExport', () => {
  const verify = (changed: readonly object[], notes = [kept], keys = publicKey) =>
    verifyExport(toTexts(changed), keys, notes);

  it('holds for a whole export and a kept checkpoint', async () => {
    expect(await verify(lines)).toEqual([0, 'Holds: 300 records and 1 old checkpoints']);
  });

  it('counts the records that the export leaves out', async () => {
    const { salt, body } = lines[3] as { salt: string; body: string };
    const hash = leafHash(Buffer.from(salt, 'hex'), body).toString('hex');
    expect(await verify(lines.with(3, { seq: 2, leaf_hash: hash }))).toEqual([
      0,
      expect.stringContaining('; of 1 records this export has the hash alone'),
    ]);
  });

  const edit = (at: number, change: object): object[] =>
    lines.with(at, { ...lines[at], ...change });
  const body = (at: number): string => String(lines[at]!['body']);
  const root = (list: readonly object[]): Buffer =>
    treeRoot(
      list.slice(1, -1).map((line) => {
        const { salt, body: text } = line as { salt: string; body: string };
        return leafHash(Buffer.from(salt, 'hex'), text);
      }),
    );
  const sign = (list: readonly object[], by: Signer): object[] =>
    list.with(-1, { checkpoint: createNote(root(list), list.length - 2, by) });

  const denied = () => edit(4, { body: body(4).replace('allow', 'deny') });
  const shiftByte = () =>
    edit(4, { salt: String(lines[4]!['salt']).slice(0, -2), body: `\t${body(4)}` });
  it.each<[string, number, () => readonly object[]]>([
    ['a body that was changed', 2, denied],
    ['a body of another place', 2, () => edit(4, { body: body(5) })],
    ['a body that is no text', 2, () => edit(4, { body: {} })],
    ['a body beside its hash', 2, () => edit(4, { leaf_hash: '0'.repeat(64) })],
    ['a body beside a checkpoint', 2, () => edit(4, { checkpoint: kept })],
    ['a salt that was changed', 2, () => edit(4, { salt: lines[5]!['salt'] })],
    ['a byte moved from the salt to the body', 2, shiftByte],
    ['a record missing', 6, () => lines.toSpliced(5, 1)],
    ['a record twice', 6, () => lines.toSpliced(5, 0, lines[5]!)],
    ['an export without its end', 3, () => lines.slice(0, -3)],
    ['fewer records than were signed', 3, () => lines.toSpliced(-3, 2)],
    ['a record behind the checkpoint', 2, () => [...lines, { ...lines[3], seq: 300 }]],
    ['fewer records, signed anew', 3, () => sign(lines.toSpliced(30, 271), signer)],
    ['another history, signed anew', 4, () => sign(denied(), signer)],
    ['another history, signed by another', 5, () => sign(denied(), { ...thief, keyId })],
    ['the public key of another', 5, () => edit(0, { public_key: thief.publicKey })],
    ['the name of another log', 2, () => edit(0, { log: otherName })],
    ['another size', 2, () => edit(0, { size: 301 })],
    ['no first line', 1, () => lines.slice(1)],
    ['nothing', 1, () => []],
  ])('finds %s', async (_what, code, create) => {
    expect(await verify(create())).toEqual([code, expect.stringMatching(/^[A-Z].+/u)]);
  });

  it('finds a line that cannot be read', async () => {
    const texts = toTexts(lines).with(3, '{');
    expect((await verifyExport(texts, publicKey))[0]).toBe(2);
  });

  it('finds an export that is signed by none of the given keys', async () => {
    expect((await verify(lines, [], thief.publicKey))[0]).toBe(5);
  });
});

describe('the command', () => {
  const run = (...words: string[]) => {
    const flags = ['--disable-warning=ExperimentalWarning', verifier, ...words];
    const { status, stdout, stderr } = spawnSync(process.execPath, flags, { encoding: 'utf8' });
    return [status, stdout, stderr];
  };

  it('verifies a database and an export with keys and checkpoints from files', () => {
    const [keys, note, text] = ['keys', 'note', 'log.ndjson'].map((name) => join(folder, name));
    writeFileSync(keys!, `${publicKey}\n`);
    writeFileSync(note!, kept);
    writeFileSync(text!, `${toTexts(lines).join('\n')}\n`);
    const holds = [0, 'Holds: 300 records and 1 old checkpoints\n', ''];
    expect(run(sample, keys!, note!)).toEqual(holds);
    expect(run(text!, publicKey, note!)).toEqual(holds);
    expect(run(sample, thief.publicKey)[0]).toBe(5);
  });

  it('reads an export whose bodies have other line ends of Unicode', () => {
    const [file, text] = [join(folder, 'ends.db'), join(folder, 'ends.ndjson')];
    const db = createLog(file, publicKey);
    append(db, signer, [{ details: 'a\u2028b\u2029c\u0085d' }]);
    writeFileSync(text, toTexts(exportLog(db, publicKey, [1])).join('\n'));
    db.close();
    expect(run(text, publicKey)[0]).toBe(0);
  });

  it('says what is missing, with exit code 1', () => {
    const empty = join(folder, 'empty');
    writeFileSync(empty, '');
    expect(run(sample)).toEqual([1, '', expect.stringContaining('public key')]);
    expect(run(sample, join(folder, 'nowhere'))[0]).toBe(1);
    expect(run(join(folder, 'nowhere'), publicKey)[0]).toBe(1);
    expect(run(empty, publicKey)[0]).toBe(1);
    expect(run(sample, publicKey, join(folder, 'nowhere'))[0]).toBe(1);
  });
});
