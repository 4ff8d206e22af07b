import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import * as v from 'valibot';
import { printDocumentSchema } from '../../shared/print.ts';
import type { PrintDocument } from '../../shared/print.ts';
import { renderPrintDocument } from './print-html.ts';

function documentWith(word: string): PrintDocument {
  return {
    paper: 'a4',
    language: 'en',
    direction: 'ltr',
    kind: 'insurance',
    clinic: word,
    title: `T${word}`,
    heading: word,
    notice: `N${word}`,
    main: [{ label: word, value: word, code: true }],
    sections: [
      {
        heading: word,
        note: word,
        text: word,
        facts: [{ label: word, value: word }],
        table: {
          columns: [word],
          widths: [100],
          numberColumns: [0],
          rows: [{ cells: [word] }, { cells: [word], strong: [0] }],
        },
      },
    ],
    patient: { name: word, facts: [{ label: word, value: word, code: true }] },
    page: [word, word, word],
    footer: [word],
  };
}
const use = { nonce: 'n', pages: 2 };
const tags = (html: string): string[] => html.match(/<[^>]*>/gu) ?? [];
/** A value of the same script without text: the script determines the line height. */
const plainFor = (word: string): PrintDocument =>
  documentWith(/\p{Script=Arabic}/u.test(word) ? 'ع' : 'x');

describe('the page that is printed', () => {
  it('has no other tags and attributes, whatever the texts are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (word) => {
        const document = documentWith(word);
        expect(v.is(printDocumentSchema, document)).toBe(true);
        expect(tags(renderPrintDocument(document, use))).toEqual(
          tags(renderPrintDocument(plainFor(word), use)),
        );
      }),
    );
    expect(renderPrintDocument(documentWith('<script>"&\'</script>'), use)).not.toContain(
      '<script',
    );
  });

  it('has lines as high as Arabic letters need, also for a name in a document of another language', () => {
    const lines = (name: string, title: string): (string | undefined)[] => {
      const { patient, main, ...rest } = documentWith('x');
      const html = renderPrintDocument(
        { ...rest, title, patient, main: [{ ...main[0]!, code: false, value: name }] },
        use,
      );
      return [/font: 9pt\/([\d.]+)/u.exec(html)?.[1], /<dd>(<[^>]*>)/u.exec(html)?.[1]];
    };
    expect(lines('Hazem', 'Insurance')).toEqual(['1.35', '<bdi>']);
    expect(lines('حازم', 'Insurance')).toEqual(['1.35', '<bdi class="tall">']);
    expect(lines('حازم', 'التأمين')).toEqual(['1.6', '<bdi class="tall">']);
  });

  it('takes no document that names nobody', () => {
    const { patient, ...nobodys } = documentWith('x');
    expect(v.is(printDocumentSchema, nobodys)).toBe(false);
    expect(v.is(printDocumentSchema, { ...nobodys, patient: { ...patient, name: '' } })).toBe(
      false,
    );
  });

  it('takes no document with a field that is not known', () => {
    expect(v.is(printDocumentSchema, { ...documentWith('x'), html: '<b>' })).toBe(false);
    expect(v.is(printDocumentSchema, { ...documentWith('x'), paper: 'a5' })).toBe(false);
  });
});
