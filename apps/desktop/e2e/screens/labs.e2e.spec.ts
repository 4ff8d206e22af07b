import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { launch, untilFind } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { startDemo } from '../support/service.testing.ts';
import type { DemoService } from '../support/service.testing.ts';
import { allLooks, violations } from '../support/violations.testing.ts';

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

const pictures = fileURLToPath(new URL('../../reports/screenshots', import.meta.url));
let service: DemoService;
let desktop: Desktop;
let page: Page;

beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  service = await startDemo();
  desktop = await launch({ readyFile: service.readyFile });
  ({ page } = desktop);
});
afterAll(async () => {
  await desktop.close();
  await service.stop();
});
afterEach(async () => {
  await page.evaluate(() => window.caregate.signOut({}));
  expect(desktop.faults).toEqual([]);
});

async function signIn(role: string): Promise<void> {
  await page.evaluate((as) => window.caregate.signInToDemo({ role: as }), role);
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
  it('shows the orders of all edge cases without a fault, by keyboard alone; of values that it doesn’t know axe finds no barrier', async () => {
    await signIn('clinician');
    for (const [name, id] of Object.entries(orders)) {
      await showOrder(id);
      await page.getByRole('table', { name: 'Results' }).waitFor();
      await page.getByText(/^As of /u).waitFor();
      await page.screenshot({ path: join(pictures, `labs-${name}.png`), fullPage: true });
      if (name === 'unknownValues') expect(await violations(page, allLooks)).toEqual([]);
    }
  });

  it('filters by the summary, opens every field of a result, and asks to check identity', async () => {
    await signIn('clinician');
    await page.keyboard.insertText('AWK-IDENTITY');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
    await page.screenshot({ path: join(pictures, 'person-identity.png') });
    await page.keyboard.press('Control+2');
    const banner = page.getByRole('alert', { name: 'Check who this report is about' });
    await banner.waitFor();
    await page.screenshot({ path: join(pictures, 'labs-check-identity.png') });
    await banner.getByRole('button', { name: 'It is the right person' }).click();
    await banner.getByText('At least 15 characters that can be seen').waitFor();
    await banner.getByLabel('Why it is the right person').fill('Asked for name and address');
    await page.keyboard.press('Enter');
    await page.getByText('Identity confirmed by hand: Asked for name and address').waitFor();
    await page.getByRole('button', { name: 'Close person' }).click();
    await showOrder(orders.contradictoryFlags);
    const conflicts = page.getByRole('group').getByRole('button', { name: /flag conflicts?$/u });
    await conflicts.click();
    await page
      .getByRole('button', { name: /^Details of /u })
      .first()
      .click();
    await page.getByText('Flagged above range').waitFor();
    await page.screenshot({ path: join(pictures, 'labs-details.png') });
  });

  it('names the roles that may see it where the role may not', async () => {
    await signIn('billing');
    await page.keyboard.press('Control+2');
    await page.getByRole('heading', { name: "Billing can't open lab reports" }).waitFor();
    await page.getByText('Who can: Front desk and Clinician.').waitFor();
    expect(await page.locator('main :is(table, input)').count()).toBe(0);
  });

  it('says which order there is no result of, and what an id looks like', async () => {
    await signIn('front_desk');
    await showOrder('00000000-0000-4000-8000-000000000000');
    await page.getByText(/^No result for the order/u).waitFor();
    await showOrder('not-an-id');
    await page.getByText(/is not an order number/u).waitFor();
  });

  it('draws five hundred results at once, and says in how many milliseconds', async () => {
    await signIn('clinician');
    await showOrder(orders.oneSidedRanges);
    await page.getByRole('table', { name: 'Results' }).waitFor();
    await showOrder(orders.fiveHundred);
    await page.locator('tbody tr').nth(499).waitFor();
    // Back and forth: what is measured is the drawing, and not the service's answer.
    await page.getByRole('group').getByRole('button', { name: orders.oneSidedRanges }).click();
    await page.locator('tbody tr').nth(499).waitFor({ state: 'detached' });
    await page.getByRole('group').getByRole('button', { name: orders.fiveHundred }).waitFor();
    const { taken, rows } = await page.evaluate(async (orderId) => {
      const back = [...document.querySelectorAll<HTMLButtonElement>('[role=group] button')].find(
        ({ textContent }) => textContent.includes(orderId),
      );
      const from = performance.now();
      back?.click();
      while (document.querySelectorAll('tbody tr').length < 500) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      // Laid out and painted, not only in the document.
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
      const taken = performance.now() - from;
      return { taken, rows: document.querySelectorAll('tbody tr').length };
    }, orders.fiveHundred);
    console.log(`500 results: ${taken.toFixed(0)} ms`);
    expect(rows).toBe(500);
  });
});
