import { afterEach, beforeEach, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { untilFind } from '../support/desktop.testing.ts';
import { signInToDemo, startClinic } from '../support/provider.testing.ts';
import type { DemoService } from '../support/service.testing.ts';
import { findField } from '../support/states.testing.ts';
import { startedDesk } from '../support/started-desk.testing.ts';

/** Without a mouse, beside a real service: what a working day (`e2e/day`) does not pass. */
let service: DemoService;
let page: Page;

startedDesk(
  () => startClinic({}, '--users', '30'),
  (there) => {
    ({ page } = there);
    ({ service } = there.service);
  },
);
beforeEach(async () => {
  await signInToDemo(page);
  await untilFind(page);
});
afterEach(async () => {
  await page.evaluate(() => window.caregate.signOut({}));
});

const press = (key: string): Promise<void> => page.keyboard.press(key);
const heading = (name: string): Promise<void> =>
  page.getByRole('heading', { name, exact: true }).first().waitFor();

it('recent people are reached by the arrow from the field, and open by Enter', async () => {
  await page.keyboard.insertText(service.sample.client_user_id);
  await press('Enter');
  await heading('Overview');
  await page.getByRole('button', { name: 'Close patient' }).press('Enter');
  const recents = page.getByRole('region', { name: 'Recent patients' });
  await recents.getByText(service.sample.client_user_id).waitFor();
  await page.getByLabel(findField).focus();
  await press('ArrowDown');
  await recents.locator(':focus').getByText(service.sample.client_user_id).waitFor();
  await press('ArrowUp');
  await page.getByLabel(findField).and(page.locator(':focus')).waitFor();
  await press('ArrowDown');
  await press('Enter');
  await heading('Overview');
  await page
    .getByRole('region', { name: 'Patient', exact: true })
    .getByText(service.sample.client_user_id)
    .waitFor();
});
