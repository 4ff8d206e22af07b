import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { launch, untilFind } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { startDemo } from '../support/service.testing.ts';
import type { DemoService } from '../support/service.testing.ts';
import { open } from '../support/states.testing.ts';

let service: DemoService;
let desktop: Desktop;
let folder: string;
/** Keys since the start of the task; what is typed or scanned as an id isn't counted. */
let keys = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-keyboard-'));
  service = await startDemo();
  desktop = await launch({ readyFile: service.readyFile });
});
afterAll(async () => {
  await desktop.close();
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  const { page } = desktop;
  await page.evaluate(() => window.caregate.signInToDemo({ role: 'clinician' }));
  await untilFind(page);
  keys = 0;
});
afterEach(async () => {
  await desktop.page.evaluate(() => window.caregate.signOut({}));
  expect(desktop.faults).toEqual([]);
});

async function press(key: string): Promise<void> {
  keys += 1;
  await desktop.page.keyboard.press(key);
}

async function heading(name: string): Promise<void> {
  await desktop.page.getByRole('heading', { name, exact: true }).first().waitFor();
}

/** Moves on until what has the focus is so called; refuses to go round for ever. */
async function tabTo(name: string): Promise<void> {
  const { page } = desktop;
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

describe('without a mouse', () => {
  it('from Find by person, labs, activity and insurance to a print and details in ten keys', async () => {
    const { page, app } = desktop;
    const file = join(folder, 'insurance.pdf');
    await app.evaluate(({ dialog }, filePath) => {
      dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
    }, file);
    await page.keyboard.insertText(service.sample.client_user_id);
    await press('Enter');
    await heading('Overview');
    await press('Control+2');
    await page.getByRole('table', { name: 'Results' }).waitFor();
    await press('Control+4');
    await heading('Mindfulness minutes');
    await press('Control+3');
    await page.getByText('Member id').first().waitFor();
    await press('Control+p');
    await page.getByText('Ready.').waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent === 'Save as PDF');
    await press('Enter');
    await page.getByText('Saved.').waitFor();
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await press('Control+5');
    await heading('Details');
    expect(keys).toBeLessThanOrEqual(10);
    expect(readFileSync(file).subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('somebody is chosen from the list, masked, copied, and closed', async () => {
    const { page } = desktop;
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
    await bar.getByText('Copied; cleared in a minute').waitFor();
    await tabTo('Close person');
    await press('Enter');
    await heading('Find a person');
    expect(await bar.count()).toBe(0);
    // Who was open is one key away.
    await press('Control+Tab');
    await heading('Overview');
  });

  it('recents lead back to people and to orders, each under the person it was opened under', async () => {
    const { page } = desktop;
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
    const { page } = desktop;
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
    const { page } = desktop;
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
    const { page } = desktop;
    await press('F1');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await list.getByText('Ctrl+Shift+N').waitFor();
    await press('Escape');
    await list.waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.tagName === 'INPUT');
  });
});
