import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { PrintDocument } from '../../src/bridge/print.ts';
import { launch } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { emptyTeam, startFake } from '../support/fake-service.testing.ts';
import type { FakeService } from '../support/fake-service.testing.ts';
import { overlapsOf, pagesOf, strayOf } from '../support/pdf.testing.ts';

let desktop: Desktop;
let service: FakeService;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-print-'));
  desktop = await launch();
  service = await startFake();
});
afterAll(async () => {
  await desktop.close();
  await service.stop();
  if (process.env['KEEP_PRINTS'] === undefined) rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  service.respondWith(emptyTeam);
  await desktop.page.evaluate(
    (address) => window.caregate.signIn({ address, key: 'cg_live_test_key', saveKey: false }),
    service.address,
  );
});
afterEach(async () => {
  await desktop.page.evaluate(() => window.caregate.signOut({}));
});

/** Names twice as long as they mostly are. */
const longName = 'Maximiliane-Alexandra Featherstonehaugh-Cholmondeley';

function documentOf(
  paper: PrintDocument['paper'],
  direction: PrintDocument['direction'],
): PrintDocument {
  const arabic = direction === 'rtl';
  return {
    paper,
    language: arabic ? 'ar' : 'en',
    direction,
    kind: 'insurance',
    title: arabic ? 'بيانات التأمين' : 'Insurance details',
    notice: arabic ? 'هذه ليست بطاقة تأمين' : 'Not an insurance card; not proof of coverage',
    main: [
      { label: 'Payor code', value: 'PAYOR-00123', code: true },
      { label: 'Member id', value: 'MEMBER-9876543210', code: true },
      { label: 'Group id', value: 'GROUP-55', code: true },
      { label: 'Relationship', value: 'Spouse' },
    ],
    sections: [
      {
        heading: 'Insured (subscriber), not necessarily the patient',
        facts: [
          { label: 'Name', value: longName },
          { label: 'Birth date', value: '07 Mar 1985' },
        ],
      },
    ],
    patient: {
      name: 'Amara Okonkwo-Lindqvist',
      facts: [
        { label: 'Born', value: '07 Mar 1985' },
        { label: 'Client id', value: 'MRN-000101', code: true },
      ],
    },
    page: ['Page ', ' of ', ''],
    footer: [
      'Printed by key AbC123',
      '21 Nov 2026, 10:02:03 UTC · Audit record 9f4c2a7be1d05836c7a41f0e5b8d2963',
    ],
  };
}

/** Makes the PDF through the page, and has it saved where the dialog is made to say. */
async function saved(document: PrintDocument): Promise<string> {
  const file = join(folder, `${document.paper}-${document.direction}.pdf`);
  await desktop.app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
  }, file);
  const done = await desktop.page.evaluate(async (wanted) => {
    const made = await window.caregate.makePrint(wanted);
    return made.ok ? window.caregate.savePrint({ id: made.value.id }) : made;
  }, document);
  expect(done).toEqual({ ok: true, value: { saved: true } });
  return file;
}

const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: 'utf8' });

const sizes = [
  ['a4', 210, 297],
  ['letter', 215.9, 279.4],
  ['card', 85.6, 53.98],
] as const;
const cases = sizes.flatMap(([paper, width, height]) =>
  (['ltr', 'rtl'] as const).map((direction) => ({ paper, width, height, direction })),
);

describe('the PDF', () => {
  it.each(cases)(
    'on $paper, $direction, has its size within 0.2 mm, tags and all text',
    async ({ paper, width, height, direction }) => {
      const file = await saved(documentOf(paper, direction));
      const info = run('pdfinfo', file);
      const [, wide, high] = /Page size:\s+([\d.]+) x ([\d.]+) pts/u.exec(info) ?? [];
      expect(Math.abs((Number(wide) / 72) * 25.4 - width)).toBeLessThanOrEqual(0.2);
      expect(Math.abs((Number(high) / 72) * 25.4 - height)).toBeLessThanOrEqual(0.2);
      expect(info).toMatch(/Tagged:\s+yes/u);
      expect(info).toMatch(/JavaScript:\s+no/u);
      // Without its spaces: long words break where they have a hyphen.
      const text = run('pdftotext', file, '-').replace(/\s+/gu, '');
      for (const { value } of documentOf(paper, direction).main) expect(text).toContain(value);
      for (const word of longName.split(/[ -]/u)) expect(text).toContain(word);
      expect(text).toContain('9f4c2a7be1d05836c7a41f0e5b8d2963');
      expect(text).toContain('PrintedbykeyAbC123');
      const pages = Number(/Pages:\s+(\d+)/u.exec(info)?.[1]);
      expect(pages).toBeLessThanOrEqual(2);
      for (let page = 1; page <= pages; page += 1) {
        const number = new RegExp(`Page${String(page)}of${String(pages)}`, 'u');
        if (direction === 'ltr') expect(text).toMatch(number);
      }
    },
  );
});

describe('header and footer of texts as long as they may be', () => {
  it.each(['a4', 'letter', 'card'] as const)('lie over nothing on %s', async (paper) => {
    const footer = ['WMQ '.repeat(20), 'x'.repeat(90), `Audit record ${'0E6F1C52-'.repeat(22)}`];
    const document = documentOf(paper, 'ltr');
    const patient = { ...document.patient, name: `${'Wolfeschlegelstein'.repeat(11)}Q7` };
    // More than one page of them: their last lines come near the footer.
    const sections = Array.from({ length: 20 }, () => document.sections).flat();
    const file = await saved({ ...document, patient, sections, footer });
    const pages = pagesOf(file);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flatMap(overlapsOf)).toEqual([]);
    expect(pages.flatMap((page) => strayOf(page, 0))).toEqual([]);
    for (const page of pages) {
      const text = page.words
        .map((word) => word.text)
        .join('')
        .replaceAll('-', '');
      expect(text).toContain(`${'Wolfeschlegelstein'.repeat(11)}Q7`);
      expect(text.split('0E6F1C52')).toHaveLength(23);
    }
  });
});
