import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { launch, untilFind } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { json, startFake } from '../support/fake-service.testing.ts';
import type { FakeService } from '../support/fake-service.testing.ts';

let service: FakeService;
let desktop: Desktop;

beforeEach(async () => {
  service = await startFake();
  desktop = await launch();
});
afterEach(async () => {
  await desktop.close();
  await service.stop().catch(() => undefined);
});

const key = `cg_${'a'.repeat(16)}_${'b'.repeat(43)}`;
const orderId = '3f2c8a52-1b7e-4c1d-9a64-5d0e8f7b2a10';
const result = {
  metadata: { patient: 'Tilda Marrowby' },
  results: [{ name: 'Sodium', slug: 'sodium', result: '140' }],
};

async function askForOrder(page: Page): Promise<void> {
  const signedIn = await page.evaluate(
    (given) => window.caregate.signIn({ ...given, saveKey: false }),
    { address: service.address, key },
  );
  expect(signedIn).toMatchObject({ ok: true });
  await untilFind(page);
  await page.keyboard.press('Control+2');
  await page.getByLabel('Order number', { exact: true }).fill(orderId);
}

describe('lab results of a service that', () => {
  it('keeps silent: still working after 5 s, cancelled, asked again and shown', async () => {
    const { page } = desktop;
    await askForOrder(page);
    service.respondWith(() => undefined);
    await page.keyboard.press('Enter');
    await page.getByText('Still working …').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled.').waitFor();
    service.respondWith((_request, response) => {
      json(response, 200, result);
    });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('rowheader', { name: 'Sodium' }).waitFor();
    expect(desktop.faults).toEqual([]);
  });

  it('goes away: what is held stays, stamped, under the reason', async () => {
    const { page } = desktop;
    await askForOrder(page);
    service.respondWith((_request, response) => {
      json(response, 200, result);
    });
    await page.keyboard.press('Enter');
    await page.getByRole('rowheader', { name: 'Sodium' }).waitFor();
    await service.stop();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText("The service can't be reached.", { exact: false }).waitFor();
    await page.getByText(/^As of /u).waitFor();
    expect(await page.getByRole('rowheader', { name: 'Sodium' }).count()).toBe(1);
  });

  it('refuses the next time: what was held is gone from the page', async () => {
    const { page } = desktop;
    await askForOrder(page);
    service.respondWith((_request, response) => {
      json(response, 200, result);
    });
    await page.keyboard.press('Enter');
    await page.getByRole('rowheader', { name: 'Sodium' }).waitFor();
    service.respondWith((_request, response) => {
      json(response, 403, { type: '/problems/forbidden', title: 'Forbidden', status: 403 });
    });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('Who can: Front desk, Clinician.', { exact: false }).waitFor();
    expect(await page.content()).not.toMatch(/Sodium|Tilda/u);
  });
});
