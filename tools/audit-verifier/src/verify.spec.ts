import { describe, expect, it } from '@jest/globals';
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { GrowingTree, leafHash, treeRoot, verifyExport } from './verify.mjs';

const name = 'clinic.example/audit/0123456789ab';
interface Signer {
  readonly privateKey: KeyObject;
  readonly publicKey: string;
}

function signer(): Signer {
  const made = generateKeyPairSync('ed25519');
  const raw = made.publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  const key = Buffer.concat([Buffer.of(1), raw]);
  const id = createHash('sha256').update(`${name}\n`).update(key).digest('hex').slice(0, 8);
  return { privateKey: made.privateKey, publicKey: `${name}+${id}+${key.toString('base64')}` };
}
const pair = signer();
const { publicKey } = pair;

function note(leaves: readonly Buffer[], { privateKey, publicKey: vkey }: Signer = pair): string {
  const root = treeRoot(leaves).toString('base64');
  const text = `${name}\n${String(leaves.length)}\n${root}\n`;
  const keyId = Buffer.from(vkey.split('+')[1] ?? '', 'hex');
  const signature = Buffer.concat([keyId, sign(null, Buffer.from(text), privateKey)]);
  return `${text}\n— ${name} ${signature.toString('base64')}\n`;
}

const records = Array.from({ length: 20 }, (_, seq) => ({
  seq,
  salt: randomBytes(16).toString('hex'),
  body: `{"operation":"resolveUser","request":${String(seq)}}`,
}));
const leaves = records.map(({ salt, body }) => leafHash(Buffer.from(salt, 'hex'), body));
const old = note(leaves.slice(0, 7));
const seal = (
  first: number,
  size: number,
  {
    privateKey,
    checkpoint = first,
    of = leaves,
  }: { privateKey: KeyObject; checkpoint?: number; of?: readonly Buffer[] } = pair,
): object => {
  const root = treeRoot(of.slice(0, size)).toString('base64');
  const numbers = [first, size, root, checkpoint].map((one) => `${String(one)}\n`).join('');
  const text = `caregate audit seal v1\n${name}\n${numbers}`;
  const signature = sign(null, Buffer.from(text), privateKey).toString('base64');
  return { seal: { first, size, root, checkpoint_size: checkpoint, signature } };
};

const whole = [
  JSON.stringify({ log: name }),
  ...records.map((record) => JSON.stringify(record)),
  JSON.stringify(seal(0, 20)),
  JSON.stringify({ checkpoint: note(leaves) }),
];

describe('the independent verifier', () => {
  it('is short enough to be read in half an hour, and needs nothing but Node', () => {
    const text = readFileSync(new URL('verify.mjs', import.meta.url), 'utf8');
    expect(text.split('\n').length).toBeLessThan(250);
    const imports = [...text.matchAll(/^import .* from '([^']+)'/gmu)].map(([, from]) => from);
    expect(imports).toEqual(['node:crypto', 'node:fs', 'node:readline']);
  });

  it('knows the root of the reference tests of Certificate Transparency', () => {
    const inputs = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657'];
    const tree = new GrowingTree();
    for (const hex of [...inputs, '606162636465666768696a6b6c6d6e6f']) {
      tree.add(leafHash(Buffer.alloc(0), Buffer.from(hex, 'hex')));
    }
    expect(tree.root().toString('hex')).toBe(
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    );
  });

  it('holds for a whole export and an old checkpoint of it', async () => {
    expect(await verifyExport(whole, publicKey, [old])).toEqual([0, expect.stringContaining('20')]);
  });

  const changed = (at: number, change: object): string[] =>
    whole.with(at + 1, JSON.stringify({ ...records[at], ...change }));
  const resigned = (from: readonly Buffer[], lines: readonly string[]): string[] => [
    ...lines,
    JSON.stringify({ checkpoint: note(from) }),
  ];
  const other = { ...records[3]!, body: records[3]!.body.replace('resolve', 'list') };
  const forged = leaves.with(3, leafHash(Buffer.from(other.salt, 'hex'), other.body));

  it.each<[string, string[], number]>([
    ['a body that was changed', changed(3, { body: other.body }), 2],
    [
      'a body after the old checkpoint that was changed',
      changed(10, { body: records[10]!.body.replace('resolve', 'list') }),
      2,
    ],
    ['a body of another place', changed(3, { body: records[4]!.body }), 2],
    ['a body that is no text', changed(3, { body: { operation: 'resolveUser' } }), 2],
    ['a salt that was changed', changed(10, { salt: records[4]!.salt }), 2],
    ['an export without its end', whole.slice(0, -3), 3],
    ['a record missing', whole.toSpliced(5, 1), 6],
    ['two records swapped', whole.with(5, whole[6]!).with(6, whole[5]!), 6],
    [
      'fewer records, signed anew',
      resigned(leaves.slice(0, 5), [...whole.slice(0, 6), JSON.stringify(seal(0, 5))]),
      3,
    ],
    ['fewer records than were signed', resigned(leaves, whole.slice(0, -3)), 3],
    [
      'another history, sealed and signed anew',
      resigned(forged, [
        ...changed(3, other).slice(0, -2),
        JSON.stringify(seal(0, 20, { ...pair, of: forged })),
      ]),
      4,
    ],
    [
      'a signature of another',
      resigned(leaves, whole.slice(0, -1)).with(
        -1,
        JSON.stringify({ checkpoint: note(leaves, { ...pair, privateKey: signer().privateKey }) }),
      ),
      5,
    ],
  ])('finds %s', async (_what, lines, code) => {
    const [found] = await verifyExport(lines, publicKey, [old]);
    expect(found).toBe(code);
  });

  describe('with seals', () => {
    const unsealed = whole.toSpliced(-2, 1);
    const withSeals = (changes: Readonly<Record<number, object | undefined>> = {}): string[] =>
      unsealed.flatMap((line, at) => {
        const size = at;
        const own = size > 0 && size % 5 === 0 && size <= 20 ? seal(size - 5, size) : undefined;
        const put = size in changes ? changes[size] : own;
        return put === undefined ? [line] : [line, JSON.stringify(put)];
      });

    it('holds where each group has its own', async () => {
      expect((await verifyExport(withSeals(), publicKey, [old]))[0]).toBe(0);
    });

    it.each<[string, string[], number]>([
      ['a seal by another key', withSeals({ 10: seal(5, 10, generateKeyPairSync('ed25519')) }), 5],
      ['the seal of another group', withSeals({ 10: seal(0, 5) }), 6],
      ['an inner seal missing', withSeals({ 10: undefined }), 6],
      ['a seal in another place', withSeals({ 9: seal(5, 10), 10: undefined }), 2],
      [
        'a seal that names a checkpoint that can not be',
        withSeals({ 10: seal(5, 10, { ...pair, checkpoint: 6 }) }),
        2,
      ],
      [
        'a seal that names an older checkpoint than the one before',
        withSeals({ 15: seal(10, 15, { ...pair, checkpoint: 0 }) }),
        2,
      ],
      ['the last seal missing', withSeals({ 20: undefined }), 5],
      ['a line that can not be read', withSeals().with(3, '{'), 2],
    ])('finds %s', async (_what, lines, code) => {
      expect((await verifyExport(lines, publicKey, [old]))[0]).toBe(code);
    });
  });

  describe('of a log whose key was replaced', () => {
    const next = signer();
    const at = 6;
    const root = treeRoot(leaves.slice(0, at)).toString('base64');
    interface Change {
      readonly size?: number;
      readonly tree?: string;
      readonly by?: readonly [KeyObject, KeyObject];
      readonly from?: string;
      readonly to?: string;
    }
    const change = ({
      size = at,
      tree = root,
      by = [pair.privateKey, next.privateKey],
      from = publicKey,
      to = next.publicKey,
    }: Change = {}): (typeof records)[0] => {
      const text = `caregate audit key v1\n${name}\n${String(size)}\n${tree}\n${from}\n${to}\n`;
      const [old, agreed] = by.map((key) => sign(null, Buffer.from(text), key).toString('base64'));
      const details = {
        root: tree,
        old_public_key: from,
        public_key: to,
        signed_by_old: old,
        signed_by_new: agreed,
      };
      return {
        ...records[at]!,
        body: JSON.stringify({ _log: 1, details, operation: 'rotateAuditKey' }),
      };
    };
    /** Groups of two, those from the change on by the next key. */
    const turned = (
      record = change(),
      {
        alone = pair,
        after = next,
        last = next,
        first = publicKey,
      }: { alone?: Signer; after?: Signer; last?: Signer; first?: string } = {},
    ): string[] => {
      const all = records.with(at, record);
      const of = all.map(({ salt, body }) => leafHash(Buffer.from(salt, 'hex'), body));
      const lines = all.flatMap((one) => {
        const { seq } = one;
        const line = JSON.stringify(one);
        const sealed = (from: number, by: Signer): string[] => [
          line,
          JSON.stringify(seal(from, seq + 1, { privateKey: by.privateKey, checkpoint: 0, of })),
        ];
        if (seq === at) return sealed(at, alone);
        if (seq < at) return seq % 2 === 1 ? sealed(seq - 1, pair) : [line];
        return seq % 2 === 0 || seq === 19 ? sealed(seq % 2 === 0 ? seq - 1 : seq, after) : [line];
      });
      const signed = JSON.stringify({ checkpoint: note(of, last) });
      return [JSON.stringify({ log: name, verifier_key: first }), ...lines, signed];
    };
    const other = signer();

    it('holds for whoever knows the old key, or the new one, and a checkpoint by the old one', async () => {
      for (const known of [publicKey, next.publicKey]) {
        const kept = note(leaves.slice(0, 5));
        expect(await verifyExport(turned(), known, [kept])).toEqual([0, expect.any(String)]);
      }
      expect((await verifyExport(turned(), other.publicKey))[0]).toBe(5);
    });

    it.each<[string, string[]]>([
      ['that the new key did not sign', turned(change({ by: [pair.privateKey, pair.privateKey] }))],
      ['that the old key did not sign', turned(change({ by: [next.privateKey, next.privateKey] }))],
      ['of another size', turned(change({ size: at + 1 }))],
      ['of another tree', turned(change({ tree: treeRoot(leaves).toString('base64') }))],
      [
        'to the same key',
        turned(change({ by: [pair.privateKey, pair.privateKey], to: publicKey }), {
          after: pair,
          last: pair,
        }),
      ],
      [
        'from a key that is another',
        turned(change({ by: [other.privateKey, next.privateKey], from: other.publicKey })),
      ],
      ['sealed by the new key', turned(change(), { alone: next })],
      ['after which the old key seals', turned(change(), { after: pair })],
      ['after which the old key signs', turned(change(), { last: pair })],
      ['of a first key that is another', turned(change(), { first: other.publicKey })],
    ])('finds a change %s', async (_what, lines) => {
      expect((await verifyExport(lines, publicKey))[0]).toBe(5);
    });
  });

  it('takes the hash alone of a record that was left out', async () => {
    const cut = whole.with(1, JSON.stringify({ seq: 0, leaf_hash: leaves[0]!.toString('hex') }));
    expect((await verifyExport(cut, publicKey, [old]))[0]).toBe(0);
  });
});
