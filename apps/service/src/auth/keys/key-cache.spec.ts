import { describe, expect, it } from '@jest/globals';
import { KeyCache, type KeyRow } from './key-check.ts';
import { hashOf } from './key-format.ts';
import type { KeyPrincipal } from '../principal.ts';

describe('a key that is kept', () => {
  const secretHash = hashOf('secret');
  const row = { key_id: 'id', secret_hash: secretHash } as unknown as KeyRow;
  const made = { keyId: 'id' } as KeyPrincipal;
  const presented = { keyId: 'id', secretHash, name: '' };

  it('is found with its secret until the version is another one', () => {
    let version = 1;
    const keys = new KeyCache(() => version);
    expect(keys.find(presented)).toBeUndefined();
    keys.add({ row, made }, keys.cachedAt);
    expect(keys.find(presented)?.made).toBe(made);
    expect(keys.find({ ...presented, secretHash: hashOf('other') })).toBeUndefined();
    version = 2;
    expect(keys.find(presented)).toBeUndefined();
  });

  it('is not kept if something changed between its reading and its keeping', () => {
    let version = 1;
    const keys = new KeyCache(() => version);
    keys.find(presented);
    const readAt = keys.cachedAt;
    version = 2;
    keys.find(presented);
    keys.add({ row, made }, readAt);
    expect(keys.find(presented)).toBeUndefined();
    keys.add({ row, made }, undefined);
    expect(keys.find(presented)).toBeUndefined();
  });
});
