import { generateKeyPairSync, createHash, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { LogReader, ProvenTree, VerifierKey } from '@caregate/audit-log';
import { appendMany, loadKey, openWriter, signCheckpoint } from '@caregate/audit-log/testing';
import { folderForEach } from '../files/folder-for-each.testing.ts';
import { witnessSchema } from '../../bridge/witness.ts';
import { Witness } from './witness.ts';
import type { LogSource } from './witness.ts';

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
folderForEach((made) => (folder = made));

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

  readonly source: LogSource = {
    key: () => Promise.resolve(`${this.verifierKey}\n`),
    checkpoint: () => Promise.resolve(this.note()),
    proof: (from, to) => {
      const proof = consistencyProof(from, this.leaves.slice(0, to));
      return Promise.resolve({ proof: proof.map((hash) => hash.toString('base64')) });
    },
  };
}

const witness = (): Witness => new Witness({ folder, now: () => '2026-11-21T10:00:00.000Z' });

/** A log of `count` records that was seen once. */
async function seen(count: number): Promise<Log> {
  const log = new Log();
  log.leaves = leavesOf(count);
  expect(await witness().check(address, log.source)).toMatchObject({ kind: 'holds', size: count });
  return log;
}

describe('the witness', () => {
  it('keeps what it saw, and follows a log that grows, over starts of the program', async () => {
    const log = await seen(5);
    for (const count of [5, 6, 8, 31, 32, 100]) {
      log.leaves = leavesOf(count);
      expect(await witness().check(address, log.source)).toMatchObject({
        kind: 'holds',
        size: count,
      });
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
    const state = await witness().check(address, log.source);
    expect(state).toMatchObject({ kind: 'broken', why, evidence: log.note() });
    expect(witnessSchema(state).ok).toBe(true);
    expect(witness().state(address)).toEqual(state);
    expect(readFileSync(join(folder, 'witness.json'), 'utf8')).toContain(good.split('\n')[2]);
    // The log as it should be doesn't make it undone.
    Object.assign(log, { leaves: leavesOf(12) });
    expect(await witness().check(address, log.source)).toMatchObject({ kind: 'broken', why });
  });

  it('follows a key that the known one named as the next, and then takes the old one no more', async () => {
    const data = join(folder, 'data');
    mkdirSync(data);
    const log = openWriter(data);
    const old = loadKey(join(data, 'audit-key.pem')) as KeyObject;
    appendMany(log, 20);
    const reader = LogReader.open(data);
    const source: LogSource = {
      key: () => Promise.resolve(log.verifierKey),
      checkpoint: () => Promise.resolve(log.checkpoint()),
      proof: async (from, to) => {
        const signed = VerifierKey.parse(log.verifierKey).open(log.checkpoint());
        const { hashes } = await new ProvenTree(reader, signed).consistency(from, to);
        return { proof: hashes.map((hash) => hash.toString('base64')) };
      },
    };
    for (const size of [20, 31, 42]) {
      const state = await witness().check(address, source);
      expect(state).toMatchObject({ kind: 'holds', size });
      log.rotateKey(log.nextKey(), 'amara');
      appendMany(log, 10);
    }
    const { origin, size, root } = VerifierKey.parse(log.verifierKey).open(log.checkpoint());
    const stolen = {
      ...source,
      checkpoint: () => Promise.resolve(signCheckpoint({ origin, size, root }, old)),
    };
    const state = await witness().check(address, stolen);
    expect(state).toMatchObject({ kind: 'broken', why: 'keyChanged' });
    reader.close();
    log.close();
  });

  it('begins anew where someone says so, and keeps what was found', async () => {
    const log = await seen(9);
    log.leaves = leavesOf(3);
    const mine = witness();
    await mine.check(address, log.source);
    mine.reset(address);
    expect(mine.state(address)).toEqual({ kind: 'nothing' });
    expect(await mine.check(address, log.source)).toMatchObject({ kind: 'holds', size: 3 });
    expect(readFileSync(join(folder, 'witness.json'), 'utf8')).toContain('cutOff');
  });

  it('begins anew also while the service is being asked', async () => {
    const log = await seen(9);
    log.leaves = leavesOf(12);
    const mine = witness();
    const resetMeanwhile: LogSource = {
      ...log.source,
      proof: (from, to) => {
        mine.reset(address);
        return log.source.proof(from, to);
      },
    };
    expect(await mine.check(address, resetMeanwhile)).toMatchObject({ kind: 'holds', size: 12 });
    expect(witness().state(address)).toMatchObject({ kind: 'holds', size: 12 });
  });

  it.each([
    ['answers with a page', '<html>\n\n— sign in', {}],
    ['gives no answer', undefined, undefined],
  ])('leaves all as it was where the service %s', async (_what, text, proof) => {
    const silent: LogSource = {
      key: () => Promise.resolve(text),
      checkpoint: () => Promise.resolve(text),
      proof: () => Promise.resolve(proof),
    };
    expect(await witness().check(address, silent)).toEqual({ kind: 'nothing' });
    const log = await seen(9);
    const before = witness().state(address);
    expect(await witness().check(address, silent)).toEqual(before);
    log.leaves = leavesOf(20);
    const withoutProof = { ...log.source, proof: silent.proof };
    expect(await witness().check(address, withoutProof)).toEqual(before);
  });

  it('begins anew with a file that is damaged', async () => {
    const log = await seen(9);
    for (const content of ['', '{', '[]', '7', `{"${address}": {"key": "x"}}`]) {
      writeFileSync(join(folder, 'witness.json'), content);
      expect(await witness().check(address, log.source)).toMatchObject({ kind: 'holds', size: 9 });
    }
  });
});
