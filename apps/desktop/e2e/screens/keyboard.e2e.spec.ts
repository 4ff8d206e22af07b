import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { scan } from '../support/barcode.testing.ts';
import { startSpooler } from '../support/cups.testing.ts';
import type { Spooler } from '../support/cups.testing.ts';
import { untilFind } from '../support/desktop.testing.ts';
import { pagesOf } from '../support/pdf.testing.ts';
import { startDemo } from '../support/service.testing.ts';
import type { DemoService } from '../support/service.testing.ts';
import { open } from '../support/states.testing.ts';
import { startedDesk, temporaryFolder } from '../support/started-desk.testing.ts';

/** The tasks of a desk by keys alone: a real service, a real Electron, a real CUPS. */
let service: DemoService;
let spooler: Spooler;
let page: Page;
const folder = temporaryFolder();
/** Each key that was pressed since the start of the task. */
let keys: string[] = [];

beforeAll(async () => {
  spooler = await startSpooler();
});
afterAll(() => spooler.stop());
startedDesk(
  () => startDemo('--users', '30'),
  (there) => ({ page, service } = there),
  ({ readyFile }) => ({ readyFile, env: { CUPS_SERVER: spooler.socket } }),
);
beforeEach(async () => {
  await page.evaluate(() => window.caregate.signInToDemo({ role: 'clinician' }));
  await untilFind(page);
  keys = [];
});
afterEach(async () => {
  await page.evaluate(() => window.caregate.signOut({}));
});

async function press(key: string): Promise<void> {
  keys.push(key);
  await page.keyboard.press(key);
}

async function heading(name: string): Promise<void> {
  await page.getByRole('heading', { name, exact: true }).first().waitFor();
}

/** Moves on until what has the focus is so called; refuses to go round for ever. */
async function tabTo(name: string): Promise<void> {
  for (let count = 0; count < 60; count += 1) {
    const focused = await page.evaluate(() => {
      const { activeElement } = document;
      return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? '';
    });
    if (focused.startsWith(name)) return;
    await press('Tab');
  }
  throw new Error(`No key leads to ${name}`);
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
  const file = join(folder, `job-${String(number)}.pdf`);
  writeFileSync(file, await spooler.job(number));
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
    await press('Control+4');
    await heading('Mindfulness minutes');
    await press('Control+5');
    await heading('Details');
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
    expect(await scan(file)).toEqual({ format: 'Code128', text: 'MRN-000101' });
    expect(keys).toEqual(['Control+b']);
  });
});

describe('without a mouse', () => {
  it('somebody is chosen from the list, masked, copied, and closed', async () => {
    await page.keyboard.insertText(service.sample.client_user_id);
    await page.getByRole('option', { name: service.sample.client_user_id }).waitFor();
    await press('ArrowDown');
    await press('Enter');
    await heading('Overview');
    await press('F8');
    const bar = page.getByRole('region', { name: 'Person', exact: true });
    await bar.getByRole('button', { name: 'Show (F8)' }).waitFor();
    await press('F8');
    await tabTo('Copy client id');
    await press('Enter');
    await page.getByRole('status').getByText('Copied; cleared in a minute').waitFor();
    await tabTo('Close person');
    await press('Enter');
    await heading('Find a person');
    expect(await bar.count()).toBe(0);
    // Who was open is one key away.
    await press('Control+Tab');
    await heading('Overview');
  });

  it('recents lead back to people and to orders, each under the person it was opened under', async () => {
    await page.keyboard.insertText(service.sample.client_user_id);
    await press('Enter');
    await heading('Overview');
    await press('Control+2');
    await page.getByRole('table', { name: 'Results' }).waitFor();
    await press('Control+Shift+K');
    await page.getByRole('dialog').locator('input').fill('close person');
    await press('Enter');
    await heading('Find a person');
    await open('Recents')(page);
    await page.getByText(`opened under ${service.sample.client_user_id}`).waitFor();
    await tabTo(service.sample.order_id);
    await press('Enter');
    await page.getByRole('table', { name: 'Results' }).waitFor();
    await page
      .getByRole('region', { name: 'Person', exact: true })
      .getByText(service.sample.client_user_id)
      .waitFor();
    await open('Recents')(page);
    await tabTo('Clear now');
    await press('Enter');
    await page.getByText('Nobody yet.').waitFor();
  });
});

describe('the palette', () => {
  it('goes where it is told by a few letters, closes by Escape, and gives the focus back', async () => {
    await page.getByLabel('Name, birth date, phone or id').focus();
    await press('Control+Shift+K');
    await page.getByRole('dialog', { name: 'Commands' }).waitFor();
    await page.getByRole('menuitem', { name: 'Lock' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Insurance' }).count()).toBe(0);
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.tagName === 'INPUT');
    await press('Control+Shift+K');
    const field = page.getByRole('dialog').locator('input');
    await field.fill('rec');
    await press('Enter');
    await heading('Recents');
    await press('Control+Shift+K');
    await field.fill(service.sample.client_user_id);
    await page.getByRole('menuitem', { name: 'Find “' }).waitFor();
    await press('Enter');
    await heading('Overview');
    await press('Control+Shift+K');
    await field.fill('mask');
    await press('Enter');
    await page.getByRole('button', { name: 'Show (F8)' }).waitFor();
    await press('Control+3');
    await page.getByText('Member id').first().waitFor();
    await press('Control+Shift+K');
    await field.fill('print');
    await press('Enter');
    await page.getByText('Ready.').waitFor();
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await press('Control+Shift+K');
    await field.fill('lock');
    await press('Enter');
    await heading('Locked');
    await page.getByLabel('Staff key').fill(service.keys['clinician']!);
    await press('Enter');
    await heading('Find a person');
    await press('Control+Shift+K');
    await field.fill('sign out');
    await press('Enter');
    await heading('Sign in');
  });

  it('opens what was pasted into it by Enter, though no command has the focus yet', async () => {
    const find = page.getByLabel('Name, birth date, phone or id');
    await find.fill(service.sample.client_user_id);
    await press('Control+A');
    await press('Control+X');
    await press('Control+Shift+K');
    await page.getByRole('dialog').locator('input').waitFor();
    await press('Control+V');
    await page.getByRole('menuitem', { name: 'Find “' }).waitFor();
    await press('Enter');
    await heading('Overview');
  });

  it('and the list of keys by F1, closed by Escape', async () => {
    await press('F1');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await list.getByText('Ctrl Shift N').waitFor();
    await press('Escape');
    await list.waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.tagName === 'INPUT');
  });
});
