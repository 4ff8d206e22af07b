import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import ar from '../../src/renderer/i18n/ar.json' with { type: 'json' };
import en from '../../src/renderer/i18n/en.json' with { type: 'json' };
import es from '../../src/renderer/i18n/es.json' with { type: 'json' };
import type { PrintDocument } from '../../src/shared/print.ts';
import { eventually, saveAs, look } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { startFake } from '../support/fake-service.testing.ts';
import type { FakeService } from '../support/fake-service.testing.ts';
import { overlapsOf, pagesOf, strayOf } from '../support/pdf.testing.ts';
import { long, ordinary, serviceOf } from '../support/printed-people.testing.ts';
import type { PrintedPerson } from '../support/printed-people.testing.ts';
import { beginSignIn } from '../support/signed-in-desk.testing.ts';
import { startedDesk, temporaryFolder } from '../support/started-desk.testing.ts';

const words = { en, es, ar };
const names = { ordinary, long };
type DocumentKind = 'insurance' | 'labs';
/** Millimetres; no word may be in the margin. */
const papers = {
  a4: { width: 210, height: 297, margin: 14 },
  letter: { width: 215.9, height: 279.4, margin: 14 },
} as const;
const points = (millimetres: number): number => (millimetres / 25.4) * 72;

const isLong = process.env['TIER'] === 'long';
let desktop: Desktop;
let service: FakeService;
/** Set KEEP_PRINTS to a folder to look at the pages. */
const folder = process.env['KEEP_PRINTS'] ?? temporaryFolder();

startedDesk(startFake, (there) => ({ desktop, service } = there));
afterEach(async () => {
  await desktop.page.evaluate(() => window.caregate.signOut({}));
});

/** Find has another heading in each language. */
async function signIn(): Promise<void> {
  await beginSignIn(desktop, service);
  await desktop.page.locator('main form input:focus').waitFor();
}

async function saveTo(name: string): Promise<string> {
  const file = join(folder, `${name}.pdf`);
  await saveAs(desktop, file);
  return file;
}

async function openPanel(
  document: DocumentKind,
  language: keyof typeof words,
  person: PrintedPerson,
): Promise<void> {
  const { page } = desktop;
  service.respondWith(serviceOf(person));
  await look(page, { theme: 'light', language });
  await signIn();
  await page.keyboard.insertText(person.clientUserId);
  await page.keyboard.press('Enter');
  await page
    .getByRole('region', { name: words[language]['patient.label'] })
    .getByText(person.clientUserId)
    .waitFor();
  if (document === 'insurance') {
    await page.keyboard.press('Control+3');
    await page.getByText(person.insurance.member_id).waitFor();
  } else {
    await page.keyboard.press('Control+2');
    await page.locator('main form input').fill(person.orderId);
    await page.keyboard.press('Enter');
    await page.locator('main table').first().waitFor();
  }
  await page.keyboard.press('Control+p');
}

async function saved(
  paper: keyof typeof papers,
  language: keyof typeof words,
  name: string,
): Promise<string> {
  const file = await saveTo(name);
  const panel = desktop.page.getByRole('dialog');
  const say = words[language];
  await panel.getByRole('radio', { name: say[`print.paper.${paper}`], exact: true }).click();
  await panel.getByRole('button', { name: say['print.save'] }).click();
  await panel.getByText(say['print.saved']).waitFor();
  return file;
}

/** Each document in each language with long names, on alternating papers; in the long tier, all combinations. */
const cases = (['insurance', 'labs'] as const)
  .flatMap((document) => (['en', 'es', 'ar'] as const).map((language) => ({ document, language })))
  .flatMap((printed, place) =>
    (['long', 'ordinary'] as const).flatMap((length) =>
      (['a4', 'letter'] as const)
        .filter((_, at) => isLong || (length === 'long' && at === place % 2))
        .map((paper) => ({ ...printed, length, paper })),
    ),
  );

function sheetFaults(file: string, paper: keyof typeof papers): string[] {
  const info = execFileSync('pdfinfo', [file], { encoding: 'utf8' });
  const [, ...sides] = /Page size:\s+([\d.]+) x ([\d.]+) pts/u.exec(info) ?? [];
  const { width, height } = papers[paper];
  const isExact = [width, height].every(
    (wanted, at) => Math.abs(Number(sides[at]) - points(wanted)) <= points(0.2),
  );
  return [
    ...(isExact ? [] : [`${sides.join(' x ')} pt`]),
    ...(/Tagged:\s+yes/u.test(info) ? [] : ['not tagged']),
    ...(/JavaScript:\s+no/u.test(info) ? [] : ['with JavaScript']),
  ];
}

/** Texts of each page; pdftotext reorders Arabic. */
function onEachPage(document: DocumentKind, language: keyof typeof words, text: string): string[] {
  if (language === 'ar') return [];
  const { 'labs.range': range, 'print.byPerson': by } = words[language];
  const isTable = document === 'labs' && /mmol/u.test(text);
  return [by.split('{')[0]!, ...(isTable ? [range] : [])];
}

it.each(cases)(
  'the words of $document in $language on $paper with $length names are complete, don’t overlap, and are inside the margins',
  async ({ document, language, paper, length }) => {
    const person = names[length];
    await openPanel(document, language, person);
    const file = await saved(paper, language, `${document}-${paper}-${language}-${length}`);
    const faults = sheetFaults(file, paper);
    const pages = pagesOf(file);
    expect(pages.length).toBeGreaterThan(document === 'labs' ? 1 : 0);
    for (const [index, page] of pages.entries()) {
      const text = plain(file, index + 1);
      const found = [...overlapsOf(page), ...strayOf(page, points(papers[paper].margin))];
      // The number of this print.
      if (!/[\da-f]{32}/u.test(text)) found.push('without a number');
      for (const one of [
        ...person.identifiers[document],
        ...onEachPage(document, language, text),
        pageOf(language, index + 1, pages.length),
      ]) {
        if (!text.includes(bare(one))) found.push(`without ${one}`);
      }
      faults.push(...found.map((fault) => `page ${String(index + 1)}: ${fault}`));
    }
    const text = plain(file);
    const { results } = person.lab;
    const values = document === 'insurance' ? person.onCard : results.map(({ result }) => result);
    for (const value of values) expect(text).toContain(bare(value));
    // pdftotext reorders Arabic.
    if (document === 'labs' && language !== 'ar') {
      expect(text.indexOf('Ferritin')).toBeLessThan(text.indexOf(bare(values[0]!)));
    }
    expect(faults).toEqual([]);
  },
);

describe('header and footer with the longest texts', () => {
  it.each(['a4', 'letter'] as const)('overlap nothing on %s', async (paper) => {
    const { page } = desktop;
    await signIn();
    const facts = [{ label: 'Name', value: 'Maximiliane-Alexandra Featherstonehaugh' }];
    const name = `${'Wolfeschlegelstein'.repeat(11)}Q7`;
    const document: PrintDocument = {
      ...{ paper, language: 'en', direction: 'ltr', kind: 'insurance' },
      ...{ clinic: 'Harborside Clinic', title: 'Insurance summary', heading: 'Insurance' },
      ...{ notice: 'For reference only', main: facts },
      // Several pages, so that last lines come near the footer.
      sections: Array.from({ length: 20 }, () => ({ heading: 'Insured', facts })),
      patient: { name, facts: [{ label: 'DOB', value: '03/07/1985' }] },
      page: ['Page ', ' of ', ''],
      footer: ['WMQ '.repeat(15), 'x'.repeat(60), `Audit record ${'0E6F'.repeat(8)}`],
    };
    const file = await saveTo(`longest-${paper}`);
    const done = await page.evaluate(
      (wanted) => window.caregate.print({ document: wanted, to: 'file', copies: 1 }),
      document,
    );
    expect(done).toEqual({ ok: true, value: { result: 'done' } });
    const pages = pagesOf(file);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flatMap(overlapsOf)).toEqual([]);
    expect(pages.flatMap((one) => strayOf(one, 0))).toEqual([]);
    for (const number of pages.keys()) {
      const text = plain(file, number + 1);
      expect(text).toContain(name);
      expect(text).toContain('0E6F'.repeat(8));
    }
  });
});

describe('a report of 45 results in five panels', () => {
  it('takes two Letter pages in one font, and splits no panel', async () => {
    const sizes = { 'Metabolic panel': 17, Lipids: 6, Thyroid: 2, 'Vitamin D': 1, CBC: 19 };
    const results = Object.entries(sizes).flatMap(([name, size]) =>
      Array.from({ length: size }, (_, at) => ({
        ...ordinary.lab.results[at]!,
        ...{ name: `${name} ${String(at + 1)}`, slug: `${name}-${String(at)}`, panel: { name } },
      })),
    );
    await openPanel('labs', 'en', { ...ordinary, lab: { ...ordinary.lab, results } });
    const file = await saved('letter', 'en', 'labs-letter-en-panels');
    const pages = pagesOf(file);
    expect(pages).toHaveLength(2);
    expect(pages.flatMap(overlapsOf)).toEqual([]);
    const texts = [plain(file, 1), plain(file, 2)];
    for (const [name, size] of Object.entries(sizes)) {
      const first = bare(`${name} 1 `);
      const last = bare(`${name} ${String(size)}`);
      const place = texts.findIndex((text) => text.includes(first));
      expect([name, texts[place]]).toEqual([name, expect.stringContaining(last)]);
    }
    for (const text of texts) expect(text).toContain('HarboursideClinic');
    const fonts = execFileSync('pdffonts', [file], { encoding: 'utf8' }).split('\n').slice(2, -1);
    expect(fonts.filter((font) => !/^[A-Z]{6}\+Inter-/u.test(font))).toEqual([]);
  });
});

describe('a masked document', () => {
  it('is saved without identifying values', async () => {
    const { page } = desktop;
    await openPanel('insurance', 'en', ordinary);
    await page.keyboard.press('F8');
    const file = await saved('a4', 'en', 'insurance-a4-en-masked');
    for (const value of ordinary.onCard) expect(plain(file)).not.toContain(value);
  });
});

describe('the preview', () => {
  it('names each page, is sharp, and stays white in the dark theme', async () => {
    const { page } = desktop;
    await openPanel('labs', 'ar', ordinary);
    await look(page, { theme: 'dark', language: 'ar' });
    const panel = page.getByRole('dialog');
    const sheet = panel.getByRole('img', { name: 'صفحة 1 من 2' });
    await sheet.locator('canvas').waitFor();
    const drawn = await sheet.evaluate((one) => {
      const canvas = one.querySelector('canvas')!;
      const corner = canvas.getContext('2d')!.getImageData(2, 2, 1, 1).data;
      const across = Math.round(one.getBoundingClientRect().width * devicePixelRatio);
      return { corner: [...corner], apart: Math.abs(canvas.width - across) };
    });
    expect(drawn.corner).toEqual([255, 255, 255, 255]);
    expect(drawn.apart).toBeLessThanOrEqual(1);
    expect(await panel.getByRole('img').count()).toBe(2);
  });

  it('draws only pages near the view, however long the document', async () => {
    const { page } = desktop;
    const results = Array.from({ length: 6 }, () => ordinary.lab.results).flat();
    await openPanel('labs', 'en', { ...ordinary, lab: { ...ordinary.lab, results } });
    const panel = page.getByRole('dialog');
    await panel.getByRole('img').first().locator('canvas').waitFor();
    const count = await panel.getByRole('img').count();
    expect(count).toBeGreaterThan(6);
    const last = panel.getByRole('img').last();
    await last.scrollIntoViewIfNeeded();
    await last.locator('canvas').waitFor();
    await eventually('the first page let go', async () =>
      (await panel.getByRole('img').first().locator('canvas').count()) === 0 ? true : undefined,
    );
    expect(await panel.locator('canvas').count()).toBeLessThanOrEqual(4);
  });
});

/** pdftotext reorders right-to-left text. */
function pageOf(language: keyof typeof words, number: number, count: number): string {
  if (language === 'ar') return '';
  return words[language]['print.page']
    .replace('{number}', String(number))
    .replace('{count}', String(count));
}

/** Long values break at spaces and hyphens. */
function bare(text: string): string {
  return text.replace(/[\s\p{Cf}-]+/gu, '');
}

function plain(file: string, page?: number): string {
  const only = page === undefined ? [] : ['-f', String(page), '-l', String(page)];
  return bare(execFileSync('pdftotext', [...only, file, '-'], { encoding: 'utf8' }));
}
