import type { Page } from 'playwright-core';
import en from '../../src/renderer/i18n/en.json' with { type: 'json' };
import { PATIENT_SCREENS } from '../../src/shared/people.ts';
import { orderId } from './answers.testing.ts';
import { connectScanner } from './scanner.testing.ts';
import { resetShell } from './signed-in-desk.testing.ts';
import { waitForText } from './state-walk.testing.ts';

export type Step = (page: Page) => Promise<unknown>;

/** The label of the search field. */
export const findField = 'Name, DOB, phone, or MRN';

/** Shortcuts of the screens by name. All but Search need an open patient. */
const keys = new Map([
  ['Find', 'Control+k'],
  ...PATIENT_SCREENS.map((screen, at) => [en[`screen.${screen}`], `Control+${at + 1}`] as const),
]);

/** Opens a screen from any other one by its shortcut, the sidebar or the staff menu. */
export const open =
  (name: string): Step =>
  async (page) => {
    const pressed = keys.get(name);
    if (pressed !== undefined) {
      await page.keyboard.press(pressed);
    } else if (name === 'Settings') {
      await page.getByRole('complementary').getByRole('button', { name, exact: true }).click();
    } else {
      await openStaffMenu(page);
      await page.getByRole('menuitem', { name, exact: true }).click();
    }
  };

async function openStaffMenu(page: Page): Promise<void> {
  await page.locator('footer button[aria-haspopup=menu]').click();
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
}

export async function openPerson(page: Page): Promise<void> {
  await page.getByLabel(findField).fill('MRN-1');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
}

/** Skips Overview, which would read the same data as the screen. */
const openPersonAt =
  (name: 'Labs' | 'Insurance', shows: string): Step =>
  async (page) => {
    await page.getByLabel(findField).fill('MRN-1');
    await page.getByRole('option').first().waitFor();
    await open(name)(page);
    await waitForText(page, shows);
  };

export const openAtInsurance = openPersonAt('Insurance', 'MEMBER-77');
export const openAtLabs = openPersonAt('Labs', 'Ferritin');

/** Opens the report. A patient's newest report opens by itself. Without a list, it is opened by its number. */
export async function openOrder(page: Page): Promise<void> {
  await open('Labs')(page);
  const field = page.getByLabel('Order number', { exact: true });
  await field
    .or(page.getByRole('listbox', { name: 'Orders' }))
    .first()
    .waitFor();
  if (!(await field.isVisible())) return;
  await field.fill(orderId);
  await page.keyboard.press('Enter');
}

export const signOut: Step = async (page) => {
  await openStaffMenu(page);
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
};

/** Types into the search field after a sign-in. */
export function type(typed: string): Step {
  return async (page) => {
    await resetShell(page);
    await page.getByLabel(findField).fill(typed);
  };
}

export function scan(code: string): Step {
  return async (page) => {
    const scanner = await connectScanner(page);
    await scanner.scan(code, () => 10);
  };
}

export const refresh: Step = (page) => page.getByRole('button', { name: 'Refresh' }).click();
