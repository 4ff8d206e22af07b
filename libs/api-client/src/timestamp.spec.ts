import { describe, expect, it } from '@jest/globals';
import { instantOf, isDateTime } from '@caregate/domain';
import fc from '@caregate/seeded';
import { InvalidArgumentError } from './errors/call-errors.ts';
import { timestampOf } from './timestamp.ts';

const two = (most: number): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max: most }).map((n) => String(n).padStart(2, '0'));

/** Date-times, and texts that are nearly some. */
const nearly = fc
  .tuple(
    fc.integer({ min: 1900, max: 2100 }),
    two(13),
    two(32),
    fc.constantFrom('T', 'T', 'T', 't', ' '),
    two(24),
    two(60),
    two(61),
    fc.constantFrom('', '.5', '.123', '.1234567', '.'),
    fc.oneof(
      fc.constantFrom('Z', 'z', ''),
      fc.tuple(fc.constantFrom('+', '-'), two(24), two(60)).map(([s, h, m]) => `${s}${h}:${m}`),
    ),
  )
  .map(([y, mo, d, t, h, mi, s, f, z]) => `${y}-${mo}-${d}${t}${h}:${mi}:${s}${f}${z}`);

describe('timestampOf', () => {
  it('keeps the text and its offset beside the instant', () => {
    expect(timestampOf('2025-06-01T07:00:00.25+05:30')).toEqual({
      text: '2025-06-01T07:00:00.25+05:30',
      date: new Date('2025-06-01T01:30:00.250Z'),
      offsetMinutes: 330,
    });
    expect(timestampOf('2025-06-01T07:00:00-03:00').offsetMinutes).toBe(-180);
    expect(timestampOf('2025-06-01T07:00:00Z').offsetMinutes).toBe(0);
    expect(timestampOf('2025-06-01T07:00:00')).toMatchObject({
      date: new Date('2025-06-01T07:00:00Z'),
      offsetMinutes: undefined,
    });
  });

  it.each([
    '',
    '2025-06-01',
    '2025-02-30T00:00:00Z',
    '2025-06-01T24:00:00Z',
    '+2025',
    '1717225200',
  ])('refuses %p without repeating it', (text) => {
    expect(() => timestampOf(text)).toThrow(
      new InvalidArgumentError('timestamp', 'must be a date-time'),
    );
  });

  it('takes every date-time of the interface for the instant that the domain takes it for', () => {
    fc.assert(
      fc.property(nearly, (text) => {
        fc.pre(isDateTime(text));
        expect(timestampOf(text).date.getTime()).toBe(Math.floor(instantOf(text) / 1000));
      }),
      { numRuns: 2000, maxSkipsPerRun: 1000 },
    );
  });
});
