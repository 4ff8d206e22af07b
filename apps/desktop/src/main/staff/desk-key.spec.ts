import { createHash, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { calculateJwkThumbprint, decodeProtectedHeader, EmbeddedJWK, jwtVerify } from 'jose';
import { DeskKey } from './desk-key.ts';

const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const url = 'https://caregate.example/v2/user/?offset=0&limit=1';

describe.each([
  ['Ed25519', DeskKey.generate()],
  ['P-256', new DeskKey(p256.export({ format: 'jwk' }))],
])('a desk key of %s', (_curve, key) => {
  it('creates proofs that another implementation accepts, for the address without its query', async () => {
    const proof = key.createProof('GET', url, 'cg_sess_token');
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, { typ: 'dpop+jwt' });
    expect(payload).toMatchObject({
      htm: 'GET',
      htu: 'https://caregate.example/v2/user/',
      ath: createHash('sha256').update('cg_sess_token').digest('base64url'),
    });
    expect(protectedHeader.jwk).not.toHaveProperty('d');
    expect(await calculateJwkThumbprint(protectedHeader.jwk!)).toBe(key.thumbprint);
  });

  it('creates a different proof each time, without a token hash if there is no token', () => {
    const [first, second] = [key.createProof('POST', url), key.createProof('POST', url)];
    expect(first).not.toBe(second);
    const claims = JSON.parse(Buffer.from(first.split('.')[1]!, 'base64url').toString()) as object;
    expect(claims).not.toHaveProperty('ath');
    expect(decodeProtectedHeader(first).typ).toBe('dpop+jwt');
  });

  it('is the same key after sealing', () => {
    expect(new DeskKey(key.exportJwk()).thumbprint).toBe(key.thumbprint);
  });
});

it('derives a nonce that no other key has', () => {
  const [one, other] = [DeskKey.generate(), DeskKey.generate()];
  expect(one.computeNonce('r')).toBe(
    createHash('sha256').update(`${one.thumbprint}.r`).digest('base64url'),
  );
  expect(one.computeNonce('r')).not.toBe(other.computeNonce('r'));
});

it('refuses other kinds of keys, and public keys', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;
  expect(() => new DeskKey(rsa.export({ format: 'jwk' }))).toThrow(TypeError);
  const { d, ...open } = p256.export({ format: 'jwk' });
  expect(d).toBeDefined();
  expect(() => new DeskKey(open)).toThrow();
});
