import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { launch, look } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { emptyTeam, json, startFake } from '../support/fake-service.testing.ts';
import type { FakeService } from '../support/fake-service.testing.ts';

let desktop: Desktop;
let service: FakeService;
/** Set KEEP_PRINTS to a folder to look at the pages. */
const kept = process.env['KEEP_PRINTS'];
let folder: string;

const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: 'utf8' });
const orderId = '3f2c8a52-1b7e-4c1d-9a64-5d0e8f7b2a10';
const audit = { 'x-audit-record-id': '9f4c2a7be1d05836c7a41f0e5b8d2963' };

/** Names and notes twice as long as they mostly are, in as many rows as fill several pages. */
const result = {
  metadata: {
    patient: 'Maximiliane-Alexandra Featherstonehaugh-Cholmondeley von Hohenzollern-Sigmaringen',
    dob: '07/03/1985',
    age: 41,
    provider: 'Dr Bartholomew Fotheringham-Ashworth-Pemberton',
    laboratory: 'The Northern Reference Laboratory for Clinical Chemistry and Haematology',
    clia_number: '05D2049531',
    specimen_number: 'SPEC-000000000000123456789',
    date_collected: '2026-05-01',
    date_reported: '2026-05-03',
    status: 'final',
    interpretation: 'abnormal',
  },
  order_transaction: {
    id: '44444444-4444-4444-8444-444444444444',
    status: 'completed',
    orders: [
      {
        id: orderId,
        created_at: '2026-05-01T08:00:00Z',
        updated_at: '2026-05-03T08:00:00Z',
        low_level_status: 'corrected',
        origin: 'initial',
      },
      {
        id: '5f2c8a52-1b7e-4c1d-9a64-5d0e8f7b2a11',
        created_at: '2026-05-04T08:00:00Z',
        updated_at: '2026-05-04T08:00:00Z',
        low_level_status: 'ordered',
        origin: 'redraw',
      },
    ],
  },
  missing_results: [
    {
      name: 'Ferritin, by a very long name of a test that could not be measured at all',
      slug: 'ferritin',
      inferred_failure_type: 'insufficient_volume',
      note: 'Ask-for-a-new-vial',
    },
  ],
  results: Array.from({ length: 70 }, (_, index) => ({
    name: `Tetraiodothyronine-binding-globulin-saturation no.${String(index)}`,
    slug: `marker-${String(index)}`,
    result: `${String(1000 + index)}.50`,
    value: 1000.5 + index,
    unit: 'mL/min/{1.73_m2}',
    max_range_value: index < 10 ? 900 : 2000,
    min_range_value: 1,
    timestamp: '2026-05-01T08:30:00Z',
    loinc: '2951-2',
    ...(index === 3 && { interpretation: 'panic' }),
    ...(index % 7 === 0 && { notes: `Measured-twice-${String(index)}` }),
  })),
};

beforeAll(async () => {
  folder = kept ?? mkdtempSync(join(tmpdir(), 'caregate-labs-print-'));
  desktop = await launch();
  service = await startFake();
  service.respondWith((request, response) => {
    if (request.url?.includes(orderId) === true) json(response, 200, result, audit);
    else emptyTeam(request, response);
  });
});
afterAll(async () => {
  await desktop.close();
  await service.stop();
  if (kept === undefined) rmSync(folder, { recursive: true, force: true });
});
afterEach(async () => {
  await desktop.page.evaluate(() => window.caregate.signOut({}));
  expect(desktop.faults).toEqual([]);
});

/** Sign-in, the order, Ctrl+P, the paper, save: as people do it. Gives the file. */
async function printed(language: 'en' | 'ar', paper: string, masked = false): Promise<string> {
  const { page, app } = desktop;
  const file = join(folder, `labs-${paper}-${language}${masked ? '-masked' : ''}.pdf`);
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
  }, file);
  await look(page, { theme: 'light', language });
  await page.evaluate(
    (address) => window.caregate.signIn({ address, key: 'cg_live_test_key', saveKey: false }),
    service.address,
  );
  // The rail is there with the sign-in, and nowhere before it.
  await page.getByRole('navigation').waitFor();
  await page.keyboard.press('Control+2');
  await page.locator('main form input').fill(orderId);
  await page.keyboard.press('Enter');
  await page.locator('main table').first().waitFor();
  await page.keyboard.press('Control+p');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: paper, exact: true }).click();
  if (masked) await dialog.getByRole('radio', { name: 'Masked' }).click();
  const papers = await dialog.getByRole('radiogroup').first().getByRole('radio').count();
  expect(papers).toBe(2);
  await dialog.locator('button[class*=main]').waitFor();
  await dialog.locator('button[class*=main]').click();
  const saved = language === 'ar' ? 'تم الحفظ.' : 'Saved.';
  await dialog.getByText(saved).waitFor();
  return file;
}

const millimetres = { A4: [210, 297], Letter: [215.9, 279.4] } as const;
const cases = (['A4', 'Letter'] as const).flatMap((paper) =>
  (['en', 'ar'] as const).map((language) => ({ paper, language })),
);

describe('the printed lab result', () => {
  it.each(cases)(
    'on $paper in $language has its size, tags, all its texts, and its head and foot on each page',
    async ({ paper, language }) => {
      const file = await printed(language, paper);
      const info = run('pdfinfo', file);
      const [, wide, high] = /Page size:\s+([\d.]+) x ([\d.]+) pts/u.exec(info) ?? [];
      const [width, height] = millimetres[paper];
      expect(Math.abs((Number(wide) / 72) * 25.4 - width)).toBeLessThanOrEqual(0.2);
      expect(Math.abs((Number(high) / 72) * 25.4 - height)).toBeLessThanOrEqual(0.2);
      expect(info).toMatch(/Tagged:\s+yes/u);
      const pages = Number(/Pages:\s+(\d+)/u.exec(info)?.[1]);
      expect(pages).toBeGreaterThanOrEqual(3);

      // Without spaces and hyphens: long words break in their cells, and a hyphen at an end is taken for a break's.
      const plain = (said: string): string => said.replace(/[\s-]+/gu, '');
      const textOf = (...options: string[]): string =>
        plain(run('pdftotext', ...options, file, '-'));
      const text = textOf();
      const { patient, provider, laboratory } = result.metadata;
      const [missing] = result.missing_results;
      const words = [patient, provider, laboratory, missing!.name, missing!.note];
      // Word by word: what stands beside a text of several lines comes in between.
      for (const word of words.flatMap((said) => said.split(/[ ,-]+/u))) {
        expect(text).toContain(word);
      }
      for (const { result: value, notes } of result.results) {
        expect(text).toContain(value);
        if (notes !== undefined) expect(text).toContain(notes.split('-').at(-1));
      }
      if (language === 'ar') return;
      expect(text).toContain("Resultsummary,notthelaboratory'sreport");
      expect(text).toContain('Notrecognised(?)');
      expect(text).toContain('“panic”');
      expect(text.split('High(H)')).toHaveLength(11);
      expect(text).toContain('Final·Corrected·Notthelatestorder');
      expect(text.indexOf('Thelaboratorycorrectedthisreport.')).toBeGreaterThan(0);
      expect(text.indexOf('Thelaboratorycorrectedthisreport.')).toBeLessThan(
        text.indexOf('Ferritin'),
      );
      expect(text.indexOf('Ferritin')).toBeLessThan(text.indexOf('Tetraiodo'));
      for (let page = 1; page <= pages; page += 1) {
        const one = textOf('-f', String(page), '-l', String(page));
        if (one.includes('Tetraiodo')) expect(one).toContain('Referencerange');
        expect(one).toContain(`Page${String(page)}of${String(pages)}`);
        expect(one).toMatch(/Auditrecord[\da-f]{32}/u);
        expect(one).toMatch(/Printedbykey\S*(?:UTC|GMT)/u);
      }
    },
  );

  it('masked names no one', async () => {
    const text = run('pdftotext', await printed('en', 'A4', true), '-');
    expect(text).toContain('1003.50');
    expect(text).not.toMatch(/Maximiliane|Featherstone|1985/u);
  });
});
