import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { LABEL_SIZES, labelSizeOf } from '../../shared/print-kinds.ts';
import { labelSchema } from '../../shared/print.ts';
import type { Label } from '../../shared/print.ts';
import { labelHtml } from './label-html.ts';
import { LABEL_GAP, LABEL_MARGIN, layOutLabel } from './label-layout.ts';
import type { LabelLayout, TextFit } from './label-layout.ts';
import { linesOf, millimetresPerPoint } from './text-width.ts';

const label: Label = {
  size: '54x25',
  language: 'en',
  direction: 'ltr',
  name: 'Amara Okonkwo-Lindqvist',
  born: 'DOB 03/07/1985',
  clientUserId: 'MRN-000101',
  recordIds: [],
};
const ascii = (maxLength: number): fc.Arbitrary<string> =>
  fc.string({
    unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 1,
    maxLength,
  });
const size = fc.constantFrom(...LABEL_SIZES, '40x20', '62x29', '150x150');
const name = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  ascii(200),
  fc.constant('محمد عبد الرحمن '.repeat(12)),
);
const high = ({ points, lines, lineHeight }: TextFit): number =>
  points * millimetresPerPoint * lineHeight * lines;

describe('a label', () => {
  it('has bars for an id that fits, a matrix for a longer one, and modules of 0.25 mm at the least', () => {
    const of = (clientUserId: string, on = '54x25'): LabelLayout | undefined =>
      layOutLabel({ ...label, size: on, clientUserId });
    expect(of('MRN-000101')).toMatchObject({ symbology: 'code128', module: 0.375 });
    expect(of('MRN-0001012345')).toMatchObject({ symbology: 'code128', module: 0.25 });
    expect(of('ABCDEFGHIJKLMNO')).toMatchObject({ symbology: 'dataMatrix' });
    // 3 mm more are one character more; two digits are one.
    expect(of('ABCDEFGHIJKLMNO', '57x32')).toMatchObject({ symbology: 'code128', module: 0.25 });
    expect(of('0'.repeat(28))).toMatchObject({ symbology: 'code128', module: 0.25 });
    expect(of('3f2c8a52-1b7e-4c1d-9a64-5d0e8f7b2a10')).toMatchObject({ symbology: 'dataMatrix' });
    expect(of('Müller-7')).toMatchObject({ symbology: 'dataMatrix' });
  });

  it.each(['患者-7', 'a\u0000b', 'a\nb', '\u200e1', '😀', 'x'.repeat(1024)])(
    'is refused, not cut, for an id that no code carries or that does not fit: %j',
    (clientUserId) => {
      expect(layOutLabel({ ...label, clientUserId })).toBeUndefined();
    },
  );

  it('keeps code, id and birth date whole and inside, whatever the texts are', () => {
    fc.assert(
      fc.property(size, ascii(180), name, (on, clientUserId, named) => {
        const layout = layOutLabel({ ...label, size: on, clientUserId, name: named });
        if (layout === undefined) return;
        const { width = 0, height = 0 } = labelSizeOf(on) ?? {};
        const [across, room] = [width - 2 * LABEL_MARGIN, height - 2 * LABEL_MARGIN];
        expect(layout.module).toBeGreaterThanOrEqual(0.25);
        const words = high(layout.name) + high(layout.born) + high(layout.id);
        const isLinear = layout.symbology === 'code128';
        // A name that finds no room has one line, which the page cuts: the rest is whole.
        const slack = layout.name.lines === 1 ? high(layout.name) : 0;
        if (isLinear) {
          expect(layout.codeWidth + 20 * layout.module).toBeLessThanOrEqual(width + 1e-9);
          expect(words + 6 + 3 * LABEL_GAP).toBeLessThanOrEqual(room + slack + 1e-9);
        } else {
          expect(layout.codeWidth).toBeLessThanOrEqual(room + 1e-9);
          expect(words).toBeLessThanOrEqual(room + slack + 1e-9);
        }
        const forId = isLinear ? across : across - layout.codeWidth - 2;
        const lines = linesOf(clientUserId, forId / (layout.id.points * millimetresPerPoint));
        expect(lines).toBeLessThanOrEqual(layout.id.lines);
      }),
    );
  });

  it('has no other tags than the same of other words', () => {
    const tags = (given: Label): string[] => {
      const layout = layOutLabel(given);
      if (layout === undefined) throw new Error('no layout');
      const html = labelHtml(given, layout, { nonce: 'n', faces: '' });
      return html.slice(html.indexOf('<body')).match(/<[^>]*>/gu) ?? [];
    };
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), (word) => {
        const given = { ...label, name: word, born: word };
        expect(labelSchema(given).ok).toBe(true);
        expect(tags(given)).toEqual(tags(label));
      }),
    );
    expect(tags({ ...label, clientUserId: '<b>&"\'' })).not.toContain('<b>');
  });
});
