import { generateKeyPairSync, createHash, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import {
  BadCheckpointError,
  openCheckpoint,
  parseVerifierKey,
  verifyConsistency,
} from '@caregate/audit-log/checkpoint';
import { witnessSchema } from '../../bridge/witness.ts';
import { Witness } from './witness.ts';

/** Another's proofs, written from the RFC: this room only verifies. */
const { consistencyProof, treeRoot } = (await import(
  new URL('../../../../../tools/audit-verifier/src/verify.mjs', import.meta.url).href
)) as {
  consistencyProof: (older: number, leaves: readonly Buffer[]) => Buffer[];
  treeRoot: (leaves: readonly Buffer[]) => Buffer;
};

const address = 'https://caregate.example';
const name = 'caregate.example/log-1';
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-witness-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const leaf = (text: string): Buffer => createHash('sha256').update(text).digest();
const leavesOf = (count: number, salt = ''): Buffer[] =>
  Array.from({ length: count }, (_, index) => leaf(`${salt}${String(index)}`));

/** A log that signs what it says; `leaves` may be anything at any time. */
class Log {
  leaves: Buffer[] = [];
  privateKey: KeyObject;
  verifierKey: string;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    this.privateKey = privateKey;
    const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
    const all = Buffer.concat([Buffer.of(1), raw]);
    const id = createHash('sha256').update(`${name}\n`).update(all).digest().subarray(0, 4);
    this.verifierKey = `${name}+${id.toString('hex')}+${all.toString('base64')}`;
  }

  note(): string {
    const text = `${name}\n${String(this.leaves.length)}\n${treeRoot(this.leaves).toString('base64')}\n`;
    const id = Buffer.from(this.verifierKey.split('+')[1]!, 'hex');
    const signature = Buffer.concat([id, sign(null, Buffer.from(text), this.privateKey)]);
    return `${text}\n— ${name} ${signature.toString('base64')}\n`;
  }

  ask = async (path: string): Promise<{ status: number; body: string } | undefined> => {
    const { pathname, searchParams } = new URL(path, address);
    await Promise.resolve();
    if (pathname === '/audit/key') return { status: 200, body: `${this.verifierKey}\n` };
    if (pathname === '/audit/checkpoint') return { status: 200, body: this.note() };
    const proof = consistencyProof(
      Number(searchParams.get('from')),
      this.leaves.slice(0, Number(searchParams.get('to'))),
    );
    const hashes = proof.map((hash) => hash.toString('base64'));
    return { status: 200, body: JSON.stringify({ proof: hashes }) };
  };
}

const witness = (): Witness => new Witness({ folder, now: () => '2026-11-21T10:00:00.000Z' });

/** A log of `count` records that was seen once. */
async function seen(count: number): Promise<Log> {
  const log = new Log();
  log.leaves = leavesOf(count);
  expect(await witness().check(address, log.ask)).toMatchObject({ kind: 'holds', size: count });
  return log;
}

interface Tree {
  readonly size: number;
  readonly root: Buffer;
}
const holds = (older: Tree, newer: Tree, proof: readonly Buffer[]): boolean =>
  verifyConsistency(older.size, newer.size, proof, older.root, newer.root);

describe('a proof of growth', () => {
  it('holds for every two sizes of one log, and for no other log', () => {
    for (let size = 0; size <= 40; size += 1) {
      const leaves = leavesOf(size);
      const newer = { size, root: treeRoot(leaves) };
      for (let older = 0; older <= size; older += 1) {
        const proof = older === 0 ? [] : consistencyProof(older, leaves);
        const root = treeRoot(leaves.slice(0, older));
        expect(holds({ size: older, root }, newer, proof)).toBe(true);
        expect(holds({ size: older, root: leaf('other') }, newer, proof)).toBe(false);
        // Any log begins with the empty one.
        if (older === 0) continue;
        expect(holds({ size: older, root }, { size, root: leaf('x') }, proof)).toBe(false);
      }
    }
  });

  it('does not hold with a hash changed, left out or added', () => {
    const sizes = fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 60 }));
    fc.assert(
      fc.property(sizes, fc.nat(), ([older, more], pick) => {
        const leaves = leavesOf(older + more);
        const proof = consistencyProof(older, leaves);
        const from = { size: older, root: treeRoot(leaves.slice(0, older)) };
        const to = { size: leaves.length, root: treeRoot(leaves) };
        const at = pick % proof.length;
        expect(holds(from, to, proof.with(at, leaf('changed')))).toBe(false);
        expect(holds(from, to, proof.toSpliced(at, 1))).toBe(false);
        expect(holds(from, to, [...proof, leaf('more')])).toBe(false);
      }),
    );
  });
});

describe('a signed note', () => {
  it('is read where its key signed it, and not where one character differs', () => {
    const log = new Log();
    log.leaves = leavesOf(7);
    const key = parseVerifierKey(log.verifierKey);
    const note = log.note();
    expect(openCheckpoint(note, key)).toMatchObject({ size: 7, root: treeRoot(log.leaves) });
    const other = parseVerifierKey(new Log().verifierKey);
    expect(() => openCheckpoint(note, other)).toThrow(BadCheckpointError);
    const inText = note.indexOf('\n\n');
    for (let at = 0; at < inText; at += 1) {
      const changed = note.slice(0, at) + (note[at] === '1' ? '2' : '1') + note.slice(at + 1);
      expect(() => openCheckpoint(changed, key)).toThrow(BadCheckpointError);
    }
  });

  it('and a key are never taken from anything else', () => {
    const key = parseVerifierKey(new Log().verifierKey);
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => parseVerifierKey(text)).toThrow(BadCheckpointError);
        expect(() => openCheckpoint(text, key)).toThrow(BadCheckpointError);
      }),
    );
  });
});

describe('the witness', () => {
  it('keeps what it saw, and follows a log that grows, over starts of the program', async () => {
    const log = await seen(5);
    for (const count of [5, 6, 8, 31, 32, 100]) {
      log.leaves = leavesOf(count);
      expect(await witness().check(address, log.ask)).toMatchObject({ kind: 'holds', size: count });
    }
    const kept = readFileSync(join(folder, 'witness.json'), 'utf8');
    expect(Object.keys(JSON.parse(kept) as object)).toEqual([address]);
  });

  const breaches: readonly [string, string, (log: Log) => void][] = [
    ['changed', 'a record was changed', (log) => (log.leaves = [leaf('x'), ...leavesOf(20)])],
    ['changed', 'the last was changed', (log) => (log.leaves = leavesOf(9).with(8, leaf('x')))],
    ['cutOff', 'its end was cut off', (log) => (log.leaves = leavesOf(8))],
    [
      'keyChanged',
      'it has another key',
      (log) => {
        ({ privateKey: log.privateKey, verifierKey: log.verifierKey } = new Log());
      },
    ],
    ['badSignature', 'another key signs', (log) => (log.privateKey = new Log().privateKey)],
  ];
  it.each(breaches)('finds "%s" where %s, and keeps it', async (why, _what, spoil) => {
    const log = await seen(9);
    const good = log.note();
    spoil(log);
    const state = await witness().check(address, log.ask);
    expect(state).toMatchObject({ kind: 'broken', why, evidence: log.note() });
    expect(witnessSchema(state).ok).toBe(true);
    expect(witness().state(address)).toEqual(state);
    expect(readFileSync(join(folder, 'witness.json'), 'utf8')).toContain(good.split('\n')[2]);
    // The log as it should be doesn't make it undone.
    Object.assign(log, { leaves: leavesOf(12) });
    expect(await witness().check(address, log.ask)).toMatchObject({ kind: 'broken', why });
  });

  it('begins anew where someone says so, and keeps what was found', async () => {
    const log = await seen(9);
    log.leaves = leavesOf(3);
    const mine = witness();
    await mine.check(address, log.ask);
    mine.reset(address);
    expect(mine.state(address)).toEqual({ kind: 'nothing' });
    expect(await mine.check(address, log.ask)).toMatchObject({ kind: 'holds', size: 3 });
    expect(readFileSync(join(folder, 'witness.json'), 'utf8')).toContain('cutOff');
  });

  it('begins anew also while the service is being asked', async () => {
    const log = await seen(9);
    log.leaves = leavesOf(12);
    const mine = witness();
    const resetMeanwhile: Log['ask'] = (path) => {
      if (path.startsWith('/audit/proof')) mine.reset(address);
      return log.ask(path);
    };
    expect(await mine.check(address, resetMeanwhile)).toMatchObject({ kind: 'holds', size: 12 });
    expect(witness().state(address)).toMatchObject({ kind: 'holds', size: 12 });
  });

  it.each([
    ['refuses', { status: 403, body: '' }],
    ['has no such path', { status: 404, body: '{}' }],
    ['answers with a page', { status: 200, body: '<html>\n\n— sign in' }],
    ['gives no answer', undefined],
  ])('leaves all as it was where the service %s', async (_what, answer) => {
    const nothing = witness();
    expect(await nothing.check(address, () => Promise.resolve(answer))).toEqual({
      kind: 'nothing',
    });
    const log = await seen(9);
    const before = witness().state(address);
    expect(await witness().check(address, () => Promise.resolve(answer))).toEqual(before);
    log.leaves = leavesOf(20);
    const withoutProof: Log['ask'] = (path) =>
      path.startsWith('/audit/proof') ? Promise.resolve(answer) : log.ask(path);
    expect(await witness().check(address, withoutProof)).toEqual(before);
  });

  it('begins anew with a file that is damaged', async () => {
    const log = await seen(9);
    for (const content of ['', '{', '[]', '7', `{"${address}": {"key": "x"}}`]) {
      writeFileSync(join(folder, 'witness.json'), content);
      expect(await witness().check(address, log.ask)).toMatchObject({ kind: 'holds', size: 9 });
    }
  });
});
