import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { launch } from './desktop.testing.ts';
import type { Desktop } from './desktop.testing.ts';
import { startDemo } from './service.testing.ts';
import type { DemoService } from './service.testing.ts';

/** Orders of the demo's awkward people, by what is awkward about them. */
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

const pictures = fileURLToPath(new URL('../reports/screenshots', import.meta.url));
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
  await page.getByRole('heading', { name: 'Find a person' }).waitFor();
  return page;
}

/** By keys alone: the screen, the id, Enter. */
async function showOrder(page: Page, id: string): Promise<void> {
  await page.keyboard.press('Control+2');
  const field = page.getByLabel('Order id', { exact: true });
  await field.waitFor();
  await field.focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type(id);
  await page.keyboard.press('Enter');
}

describe('lab results in the window', () => {
  it('shows each of the awkward orders without a fault, by keyboard alone', async () => {
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
    await page.keyboard.type('AWK-IDENTITY');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Person' }).waitFor();
    await page.screenshot({ path: join(pictures, 'person-identity.png') });
    await showOrder(page, orders.birthDateMismatch);
    const banner = page.getByRole('alert', { name: 'Check identity' });
    await banner.waitFor();
    await page.screenshot({ path: join(pictures, 'labs-check-identity.png') });
    const dismiss = banner.getByRole('button', { name: 'Dismiss' });
    expect(await dismiss.isDisabled()).toBe(true);
    await banner.getByLabel('Why it is the right person').fill('Asked for name and address');
    await page.keyboard.press('Enter');
    await page.getByText('Identity confirmed by hand: Asked for name and address').waitFor();
    await showOrder(page, orders.contradictoryFlags);
    const conflicts = page.getByRole('button', { name: /flag conflicts?$/u });
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
    await showOrder(page, service.sample.order_id);
    await page
      .getByText('Your role may not see this. Roles that may: Front desk, Clinician.')
      .waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
  });

  it('says which order there is no result of, and what an id looks like', async () => {
    const page = await signIn('front_desk');
    await showOrder(page, '00000000-0000-4000-8000-000000000000');
    await page.getByText(/^No result for the order/u).waitFor();
    await showOrder(page, 'not-an-id');
    await page.getByText(/can't be an order's id/u).waitFor();
  });
});
