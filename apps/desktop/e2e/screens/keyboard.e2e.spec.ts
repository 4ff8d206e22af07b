import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { untilFind } from '../support/desktop.testing.ts';
import { startDemo } from '../support/service.testing.ts';
import type { DemoService } from '../support/service.testing.ts';
import { findField, open } from '../support/states.testing.ts';
import { startedDesk } from '../support/started-desk.testing.ts';

/** Without a mouse, beside a real service: what a working day (`e2e/day`) does not pass. */
let service: DemoService;
let page: Page;

startedDesk(
  () => startDemo('--users', '30'),
  (there) => ({ page, service } = there),
);
beforeEach(async () => {
  await page.evaluate(() => window.caregate.signInToDemo({ role: 'clinician' }));
  await untilFind(page);
});
afterEach(async () => {
  await page.evaluate(() => window.caregate.signOut({}));
});

const press = (key: string): Promise<void> => page.keyboard.press(key);
const heading = (name: string): Promise<void> =>
  page.getByRole('heading', { name, exact: true }).first().waitFor();

/** Opens the palette, and what these letters find there. */
async function command(letters: string): Promise<void> {
  await press('Control+Shift+K');
  await page.getByRole('dialog').locator('input').fill(letters);
  await press('Enter');
}

it('recents lead back to an order under the person it was opened under', async () => {
  await page.keyboard.insertText(service.sample.client_user_id);
  await press('Enter');
  await heading('Overview');
  await press('Control+2');
  await page.getByRole('table', { name: 'Results' }).waitFor();
  await command('close person');
  await heading('Find a person');
  await open('Recents')(page);
  await page.getByText(`opened under ${service.sample.client_user_id}`).waitFor();
  await page.getByRole('button', { name: service.sample.order_id }).press('Enter');
  await page.getByRole('table', { name: 'Results' }).waitFor();
  await page
    .getByRole('region', { name: 'Person', exact: true })
    .getByText(service.sample.client_user_id)
    .waitFor();
});

describe('the palette', () => {
  it('goes where it is told by a few letters, closes by Escape, and gives the focus back', async () => {
    await page.getByLabel(findField).focus();
    await press('Control+Shift+K');
    await page.getByRole('menuitem', { name: 'Lock' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Insurance' }).count()).toBe(0);
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.tagName === 'INPUT');
    await command('rec');
    await heading('Recents');
    await press('Control+Shift+K');
    await page.getByRole('dialog').locator('input').fill(service.sample.client_user_id);
    await page.getByRole('menuitem', { name: 'Find “' }).waitFor();
    await press('Enter');
    await heading('Overview');
    await command('mask');
    await page.getByRole('button', { name: 'Show (F8)' }).waitFor();
    await press('Control+3');
    await page.getByText('Member id').first().waitFor();
    await command('print');
    await page.getByText('Ready.').waitFor();
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await command('lock');
    await heading('Locked');
  });

  it('opens what was pasted into it by Enter, though no command has the focus yet', async () => {
    const find = page.getByLabel(findField);
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
});
