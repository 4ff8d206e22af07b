import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { idsOf, packSortedUuids, uuidsOf } from './packed-ids.ts';

const packUuids = (uuids: readonly string[]): string =>
  Buffer.from(uuids.join('').replaceAll('-', ''), 'hex').toString('base64url');

describe('packed UUIDs', () => {
  it('are the same UUIDs when they are unpacked', () => {
    fc.assert(
      fc.property(fc.array(fc.uuid()), (uuids) => {
        expect(idsOf(packUuids(uuids))).toEqual(uuids);
      }),
    );
  });

  it('of any order are sorted, each once, as their texts would be', () => {
    const few = fc.constantFrom(...fc.sample(fc.uuid(), { numRuns: 4, seed: 1 }));
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.uuid(), few)), (uuids) => {
        const sorted = [...new Set(uuids)].sort();
        expect(packSortedUuids(uuids)).toBe(sorted.length < 2 ? undefined : packUuids(sorted));
      }),
    );
  });

  it('are the same whether their bytes were known or not', () => {
    fc.assert(
      fc.property(fc.array(fc.uuid(), { minLength: 1 }), (uuids) => {
        const bytes = Buffer.from(uuids.join('').replaceAll('-', ''), 'hex');
        const made = uuidsOf(bytes);
        // Whoever gave the bytes may use them again.
        bytes.fill(0);
        expect(made).toEqual(uuids);
        expect(packSortedUuids(made)).toBe(packSortedUuids([...uuids]));
        expect(Object.isFrozen(made)).toBe(true);
      }),
    );
  });

  it('are sorted as well where they begin alike, and where they are more than a page', () => {
    const alike = fc.nat(3).map((end) => `018f5a7c-2b3d-7000-8000-00000000000${end}`);
    const many = fc.array(fc.oneof(fc.uuid(), alike), { minLength: 2, maxLength: 600 });
    fc.assert(
      fc.property(many, (uuids) => {
        const sorted = [...new Set(uuids)].sort();
        expect(packSortedUuids(uuids)).toBe(sorted.length < 2 ? undefined : packUuids(sorted));
      }),
    );
  });

  it('are not made of texts that only together look like them', () => {
    const [one, other] = fc.sample(fc.uuid(), { numRuns: 2, seed: 1 }) as [string, string];
    expect(packSortedUuids([one + other.slice(0, 1), other.slice(1)])).toBeUndefined();
    expect(packSortedUuids([one, 'not-a-uuid'])).toBeUndefined();
    expect(packSortedUuids([one, other.toUpperCase()])).toBeUndefined();
    // The low byte of this character is a digit.
    expect(packSortedUuids([one, `\u0130${other.slice(1)}`])).toBeUndefined();
    expect(packSortedUuids([one, `${other.slice(0, 8)}0${other.slice(9)}`])).toBeUndefined();
    expect(packSortedUuids([one, `${other.slice(0, -1)}\n`])).toBeUndefined();
  });

  it.each(['A', 'AAAA', `${'A'.repeat(22)}=`, '!'.repeat(22)])('are not read from %s', (text) => {
    expect(idsOf(text)).toEqual([]);
  });
});
