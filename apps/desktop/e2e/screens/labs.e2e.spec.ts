import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { untilFind } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { resize } from '../support/layout.testing.ts';
import { signInToDemo, startClinic } from '../support/provider.testing.ts';
import { axeFaults } from '../support/looks.testing.ts';
import { startedDesk } from '../support/started-desk.testing.ts';

/** Orders of the demo's edge cases, by case. */
const orders = {
  unknownValues: 'a3c0de00-0000-4000-9000-000000000009',
  extraFields: 'a3c0de00-0000-4000-9000-000000000008',
  birthDateMismatch: 'a3c0de00-0000-4000-9000-00000000000b',
  oneSidedRanges: 'a3c0de00-0000-4000-9000-000000000014',
  contradictoryFlags: 'a3c0de00-0000-4000-9000-000000000015',
  missingResults: 'a3c0de00-0000-4000-9000-000000000018',
  nestedSampleInformation: 'a3c0de00-0000-4000-9000-000000000019',
  everyStatus: 'a3c0de00-0000-4000-9000-00000000001a',
  fiveHundred: 'a3c0de00-0000-4000-9000-00000000001b',
  extremeNumbers: 'a3c0de00-0000-4000-9000-00000000001c',
  markupInText: 'a3c0de00-0000-4000-9000-00000000001d',
} as const;

let desktop: Desktop;
let page: Page;

startedDesk(
  startClinic,
  (there) => ({ desktop, page } = there),
  // The tests name the days of orders as they are in UTC.
  ({ readyFile }) => ({ readyFile, env: { TZ: 'UTC' } }),
);
afterEach(async () => {
  await page.evaluate(() => window.caregate.signOut({}));
});

async function signIn(): Promise<void> {
  await signInToDemo(page);
  await untilFind(page);
}

/** By keys alone: the screen, the id, Enter. */
async function showOrder(id: string): Promise<void> {
  await page.keyboard.press('Control+2');
  const field = page.getByLabel('Order number', { exact: true });
  await field.waitFor();
  await field.focus();
  await page.keyboard.press('Control+a');
  // Not key by key: at a robot's pace that would be a scan.
  await page.keyboard.insertText(id);
  await page.keyboard.press('Enter');
}

describe('lab results in the window', () => {
  it('shows the orders of all edge cases by keyboard alone, and unknown values without axe violations', async () => {
    await signIn();
    for (const [name, id] of Object.entries(orders)) {
      await showOrder(id);
      await page.getByRole('table', { name: 'Results' }).waitFor();
      await page.getByText(/^As of /u).waitFor();
      if (name === 'unknownValues') expect(await axeFaults(page)).toEqual([]);
    }
  });
});

const size = (width: number, height: number): Promise<void> =>
  resize(desktop, { width, height, zoom: 1 });

const list = (): Locator => page.getByRole('listbox', { name: 'Orders' });
const rows = (): Locator => page.getByRole('table', { name: 'Results' }).locator('tbody > tr');
const row = (name: string): Locator => rows().filter({ hasText: name });

/** Opens the corrected report: one key to the newest, one to the one before it. */
async function openCorrected(): Promise<void> {
  await page.keyboard.press('Control+2');
  await rows().first().waitFor();
  await page.keyboard.press('Alt+ArrowDown');
  await page.getByRole('alert', { name: 'Report status' }).getByText('5.6').waitFor();
}

describe("the demo's Amara: seven orders, one corrected, one partial, one pending", () => {
  beforeEach(async () => {
    await size(1280, 800);
    await signIn();
    await page.keyboard.insertText('MRN-000101');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
  });

  it('opens the newest report by one key, and all values of a test by another', async () => {
    await page.keyboard.press('Control+2');
    await row('TSH').waitFor();
    // The previous report was corrected.
    await row('Potassium')
      .getByText(/was \S*5\.6/u)
      .waitFor();
    const states = await list().getByRole('option').allInnerTexts();
    expect(states[0]).toContain('Pending');
    expect(states.join(' ')).toMatch(/Corrected[\s\S]*Partial/u);
    await page.getByRole('button', { name: 'LDL Chol Calc', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('All values').waitFor();
    // Four earlier reports have it, and this one.
    await page.getByRole('img', { name: /^LDL Chol Calc: [5-9] values from/u }).waitFor();
    expect(await page.locator('[aria-current=true] time').innerText()).toBe('11/08/2026');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.activeElement?.textContent === 'LDL Chol Calc');
    await page.keyboard.press('ArrowDown');
    await page.waitForFunction(() => document.activeElement?.textContent !== 'LDL Chol Calc');
    await page.getByRole('button', { name: 'TSH', exact: true }).click();
    await page.getByRole('button', { name: 'Previous result' }).click();
    await page.getByRole('button', { name: /^Report/u }).click();
    await list().waitFor();
  });

  it('shows all tests by dates, and opens a value by arrow keys and Enter', async () => {
    await page.keyboard.press('Control+2');
    await rows().first().waitFor();
    await page.keyboard.press('Alt+KeyT');
    const grid = page.getByRole('region', { name: 'Over time' }).getByRole('table');
    const cells = grid.getByRole('row').filter({ hasText: 'Potassium' }).getByRole('cell');
    await cells.filter({ hasText: /was \S*5\.6/u }).waitFor();
    const days = await grid.getByRole('columnheader').locator('time').allInnerTexts();
    expect(days.slice(0, 2)).toEqual(['11/08/2026', '10/06/2026']);
    expect(await grid.getByRole('row', { name: /^Creatinine/u }).innerText()).toMatch(/2\.92\s+H/u);
    // Heading and first column stay.
    const [corner] = await grid.getByRole('columnheader').all();
    const before = await corner!.boundingBox();
    await grid.getByRole('cell').last().scrollIntoViewIfNeeded();
    expect(await corner!.boundingBox()).toEqual(before);

    await page.getByRole('radio', { name: /^Abnormal on any date/u }).click();
    await grid.getByRole('button', { name: /^LDL Chol Calc, 11\/08\/2026/u }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByText('All values').waitFor();
    expect(await page.locator('[aria-current=true] time').innerText()).toBe('10/06/2026');
    await page.getByRole('cell', { name: 'Northfield Clinical Laboratory' }).first().waitFor();
    await page.keyboard.press('Escape');
    await page.waitForFunction(() =>
      document.activeElement?.textContent.startsWith('LDL Chol Calc, 10/06/2026'),
    );
    await page.keyboard.press('Alt+KeyT');
    await rows().first().waitFor();
  });

  it('keeps the heads of the columns in sight, and scrolls nothing but the results', async () => {
    await openCorrected();
    await row('Potassium').locator('time').waitFor();
    const isHeadInSight = (): Promise<boolean> =>
      page.evaluate(() => {
        const head = document.querySelector('main thead')!.getBoundingClientRect();
        const top = document.elementFromPoint(head.left + 30, head.top + head.height - 4);
        return top?.closest('thead') != null;
      });
    const scrolled = await page.evaluate(() =>
      [...document.querySelectorAll('main, main *')]
        .filter((one) => one.scrollHeight > one.clientHeight + 1 && one.clientHeight > 1)
        .filter((one) => /auto|scroll/u.test(getComputedStyle(one).overflowY))
        .map((one) => one.getAttribute('aria-label') ?? one.tagName),
    );
    expect(scrolled).toEqual(['Results']);
    expect(await isHeadInSight()).toBe(true);
    await rows().last().scrollIntoViewIfNeeded();
    expect(await isHeadInSight()).toBe(true);
  });

  it('has a menu of the orders in a narrow window, and goes through them by Alt and the arrow keys', async () => {
    await size(1024, 700);
    await page.keyboard.press('Control+2');
    await rows().first().waitFor();
    const menu = page.locator('main button[aria-expanded]');
    expect(await list().isVisible()).toBe(false);
    await page.waitForFunction(() => document.activeElement?.hasAttribute('aria-expanded'));
    await page.keyboard.press('Alt+ArrowUp');
    await page.getByRole('heading', { name: 'No result yet' }).waitFor();
    await expect(menu.innerText()).resolves.toContain('11/10/2026');
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.press('Alt+ArrowDown');
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByRole('alert', { name: 'Report status' }).waitFor();
    await expect(menu.innerText()).resolves.toMatch(/09\/28\/2026\s+Northfield/u);
    await page.keyboard.press('Enter');
    await list().waitFor();
    await page.keyboard.press('Escape');
    await list().waitFor({ state: 'hidden' });
    expect(await page.locator(':focus').innerText()).toContain('09/28/2026');
  });
});
