import { describe, expect, it } from '@jest/globals';
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { GrowingTree, leafHash, treeRoot, verifyExport } from './verify.mjs';

const name = 'clinic.example/audit/0123456789ab';
const pair = generateKeyPairSync('ed25519');
const key = Buffer.concat([
  Buffer.of(1),
  pair.publicKey.export({ type: 'spki', format: 'der' }).subarray(-32),
]);
const keyId = createHash('sha256').update(`${name}\n`).update(key).digest().subarray(0, 4);
const publicKey = `${name}+${keyId.toString('hex')}+${key.toString('base64')}`;

function note(leaves: readonly Buffer[], { privateKey } = pair): string {
  const root = treeRoot(leaves).toString('base64');
  const text = `${name}\n${String(leaves.length)}\n${root}\n`;
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
    expect(text.split('\n').length).toBeLessThan(230);
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
        JSON.stringify({ checkpoint: note(leaves, generateKeyPairSync('ed25519')) }),
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

  it('takes the hash alone of a record that was left out', async () => {
    const cut = whole.with(1, JSON.stringify({ seq: 0, leaf_hash: leaves[0]!.toString('hex') }));
    expect((await verifyExport(cut, publicKey, [old]))[0]).toBe(0);
  });
});
