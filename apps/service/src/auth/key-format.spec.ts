import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { KEY_PATTERN, formatSecret, readKey, createSecret, parseSecret } from './key-format.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const parts = fc.record({
  id: fc.string({ unit: fc.constantFrom(...Array.from(digits)), minLength: 12, maxLength: 12 }),
  secret: fc.string({ unit: fc.constantFrom(...Array.from(digits)), minLength: 43, maxLength: 43 }),
  kind: fc.constantFrom('live' as const, 'test' as const, 'sess' as const),
});

describe('the format of a key', () => {
  it('has the prefix, ID, secret and CRC-32 of the design', () => {
    const key = formatSecret({ id: 'A'.repeat(12), secret: 'b'.repeat(43), kind: 'live' });
    expect(key).toMatch(/^cg_live_A{12}_b{43}[0-9A-Za-z]{6}$/u);
    // CRC-32 of the rest in base 62, computed with another program.
    expect(key.slice(-6)).toBe('3MTFjf');
    expect(formatSecret(createSecret('test'))).toMatch(/^cg_test_/u);
  });

  it('detects one changed character', () => {
    fc.assert(
      fc.property(
        parts,
        fc.nat(),
        fc.constantFrom(...Array.from(`${digits}_- `)),
        (made, place, other) => {
          const key = formatSecret(made);
          const at = place % key.length;
          fc.pre(key.charAt(at) !== other);
          expect(parseSecret(key.slice(0, at) + other + key.slice(at + 1))).toBeUndefined();
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('matches the pattern for secret scanners', () => {
    for (const kind of ['live', 'test'] as const) {
      const key = formatSecret(createSecret(kind));
      for (const text of [key, `key=${key}`, `{"key":"${key}"}`, `(${key}).`]) {
        expect(KEY_PATTERN.exec(text)?.[0]).toBe(key);
      }
      for (const other of [`${key}0`, key.slice(0, -1)]) expect(other).not.toMatch(KEY_PATTERN);
    }
  });
});

const header = 'x-service-api-key';
const bearer = 'Authorization';
it.each<[unknown, string[], string?]>([
  [{ text: 'k' }, ['host', 'x', 'X-Service-API-Key', 'k']],
  ['missing', []],
  ['missing', ['a', header, 'b', header]],
  // An empty header counts as present.
  [{ text: '' }, [header, '']],
  ['repeated', [header, 'k', 'host', 'x', 'X-SERVICE-API-KEY', 'k']],
  ['missing', [bearer, 'Bearer k']],
  ['missing', [bearer, 'Bearer k'], '/fhir/r4x'],
  ['missing', [bearer, 'Basic k'], '/fhir/r4'],
  [{ text: 'k' }, [bearer, 'bearer k'], '/fhir/r4?x=1'],
  [{ text: 'k' }, [header, 'k'], '/fhir/r4/Patient'],
  ['repeated', [bearer, 'Bearer k', header, 'k'], '/fhir/r4/Patient'],
])(
  'the key of a request is %j in the headers %j, at %s',
  (expected, rawHeaders, url = '/v2/user') => {
    expect(readKey({ rawHeaders, url })).toEqual(expected);
  },
);
