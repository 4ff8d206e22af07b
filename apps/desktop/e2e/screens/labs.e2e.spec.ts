import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { launch, look, untilFind } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { startDemo } from '../support/service.testing.ts';
import type { DemoService } from '../support/service.testing.ts';

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
let desktop: Desktop | undefined;

beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  service = await startDemo();
});
afterAll(() => service.stop());
afterEach(async () => {
  await desktop?.close();
  desktop = undefined;
});

async function signIn(role: string): Promise<Page> {
  desktop = await launch({ readyFile: service.readyFile });
  const { page } = desktop;
  await page.evaluate((as) => window.caregate.signInToDemo({ role: as }), role);
  await untilFind(page);
  return page;
}

/** By keys alone: the screen, the id, Enter. */
async function showOrder(page: Page, id: string): Promise<void> {
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
  it('shows the orders of all edge cases without a fault, by keyboard alone', async () => {
    const page = await signIn('clinician');
    for (const [name, id] of Object.entries(orders)) {
      await showOrder(page, id);
      await page.getByRole('table', { name: 'Results' }).waitFor();
      await page.getByText(/^As of /u).waitFor();
      await page.screenshot({ path: join(pictures, `labs-${name}.png`), fullPage: true });
    }
    expect(desktop!.faults).toEqual([]);
  });

  it('filters by the summary, opens every field of a result, and asks to check identity', async () => {
    const page = await signIn('clinician');
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
    await showOrder(page, orders.contradictoryFlags);
    const conflicts = page.getByRole('group').getByRole('button', { name: /flag conflicts?$/u });
    await conflicts.click();
    await page
      .getByRole('button', { name: /^Details of /u })
      .first()
      .click();
    await page.getByText('Flagged above range').waitFor();
    await page.screenshot({ path: join(pictures, 'labs-details.png') });
    expect(desktop!.faults).toEqual([]);
  });

  it('names the roles that may see it where the role may not', async () => {
    const page = await signIn('billing');
    await page.keyboard.press('Control+2');
    await page.getByRole('heading', { name: "Billing can't open lab reports" }).waitFor();
    await page.getByText('Who can: Front desk and Clinician.').waitFor();
    expect(await page.locator('main :is(table, input)').count()).toBe(0);
  });

  it('says which order there is no result of, and what an id looks like', async () => {
    const page = await signIn('front_desk');
    await showOrder(page, '00000000-0000-4000-8000-000000000000');
    await page.getByText(/^No result for the order/u).waitFor();
    await showOrder(page, 'not-an-id');
    await page.getByText(/is not an order number/u).waitFor();
  });

  it('has no barrier that axe finds, in light and dark, from left to right and from right to left', async () => {
    const page = await signIn('clinician');
    await choose(page, 'AWK-UNKNOWN');
    const looks = [
      { theme: 'light', language: 'en' },
      { theme: 'dark', language: 'ar' },
    ] as const;
    for (const one of looks) {
      await look(page, one);
      await page.screenshot({ path: join(pictures, `person-${one.language}.png`) });
      expect(await barriers(page)).toEqual([]);
      await page.keyboard.press('Control+2');
      await page.locator('tbody button[aria-expanded]').first().click();
      await page.screenshot({ path: join(pictures, `labs-${one.language}.png`) });
      expect(await barriers(page)).toEqual([]);
      await page.evaluate(() => window.caregate.lock({}));
      await page.locator('input[type=password]').waitFor();
      expect(await page.content()).not.toMatch(/Tilda|panic_high|AWK-UNKNOWN/u);
      const { ok } = await page.evaluate(
        (key) => window.caregate.unlock({ key }),
        service.keys['clinician']!,
      );
      expect(ok).toBe(true);
      if (one.language === 'en') await choose(page, 'AWK-UNKNOWN');
    }
  });

  it('draws five hundred results at once, and says in how many milliseconds', async () => {
    const page = await signIn('clinician');
    await showOrder(page, orders.oneSidedRanges);
    await page.getByRole('table', { name: 'Results' }).waitFor();
    await showOrder(page, orders.fiveHundred);
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

async function choose(page: Page, clientUserId: string): Promise<void> {
  await page.locator('main input').first().fill(clientUserId);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
}

async function barriers(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
