import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { parseDeepLink, findLink, receiveLink } from './deep-link.ts';

const order = '3f2c8a52-1b7e-4c1d-9a64-5d0e8f7b2a10';

describe('a link', () => {
  it('contains the ID of a patient or of an order', () => {
    expect(parseDeepLink('caregate://person/MRN-000101')).toEqual({
      kind: 'person',
      id: 'MRN-000101',
    });
    expect(parseDeepLink('CAREGATE://Person/MRN-1')).toEqual({ kind: 'person', id: 'MRN-1' });
    expect(parseDeepLink('caregate://person/M%C3%BCller%207')).toEqual({
      kind: 'person',
      id: 'Müller 7',
    });
    expect(parseDeepLink(`caregate://order/${order}`)).toEqual({ kind: 'order', id: order });
  });

  it.each([
    'caregate://person/',
    'caregate://person',
    'caregate:person/MRN-1',
    'caregate:///person/MRN-1',
    'caregate://person/MRN-1/',
    'caregate://person/MRN-1?x=1',
    'caregate://person/MRN-1#x',
    'caregate://person/MRN-1%3Fx',
    'caregate://person/..',
    'caregate://person/../..',
    'caregate://person/%2e%2e',
    'caregate://person/..%2f..',
    'caregate://person/a%5Cb',
    'caregate://person/a\\b',
    'caregate://person/a%00b',
    'caregate://person/a%0Ab',
    'caregate://person/a\nb',
    'caregate://person/MRN-1\n',
    'caregate://person/a%E2%80%AEb',
    'caregate://person/%E2%80%A8',
    'caregate://person/%20MRN-1',
    'caregate://person/MRN-1%20',
    'caregate://person/%',
    'caregate://person/%ff',
    'caregate://person/%C0%AF',
    'caregate://person/%ED%A0%80',
    'caregate://person/<script>',
    'caregate://person/"--inspect',
    `caregate://person/${'x'.repeat(257)}`,
    `caregate://person/${'x'.repeat(10_000)}`,
    `caregate://person/${'%41'.repeat(10_000)}`,
    'caregate://user@person/MRN-1',
    'caregate://person:80/MRN-1',
    'caregate://settings/address',
    'caregate://evil.example/MRN-1',
    'caregate://order/1',
    `caregate://order/${order}0`,
    `caregate://order/${order}/result`,
    'https://person/MRN-1',
    ' caregate://person/MRN-1',
    'javascript:caregate://person/MRN-1',
    '',
  ])('is none: %j', (text) => {
    expect(parseDeepLink(text)).toBeUndefined();
  });

  it('never contains control characters or separators', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({
        unit: fc.constantFrom('.', '%', '2', '0', 'a', 'F', '/', '?', '#', '\\'),
        maxLength: 30,
      }),
    );
    fc.assert(
      fc.property(fc.constantFrom('person', 'order'), text, (kind, written) => {
        const link = parseDeepLink(`caregate://${kind}/${written}`);
        if (link === undefined) return;
        expect(link.id).not.toMatch(/[\p{C}/\\?#]/u);
        expect(link.id.length).toBeGreaterThan(0);
        expect(decodeURIComponent(written)).toBe(link.id);
      }),
    );
  });

  it('keeps an ID that another program has percent-encoded', () => {
    const id = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(id, (given) => {
        const link = parseDeepLink(`caregate://person/${encodeURIComponent(given)}`);
        if (link !== undefined) expect(link).toEqual({ kind: 'person', id: given });
        else expect(given).toMatch(/[\p{C}\p{Zl}\p{Zp}/\\?#]|^\s|\s$|^\.+$|^.{86,}$/u);
      }),
    );
  });
});

describe('the arguments of a start', () => {
  it('contain exactly one link, or none is used', () => {
    expect(findLink(['--lang=en', 'caregate://person/A'])).toBe('caregate://person/A');
    expect(findLink(['caregate://person/A', 'caregate://person/B'])).toBeUndefined();
    expect(findLink(['--x=caregate://person/A', 'file:///etc/passwd'])).toBeUndefined();
  });
});

describe('a link that came', () => {
  it.each([
    ['signedIn', 'caregate://person/MRN-1', { target: { kind: 'person', id: 'MRN-1' } }],
    ['signedIn', 'caregate://person/MRN-1?x', { refused: 'wrong' }],
    ['locked', 'caregate://person/MRN-1', { refused: 'locked' }],
    ['locked', 'nonsense', { refused: 'locked' }],
    ['signedOut', 'caregate://person/MRN-1', { refused: 'signedOut' }],
  ] as const)('while %s: %s', (phase, text, expected) => {
    expect(receiveLink(text, phase)).toEqual(expected);
  });
});
