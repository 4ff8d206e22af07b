import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { LABEL_SIZES, parseLabelSize } from '../../src/shared/print-kinds.ts';
import type { Label } from '../../src/shared/print.ts';
import { scan } from '../support/barcode.testing.ts';
import { overlapsOf, pagesOf, strayOf } from '../support/pdf.testing.ts';
import type { PdfPage } from '../support/pdf.testing.ts';
import { signedInDesk } from '../support/signed-in-desk.testing.ts';
import { temporaryFolder } from '../support/started-desk.testing.ts';

/** Millimetres on each side that have no text. */
const LABEL_MARGIN = 1.5;

const desk = signedInDesk();
const folder = temporaryFolder();

const ordinary: Label = {
  kind: 'label',
  size: '54x25',
  language: 'en',
  direction: 'ltr',
  name: 'Amara Okonkwo-Lindqvist',
  born: 'DOB 03/07/1985',
  clientUserId: 'MRN-000101',
  recordIds: [],
};

/** The PDF of a label; undefined if it is refused. */
async function printed(label: Label): Promise<string | undefined> {
  // Keeps the desk from locking between many labels.
  await desk.desktop.page.keyboard.press('Shift');
  const pdf = await desk.desktop.page.evaluate(async (given) => {
    const preview = await window.caregate.preview(given);
    return preview.ok ? Array.from(preview.value.pdf) : preview.problem.kind;
  }, label);
  if (pdf === 'noLabel') return undefined;
  if (typeof pdf === 'string') throw new Error(pdf);
  const file = join(folder, 'label.pdf');
  writeFileSync(file, Buffer.from(pdf));
  return file;
}

function faultsOf(pages: readonly PdfPage[], size: string): string[] {
  const [page] = pages;
  if (page === undefined || pages.length !== 1) return [`${String(pages.length)} pages`];
  const wanted = parseLabelSize(size);
  const millimetres = (points: number): number => (points / 72) * 25.4;
  const isExact =
    Math.abs(millimetres(page.width) - (wanted?.width ?? 0)) <= 0.2 &&
    Math.abs(millimetres(page.height) - (wanted?.height ?? 0)) <= 0.2;
  return [
    ...(isExact ? [] : [`${String(page.width)} x ${String(page.height)} pt`]),
    ...overlapsOf(page),
    // Chromium lays out a label from right to left up to 0.65 pt off.
    ...strayOf(page, (LABEL_MARGIN / 25.4) * 72 - 0.25),
  ];
}

const ascii = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
/** Ids as clinics have them, and whatever else is allowed. */
const id = fc.oneof(
  fc.nat(999_999).map((number) => `MRN-${String(number).padStart(6, '0')}`),
  fc.string({ unit: fc.integer({ min: 0, max: 9 }).map(String), minLength: 1, maxLength: 28 }),
  fc.uuid(),
  fc.string({ unit: ascii, minLength: 1, maxLength: 15 }),
  fc.string({ unit: ascii, minLength: 16, maxLength: 60 }),
  fc.string({ unit: fc.constantFrom('M', 'ü', 'ß', 'Ñ', '7', '-'), minLength: 1, maxLength: 20 }),
);

describe('a printed label', () => {
  it('is scanned as the same MRN on both sizes, at the resolution of both kinds of printer', async () => {
    const refused: string[] = [];
    await fc.assert(
      fc.asyncProperty(id, fc.constantFrom(...LABEL_SIZES), async (clientUserId, size) => {
        const file = await printed({ ...ordinary, size, clientUserId });
        if (file === undefined) {
          refused.push(clientUserId);
          return;
        }
        for (const dots of [203, 300, 600]) {
          expect([dots, (await scan(file, dots)).text]).toEqual([dots, clientUserId]);
        }
        const pages = pagesOf(file);
        expect(faultsOf(pages, size)).toEqual([]);
        const words = pages[0]?.words.map(({ text }) => unescaped(text)).join('') ?? '';
        expect(words).toContain(clientUserId);
        expect(words).toContain('Amara');
        expect(words).toContain('1985');
      }),
      // No shrinking: the desk would lock meanwhile.
      { numRuns: 6, endOnFailure: true },
    );
    expect(refused).toEqual([]);
  });

  const names: readonly (readonly [string, Partial<Label>, 'cut'?])[] = [
    ['of 200 letters without a space', { name: 'W'.repeat(200) }, 'cut'],
    [
      'too long, from right to left on a label from left to right',
      { name: 'عبد الرحمن بن محمد الفاسي الفهري '.repeat(6) },
      'cut',
    ],
    [
      'too long, from left to right on a label from right to left',
      { name: 'Amara Okonkwo-Lindqvist '.repeat(8), direction: 'rtl', language: 'ar' },
      'cut',
    ],
    [
      'with combining marks',
      {
        name: 'Z\u0351\u036b\u0343\u036a\u0302\u0349a\u0334\u0328l\u0338\u0315g\u0337o\u0321 Ng\u0303o\u0302\u0309',
      },
    ],
    ['in Han', { name: '歐陽靜怡歐陽靜怡歐陽靜怡' }],
    ['not known', { name: '', born: '' }],
  ];
  const papers = [
    { size: '54x25', clientUserId: 'MRN-000101' },
    { size: '57x32', clientUserId: '3f2c8a52-1b7e-4c1d-9a64-5d0e8f7b2a10' },
  ] as const;
  const labels = names.map(([name, given, cut], place) => ({
    ...{ name, cut, label: { ...ordinary, ...given, ...papers[place % 2]! } },
  }));
  it.each(labels)(
    'with a name $name has no overlap, the complete MRN, and an ellipsis if the name is cut, on $label.size',
    async ({ label, cut }) => {
      const file = (await printed(label))!;
      const pages = pagesOf(file);
      expect(faultsOf(pages, label.size)).toEqual([]);
      expect((await scan(file)).text).toBe(label.clientUserId);
      const words = pages[0]?.words.map(({ text }) => text).join('') ?? '';
      expect(words).toContain(label.clientUserId);
      expect(words.includes('…')).toBe(cut !== undefined);
    },
  );

  it('aligns each line at the start of the label, also a name of another direction', async () => {
    for (const [direction, name] of [
      ['rtl', 'Amara Okonkwo'],
      ['rtl', 'ليلى حدّاد'],
      ['ltr', 'ليلى حدّاد'],
    ] as const) {
      const language = direction === 'rtl' ? 'ar' : 'en';
      const [page] = pagesOf(
        (await printed({ ...ordinary, size: '40x20', direction, language, name }))!,
      );
      const words = page?.words ?? [];
      const top = Math.min(...words.map((word) => word.top));
      const id = words.find(({ text }) => text === 'MRN-000101');
      const line = words.filter((word) => Math.abs(word.top - top) < 3);
      const away =
        direction === 'rtl'
          ? Math.max(...line.map(({ right }) => right)) - id!.right
          : Math.min(...line.map(({ left }) => left)) - id!.left;
      expect([direction, name, Math.abs(away) < 3]).toEqual([direction, name, true]);
    }
  });
});

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
