import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import * as v from 'valibot';
import { settingsSchema } from '../../../shared/requests.ts';
import { parsePrefixes } from './prefixes-field.tsx';

describe('prefixes', () => {
  it('are what stands between the spaces, each once', () => {
    expect(parsePrefixes('  ]C1 ~ ]C1\t~~ ')).toEqual([']C1', '~', '~~']);
    expect(parsePrefixes('')).toEqual([]);
    expect(parsePrefixes('x'.repeat(21))).toBeUndefined();
    expect(parsePrefixes(Array.from({ length: 21 }, (_, index) => String(index)).join(' '))).toBe(
      undefined,
    );
  });

  it('can always be saved where there are any', () => {
    fc.assert(
      fc.property(fc.string(), (typed) => {
        const scannerPrefixes = parsePrefixes(typed);
        if (scannerPrefixes === undefined) return;
        expect(v.is(settingsSchema.entries.scannerPrefixes, scannerPrefixes)).toBe(true);
      }),
    );
  });
});
