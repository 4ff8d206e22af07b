import { describe, expect, it } from '@jest/globals';
import { presentedKey } from './key-format.ts';

describe('the key that a request presents', () => {
  it('is found in any writing of the header', () => {
    expect(presentedKey(['host', 'x', 'X-Service-API-Key', 'k'])).toEqual({ key: 'k' });
  });

  it('is missing where only other headers are there, or values that read like the name', () => {
    expect(presentedKey([])).toBe('missing');
    expect(presentedKey(['a', 'x-service-api-key', 'b', 'x-service-api-key'])).toBe('missing');
  });

  it('may be empty, which is not missing', () => {
    expect(presentedKey(['x-service-api-key', ''])).toEqual({ key: '' });
  });

  it('is refused where the header stands twice, even with the same value', () => {
    const twice = ['x-service-api-key', 'k', 'host', 'x', 'X-SERVICE-API-KEY', 'k'];
    expect(presentedKey(twice)).toBe('repeated');
  });
});
