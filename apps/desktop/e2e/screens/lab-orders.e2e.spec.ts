import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import {
  everything,
  instead,
  orderId,
  refusing,
  withAnothersResult,
  withoutResult,
} from '../support/answers.testing.ts';
import { eventually } from '../support/desktop.testing.ts';
import { json } from '../support/fake-service.testing.ts';
import type { Responder } from '../support/fake-service.testing.ts';
import { awaitedOrderId, listOf, orderOf, otherOrderId } from '../support/orders.testing.ts';
import { connectScanner } from '../support/scanner.testing.ts';
import { signedInDesk } from '../support/signed-in-desk.testing.ts';
import { openAtInsurance } from '../support/steps.testing.ts';

let requests: string[] = [];
const desk = signedInDesk(() => everything);
let page: Page;

beforeEach(async () => {
  ({ page } = desk.desktop);
  respond(everything);
  await openAtInsurance(page);
  requests = [];
});

function respond(how: Responder): void {
  desk.service.respondWith((request, response) => {
    requests.push(request.url ?? '');
    how(request, response);
  });
}

const list = (): Locator => page.getByRole('listbox', { name: 'Orders' });
const current = (): Locator => list().locator('[aria-selected=true]');
const row = (name: string): Locator => page.getByRole('row').filter({ hasText: name });
const asksFor = (part: string): number => requests.filter((url) => url.includes(part)).length;

describe('the orders of a person', () => {
  it('are listed with their states, beside the newest report with results', async () => {
    await page.keyboard.press('Control+2');
    await row('Sodium').waitFor();
    const labels = await list().getByRole('option').allInnerTexts();
    const words = ['Pending', 'Final', 'Partial', '“sent_by_balloon”', 'Cancelled'];
    expect(labels).toHaveLength(words.length);
    for (const [place, word] of words.entries()) expect(labels[place]).toContain(word);
    await expect(current().innerText()).resolves.toContain('05/01/2026');
    expect(asksFor(`/v3/order/${orderId}`)).toBe(1);
    expect(asksFor('/v3/orders?')).toBe(1);
    expect(await page.getByLabel('Order number', { exact: true }).count()).toBe(0);
  });

  it('open by arrow key and Enter, and the focus stays in the list', async () => {
    await page.keyboard.press('Control+2');
    await row('Sodium').waitFor();
    await page.waitForFunction(() => document.activeElement?.matches('[aria-selected=true]'));
    await page.keyboard.press('ArrowDown');
    expect(asksFor(otherOrderId)).toBe(0);
    await page.keyboard.press('Enter');
    await row('Zinc').getByText('141').waitFor();
    await expect(current().innerText()).resolves.toContain('01/10/2026');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await row('Sodium').getByText('171').waitFor();
    expect(await page.locator(':focus').innerText()).toContain('05/01/2026');
    await list().getByText('6 abnormal').waitFor();
  });

  it('are loaded by pages', async () => {
    const all = Array.from({ length: 60 }, (_, place) =>
      orderOf({
        id: `3f2c8a52-1b7e-4c1d-9a64-${String(place).padStart(12, '0')}`,
        created: new Date(Date.UTC(2026, 3, 30 - place)).toISOString(),
        status: 'received',
        event: 'ordered',
      }),
    );
    respond(
      instead('/v3/orders', (request, response) => {
        const number = Number(/[?&]page=(\d+)/u.exec(request.url ?? '')?.[1] ?? 1);
        const orders = all.slice((number - 1) * 50, number * 50);
        json(response, 200, { orders, total: 60, page: number, size: 50 });
      }),
    );
    await page.keyboard.press('Control+2');
    await page.getByText('50 of 60').waitFor();
    await page.getByRole('button', { name: 'More orders' }).click();
    await list().getByRole('option').nth(59).waitFor();
    expect(await page.getByRole('button', { name: 'More orders' }).count()).toBe(0);
    expect(asksFor('/v3/orders?')).toBe(2);
  });

  it('are all listed if two have one ID, and say that another patient’s is left out', async () => {
    const created = '2026-04-30T08:00:00Z';
    const same = orderOf({ id: orderId, created, status: 'completed', event: 'completed' });
    const foreign = { ...same, user_id: '99999999-1111-4111-8111-111111111111' };
    respond(
      instead('/v3/orders', (_request, response) => {
        json(
          response,
          200,
          listOf([same, { ...same, created_at: '2026-04-29T08:00:00Z' }, foreign]),
        );
      }),
    );
    await page.keyboard.press('Control+2');
    await row('Sodium').waitFor();
    expect(await list().getByText('Another order has the same number.').count()).toBe(2);
    await page.getByText('1 order of another patient is left out.').waitFor();
    expect(await list().getByRole('option').count()).toBe(2);
  });
});

describe('a report', () => {
  const isShown = (): Promise<void> => row('Sodium').first().waitFor();

  it('that doesn’t arrive can be cancelled and read again', async () => {
    respond(instead(`/v3/order/${orderId}`, () => undefined));
    await page.keyboard.press('Control+2');
    await page.getByText("Still waiting for the clinic's service: Lab results …").waitFor();
    await page.locator('main').getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByText('Cancelled.').waitFor();
    respond(everything);
    await page.getByRole('button', { name: 'Try again' }).click();
    await isShown();
  });
});

describe('a scanned order', () => {
  const header = (): Locator => page.getByRole('region', { name: 'Patient', exact: true });

  it('of another patient closes the open patient', async () => {
    respond((request, response) => {
      if (request.url?.includes('/v3/orders') === true) json(response, 200, listOf([]));
      else withoutResult(request, response);
    });
    await page.keyboard.press('Control+2');
    await page.getByText('No lab orders yet').waitFor();
    const scanner = await connectScanner(page);
    await scanner.scan(awaitedOrderId, () => 12);
    await page.getByRole('heading', { name: 'No result yet' }).waitFor();
    expect(await header().count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('of the open patient leaves them open', async () => {
    await page.keyboard.press('Control+2');
    await row('Sodium').waitFor();
    const scanner = await connectScanner(page);
    await scanner.scan(otherOrderId, () => 12);
    await eventually('the scanned order', () =>
      Promise.resolve(asksFor(`/v3/order/${otherOrderId}`) === 1 ? true : undefined),
    );
    await row('Sodium').waitFor();
    expect(await header().count()).toBe(1);
  });
});

describe('a service', () => {
  it.each([
    [404, 'This service has no list of orders.'],
    [501, 'This service has no list of orders.'],
    [403, 'Who can: Front desk, Clinician.'],
  ])(
    'that answers the list of orders with %d says “%s” and opens orders by number',
    async (status, sentence) => {
      respond(instead('/v3/orders', refusing(status)));
      await page.keyboard.press('Control+2');
      await page.getByText(sentence).waitFor();
      await page.getByLabel('Order number', { exact: true }).fill(orderId);
      await page.keyboard.press('Enter');
      await row('Sodium').waitFor();
      await page.getByLabel('Order number', { exact: true }).fill(otherOrderId);
      await page.keyboard.press('Enter');
      await row('Sodium').getByText('141').first().waitFor();
    },
  );
});

describe('over time', () => {
  const grid = (): Locator => page.getByRole('region', { name: 'Over time' }).getByRole('table');
  const open = async (): Promise<void> => {
    await page.keyboard.press('Control+2');
    await row('Sodium').waitFor();
    await page.keyboard.press('Alt+KeyT');
  };

  it('reads each report once, when it is first shown', async () => {
    await page.keyboard.press('Control+2');
    await row('Sodium').waitFor();
    expect(asksFor(otherOrderId)).toBe(0);
    await page.keyboard.press('Alt+KeyT');
    await grid().waitFor();
    await page.keyboard.press('Alt+KeyT');
    await page.keyboard.press('Alt+KeyT');
    await grid().waitFor();
    expect(asksFor(otherOrderId)).toBe(1);
    expect(asksFor(`/v3/order/${orderId}`)).toBe(1);
  });

  it('shows the other reports if one can’t be read, which can be tried again', async () => {
    respond(instead(otherOrderId, refusing(500)));
    await open();
    await grid().getByRole('button', { name: /171/u }).waitFor();
    respond(everything);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Try again' }).waitFor({ state: 'detached' });
    await page.getByText(/^2 reports/u).waitFor();
  });

  it('says that it leaves out a report that may be about somebody else', async () => {
    respond(withAnothersResult);
    await open();
    await page.getByText('1 report is left out').waitFor();
    await page.getByText(/^1 report, /u).waitFor();
  });

  it('names the roles that may see reports if this one may not', async () => {
    respond(instead('/v3/order/', refusing(403)));
    await page.keyboard.press('Control+2');
    await list().waitFor();
    await page.keyboard.press('Alt+KeyT');
    await page.getByText('Who can: Front desk, Clinician.').waitFor();
    expect(await list().count()).toBe(0);
    expect(await grid().count()).toBe(0);
  });
});

describe('earlier values', () => {
  it('are not read while the report may be about somebody else', async () => {
    respond(withAnothersResult);
    await page.keyboard.press('Control+2');
    await page.getByRole('alert', { name: 'Check who this report is about' }).waitFor();
    await row('Sodium').waitFor();
    expect(asksFor('/history')).toBe(0);
    await page.getByLabel('Why it is the right patient').fill('Asked for name and address');
    await page.keyboard.press('Enter');
    await page.getByText('1 earlier report is left out').waitFor();
    expect(asksFor('/history')).toBe(1);
  });
});
