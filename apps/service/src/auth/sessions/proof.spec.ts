import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { generateKeyPairSync, hash } from 'node:crypto';
import { TestDesk, type ProofChanges } from './desk.testing.ts';
import { ProofError, Proofs, UsedProofs, type ProvedRequest } from './proof.ts';

const now = Date.UTC(2026, 10, 22, 9, 30);
const publicUrl = 'https://caregate.clinic.example/api';
const requested = {
  method: 'GET',
  path: '/v2/user',
  token: 'token',
  keys: undefined,
} as const;
const url = `${publicUrl}${requested.path}`;
const proofs = new Proofs(
  () => now,
  () => publicUrl,
);

async function faultOf(
  proof: string | undefined,
  request: ProvedRequest = requested,
): Promise<string | undefined> {
  try {
    await proofs.check(proof, request);
    return undefined;
  } catch (error) {
    if (error instanceof ProofError) {
      return error.fault;
    }
    throw error;
  }
}

describe.each(['EdDSA', 'ES256'] as const)('a proof by %s', (algorithm) => {
  const desk = new TestDesk({ algorithm, now: () => now });
  const other = new TestDesk({ algorithm, now: () => now });
  const proof = (changes: ProofChanges = {}): string =>
    desk.proof('GET', url, { token: 'token', ...changes });

  it('is accepted, and names the key of its desk', async () => {
    const { thumbprint } = await proofs.check(proof(), {
      ...requested,
      keys: [other.thumbprint, desk.thumbprint],
    });
    expect(thumbprint).toBe(desk.thumbprint);
  });

  it.each<readonly [string, ProofChanges]>([
    ['form', { header: { typ: 'JWT' } }],
    ['form', { header: { alg: 'none' } }],
    ['form', { header: { alg: 'HS256' } }],
    ['form', { header: { alg: algorithm === 'EdDSA' ? 'ES256' : 'EdDSA' } }],
    ['form', { header: { jwk: undefined } }],
    ['form', { header: { jwk: { kty: 'oct', k: 'c2VjcmV0' } } }],
    ['form', { header: { crit: ['exp'] } }],
    ['form', { claims: { jti: undefined } }],
    ['form', { claims: { jti: 'x'.repeat(129) } }],
    ['form', { claims: { iat: undefined } }],
    ['signature', { header: { jwk: other.jwk } }],
    ['signature', { sign: () => Buffer.alloc(64) }],
    ['method', { claims: { htm: 'POST' } }],
    ['address', { claims: { htu: 'https://elsewhere.example/api/v2/user' } }],
    ['address', { claims: { htu: 'http://caregate.clinic.example/api/v2/user' } }],
    ['address', { claims: { htu: 'https://caregate.clinic.example/v2/user' } }],
    ['address', { claims: { htu: `${publicUrl}/v2/user/resolve/x` } }],
    ['address', { claims: { htu: undefined } }],
    ['address', { claims: { htu: 'nonsense' } }],
    ['clock', { claims: { iat: now / 1000 - 61 } }],
    ['clock', { claims: { iat: now / 1000 + 61 } }],
    ['session', { claims: { ath: undefined } }],
    ['session', { claims: { ath: hash('sha256', 'another', 'base64url') } }],
  ])('that has a wrong %s is refused: %j', async (fault, changes) => {
    expect(await faultOf(proof(changes))).toBe(fault);
  });

  it('may be a minute off, and name the address in another way', async () => {
    for (const seconds of [-60, 60]) {
      expect(await faultOf(proof({ claims: { iat: now / 1000 + seconds } }))).toBeUndefined();
    }
    const same = 'HTTPS://CAREGATE.clinic.example:443/api/v2/user?limit=1#top';
    expect(await faultOf(proof({ claims: { htu: same } }))).toBeUndefined();
  });

  it('of another desk is refused, with its own right signature', async () => {
    const request = { ...requested, keys: [desk.thumbprint] };
    expect(await faultOf(other.proof('GET', url, { token: 'token' }), request)).toBe('key');
  });
});

it('a private key in a proof is refused', async () => {
  const desk = new TestDesk({ now: () => now });
  const { d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const leaked = desk.proof('GET', url, { token: 'token', header: { jwk: { ...desk.jwk, d } } });
  expect(await faultOf(leaked)).toBe('form');
});

it('text that is no proof is refused', async () => {
  for (const nothing of [undefined, '', '.', '..', 'a.b', 'a.b.c', 'a.b.c.d', 'e30.e30.e30']) {
    expect(await faultOf(nothing)).toBe('form');
  }
  await fc.assert(fc.asyncProperty(fc.string(), async (text) => (await faultOf(text)) === 'form'));
});

describe('used proofs', () => {
  it('are refused for at least two minutes, and then forgotten', () => {
    let elapsed = 0;
    const memory = new UsedProofs(() => elapsed);
    fc.assert(
      fc.property(
        fc.uuid(),
        fc.nat({ max: 400_000 }),
        fc.nat({ max: 120_999 }),
        (id, gap, wait) => {
          elapsed += gap;
          expect(memory.add(id)).toBeUndefined();
          elapsed += wait;
          expect(memory.add(id)).toBe('replay');
          elapsed += 242_000;
          expect(memory.add(id)).toBeUndefined();
        },
      ),
    );
  });

  it('are never forgotten early: a full memory refuses new ones', () => {
    let elapsed = 0;
    const memory = new UsedProofs(() => elapsed, 3);
    expect(['a', 'b', 'c', 'd', 'a'].map((id) => memory.add(id))).toEqual([
      ...[undefined, undefined, undefined, 'full', 'replay'],
    ]);
    elapsed += 120_999;
    expect(['d', 'a'].map((id) => memory.add(id))).toEqual(['full', 'replay']);
    elapsed += 1;
    expect(memory.add('d')).toBeUndefined();
  });
});
