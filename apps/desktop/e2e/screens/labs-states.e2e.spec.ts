import { describe, it, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { json } from '../support/fake-service.testing.ts';
import { signedInDesk } from '../support/signed-in-desk.testing.ts';

const desk = signedInDesk();

const orderId = '3f2c8a52-1b7e-4c1d-9a64-5d0e8f7b2a10';
const result = {
  metadata: { patient: 'Tilda Marrowby' },
  results: [{ name: 'Sodium', slug: 'sodium', result: '140' }],
};

async function askForOrder(page: Page): Promise<void> {
  await page.keyboard.press('Control+2');
  await page.getByLabel('Order number', { exact: true }).fill(orderId);
}

describe('lab results of a service that', () => {
  it('keeps silent: still working after 5 s, cancelled, asked again and shown', async () => {
    const { page } = desk.desktop;
    await askForOrder(page);
    desk.service.respondWith(() => undefined);
    await page.keyboard.press('Enter');
    await page.getByText('Still working …').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled.').waitFor();
    desk.service.respondWith((_request, response) => {
      json(response, 200, result);
    });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('rowheader', { name: 'Sodium' }).waitFor();
  });

  it('goes away: what is held stays, stamped, under the reason', async () => {
    const { page } = desk.desktop;
    await askForOrder(page);
    desk.service.respondWith((_request, response) => {
      json(response, 200, result);
    });
    await page.keyboard.press('Enter');
    await page.getByRole('rowheader', { name: 'Sodium' }).waitFor();
    await desk.service.stop();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText("The service can't be reached.", { exact: false }).waitFor();
    await page.getByText(/^As of /u).waitFor();
    expect(await page.getByRole('rowheader', { name: 'Sodium' }).count()).toBe(1);
    await desk.service.again();
  });

  it('refuses the next time: what was held is gone from the page', async () => {
    const { page } = desk.desktop;
    await askForOrder(page);
    desk.service.respondWith((_request, response) => {
      json(response, 200, result);
    });
    await page.keyboard.press('Enter');
    await page.getByRole('rowheader', { name: 'Sodium' }).waitFor();
    desk.service.respondWith((_request, response) => {
      json(response, 403, { type: '/problems/forbidden', title: 'Forbidden', status: 403 });
    });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('Who can: Front desk, Clinician.', { exact: false }).waitFor();
    expect(await page.content()).not.toMatch(/Sodium|Tilda/u);
  });
});
