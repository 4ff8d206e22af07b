import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { scan } from '../support/barcode.testing.ts';
import { startSpooler } from '../support/cups.testing.ts';
import type { Spooler } from '../support/cups.testing.ts';
import { eventually, launch, untilFind } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { pagesOf } from '../support/pdf.testing.ts';
import { startDemo } from '../support/service.testing.ts';
import type { DemoService } from '../support/service.testing.ts';

/** The tasks of a desk with the keys that each takes: a real service, a real Electron, a real CUPS. */
let service: DemoService;
let spooler: Spooler;
let desktop: Desktop;
let page: Page;
let folder: string;
/** Each key that was pressed since the start of the task. */
let keys: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-keys-'));
  spooler = await startSpooler();
  service = await startDemo('--users', '30');
  desktop = await launch({
    readyFile: service.readyFile,
    env: { CUPS_SERVER: spooler.socket },
  });
  ({ page } = desktop);
});
afterAll(async () => {
  await desktop.close();
  await service.stop();
  await spooler.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await page.evaluate(() => window.caregate.signInToDemo({ role: 'clinician' }));
  await untilFind(page);
  keys = [];
});
afterEach(async () => {
  await page.evaluate(() => window.caregate.signOut({}));
  expect(desktop.faults).toEqual([]);
});

async function press(key: string): Promise<void> {
  keys.push(key);
  await page.keyboard.press(key);
}

/** As people type, and no scanner; until the one person is there whom the letters find. */
async function type(letters: string): Promise<void> {
  for (const letter of letters) {
    keys.push(letter);
    await page.keyboard.type(letter, { delay: 100 });
  }
  await page.getByRole('option', { name: name }).waitFor();
}

const name = 'Amara Okonkwo-Lindqvist';
const header = (): Promise<void> =>
  page.getByRole('region', { name: 'Person', exact: true }).getByText('MRN-000101').waitFor();

/** What the printer got as the nth job, as words. */
async function printed(number: number): Promise<{ file: string; words: readonly string[] }> {
  const pdf = await eventually('the job', () => Promise.resolve(spooler.documents().at(number)));
  const file = join(folder, `job-${String(number)}.pdf`);
  writeFileSync(file, pdf);
  return { file, words: pagesOf(file).flatMap(({ words }) => words.map(({ text }) => text)) };
}

describe('the keys of each task', () => {
  it('name to person: 4 letters and Enter; from there to the latest report: 1', async () => {
    await type('okon');
    await press('Enter');
    await header();
    expect(keys).toEqual(['o', 'k', 'o', 'n', 'Enter']);
    keys = [];
    await press('Control+2');
    const labs = page.getByRole('main', { name: 'Labs' });
    await labs.getByRole('heading', { name: 'Bluestone Diagnostics' }).waitFor();
    // Her newest order has no results yet.
    await labs.getByText('LDL Chol Calc').waitFor();
    expect(keys).toEqual(['Control+2']);
  });

  it('Find to printed insurance: the name and 3', async () => {
    const before = spooler.documents().length;
    await type('okon');
    keys = [];
    await press('Control+3');
    await page.getByText('NWM284902123').first().waitFor();
    await press('Control+p');
    const panel = page.getByRole('dialog', { name: 'Print' });
    await panel.getByText('Ready.').waitFor();
    await panel.locator('button:focus', { hasText: 'Print' }).waitFor();
    await press('Enter');
    expect(keys).toEqual(['Control+3', 'Control+p', 'Enter']);
    const { words } = await printed(before);
    expect(words).toContain('NWM284902123');
    expect(words).toContain('MRN-000101');
  });

  it('label from the person, once the printer is set up: 1', async () => {
    await type('okon');
    await press('Enter');
    await header();
    await page.keyboard.press('Control+b');
    const panel = page.getByRole('dialog', { name: 'Print a label' });
    await panel.getByText('Ready.').waitFor();
    await panel.getByRole('button', { name: 'Print', exact: true }).press('Enter');
    await panel.getByText('Sent to the printer.').waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    const before = spooler.documents().length;
    keys = [];
    await press('Control+b');
    const { file } = await printed(before);
    expect(scan(file)).toEqual({ format: 'CODE_128', text: 'MRN-000101' });
    expect(keys).toEqual(['Control+b']);
  });
});
