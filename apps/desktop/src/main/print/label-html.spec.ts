import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import * as v from 'valibot';
import { labelSchema } from '../../shared/print.ts';
import type { Label } from '../../shared/print.ts';
import { renderLabel } from './label-html.ts';

const label: Label = {
  kind: 'label',
  size: '54x25',
  language: 'en',
  direction: 'ltr',
  name: 'Amara Okonkwo-Lindqvist',
  born: 'DOB 03/07/1985',
  clientUserId: 'MRN-000101',
  recordIds: [],
};
const codeOf = (clientUserId: string, size = '54x25'): string | undefined => {
  const html = renderLabel({ ...label, size, clientUserId }, 'n');
  return (
    html && `${/<main class="(\w+)"/u.exec(html)?.[1]} ${/data-modules="(.*?)"/u.exec(html)?.[1]}`
  );
};
const tags = (given: Label): string[] => {
  const html = renderLabel(given, 'n') ?? '';
  return html.slice(html.indexOf('<body')).match(/<[^>]*>/gu) ?? [];
};

describe('a label', () => {
  it.each([
    ['MRN-000101', '54x25', 'bars 0.375 0.25'],
    ['MRN-0001012345', '54x25', 'bars 0.25'],
    ['ABCDEFGHIJKLMNO', '54x25', 'matrix 0.5 0.375 0.25'],
    ['ABCDEFGHIJKLMNO', '57x32', 'bars 0.25'],
    ['0'.repeat(28), '54x25', 'bars 0.25'],
    ['Müller-7', '54x25', 'matrix 0.5 0.375 0.25'],
  ])('for %s on %s has %s, in modules of 0.25 mm at the least', (id, size, code) => {
    expect(codeOf(id, size)).toBe(code);
  });

  it.each(['患者-7', 'a\u0000b', 'a\nb', '\u200e1', '😀', 'x'.repeat(1024)])(
    'is refused for an ID that no barcode carries: %j',
    (id) => {
      expect(codeOf(id)).toBeUndefined();
    },
  );

  it('has no other tags whatever its texts are', () => {
    const [latin, arabic] = [tags(label), tags({ ...label, name: 'ع', born: 'ع' })];
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), (word) => {
        const given = { ...label, name: word, born: word };
        expect(v.is(labelSchema, given)).toBe(true);
        expect(tags(given)).toEqual(/\p{Script=Arabic}/u.test(word) ? arabic : latin);
      }),
    );
    expect(tags({ ...label, clientUserId: '<b>&"\'' })).not.toContain('<b>');
  });
});
