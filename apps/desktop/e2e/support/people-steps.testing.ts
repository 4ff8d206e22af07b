import type { Page } from 'playwright-core';
import type { Desktop } from './desktop.testing.ts';
import { standIn } from './stand-ins.testing.ts';
import type { Answers } from './stand-ins.testing.ts';

/** A state of a screen: main's answers, the steps to it, and the texts that it must show. */
export interface PeopleState {
  readonly answers: Answers;
  readonly come?: (page: Page) => Promise<unknown>;
  readonly says: string | RegExp | readonly string[];
  /** Texts that the page must not contain. */
  readonly hides?: readonly string[];
}

export const press =
  (name: string) =>
  (page: Page): Promise<void> =>
    page.getByRole('button', { name }).first().click();
export const go =
  (name: string) =>
  (page: Page): Promise<void> =>
    page.getByRole('navigation').getByRole('button', { name }).click();

export async function typePin(page: Page, digits: string): Promise<void> {
  await page.locator('input[inputmode=numeric]:focus').fill(digits);
  await page.keyboard.press('Enter');
}

/** Reloads the page, goes to the state and checks its texts. */
export async function enterPeopleState(desktop: Desktop, state: PeopleState): Promise<void> {
  const { answers, come, says, hides = [] } = state;
  const { page } = desktop;
  await standIn(desktop, answers);
  await page.reload();
  await page.waitForSelector('#root > *');
  await come?.(page);
  for (const text of [says].flat()) {
    await page.getByText(text).first().waitFor();
  }
  // A text may be shown before the rest of the screen is loaded.
  await page.locator('h1').first().waitFor({ state: 'attached' });
  const html = await page.evaluate(() => document.documentElement.outerHTML);
  if (hides.some((datum) => html.includes(datum))) throw new Error('Something is shown.');
}

/** Opens the access history of a patient as an auditor. */
export async function readHistory(page: Page, id = 'MRN-000101'): Promise<void> {
  await page.getByLabel('MRN, user ID, or audit number').fill(id);
  await page.keyboard.press('Enter');
  await page.getByLabel('Period').waitFor();
}
