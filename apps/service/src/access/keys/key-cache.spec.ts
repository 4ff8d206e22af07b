import { describe, expect, it } from '@jest/globals';
import { KeyCache, type KeyRow } from './key-check.ts';
import { hashOf } from './key-format.ts';

describe('a key that is kept', () => {
  const secretHash = hashOf('secret');
  const row = { key_id: 'id', secret_hash: secretHash } as unknown as KeyRow;
  const presented = { keyId: 'id', secretHash, name: '' };

  it('is found with its secret until the version is another one', () => {
    let version = 1;
    const keys = new KeyCache<string>(() => version, hashOf('nobody'));
    expect(keys.find(presented)).toBeUndefined();
    keys.add({ row, made: 'made' }, keys.cachedAt);
    expect(keys.find(presented)?.made).toBe('made');
    expect(keys.find({ ...presented, secretHash: hashOf('other') })).toBeUndefined();
    version = 2;
    expect(keys.find(presented)).toBeUndefined();
  });

  it('is not kept if something changed between its reading and its keeping', () => {
    let version = 1;
    const keys = new KeyCache<string>(() => version, hashOf('nobody'));
    keys.find(presented);
    const readAt = keys.cachedAt;
    version = 2;
    keys.find(presented);
    keys.add({ row, made: 'old' }, readAt);
    expect(keys.find(presented)).toBeUndefined();
    keys.add({ row, made: 'never asked' }, undefined);
    expect(keys.find(presented)).toBeUndefined();
  });
});
