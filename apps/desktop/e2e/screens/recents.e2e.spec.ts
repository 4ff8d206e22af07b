import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { labResult, withoutOrders } from '../support/answers.testing.ts';
import { eventually } from '../support/desktop.testing.ts';
import { json, userOf } from '../support/fake-service.testing.ts';
import type { FakeService } from '../support/fake-service.testing.ts';
import { open } from '../support/states.testing.ts';
import { walkedDesk } from '../support/state-walk.testing.ts';

/** Only who and what the service answered for is offered again. It lists no orders: each opens by its number. */
let service: FakeService;
let page: Page;
/** The last part of every address that was asked for. */
const requests: string[] = [];

const outcomes = ['200', '403', '404', '422', 'gone', 'mistyped'] as const;
type Outcome = (typeof outcomes)[number];
interface Step {
  readonly kind: 'person' | 'order';
  readonly number: number;
  readonly outcome: Outcome;
}

/** The id says what the service does: its fourth part, or its end. */
function idOf({ kind, number, outcome }: Step): string {
  if (outcome === 'mistyped')
    return kind === 'order' ? `no-order-${String(number)}` : `nobody-${String(number)}`;
  const code = outcome === 'gone' ? '9999' : `0${outcome}`;
  return kind === 'order'
    ? `00000000-0000-4000-8000-00000000${code}`.replace(/^0/u, String(number))
    : `MRN-${String(number)}-${code}`;
}

walkedDesk((there) => ({ page, service } = there));
beforeEach(() => {
  requests.length = 0;
  service.respondWith((request, response) => {
    const id = new URL(request.url ?? '', service.address).pathname
      .split('/')
      .find((part) => /0200$|0403$|0404$|0422$|9999$|^nobody-|^no-order-/u.test(part));
    if (id === undefined) {
      withoutOrders(request, response);
      return;
    }
    requests.push(id);
    const code = Number(id.slice(-3));
    if (code === 999) request.socket.resetAndDestroy();
    else if (code === 200 && id.startsWith('MRN')) {
      const digits = id.slice(4, 5);
      json(response, 200, {
        ...userOf(id),
        user_id: `1111111${digits}-1111-4111-8111-111111111111`,
      });
    } else if (code === 200) {
      json(response, 200, {
        ...labResult,
        metadata: { ...labResult.metadata, patient: `Of ${id}` },
      });
    } else {
      const status = id.startsWith('no-order-') ? 400 : Number.isNaN(code) ? 404 : code;
      json(
        response,
        status,
        { type: 'about:blank', title: 'No', status },
        { 'x-request-id': `requests-${String(requests.length)}` },
      );
    }
  });
});

/** Types the id on its screen, and waits for what comes of it. */
async function take(step: Step): Promise<void> {
  const { kind, outcome } = step;
  const id = idOf(step);
  const begun = requests.length;
  await page.keyboard.press(kind === 'person' ? 'Control+k' : 'Control+2');
  const field = page.getByLabel(
    kind === 'person' ? 'Name, birth date, phone or id' : 'Order number',
    {
      exact: true,
    },
  );
  await field.fill(id);
  await field.press('Enter');
  if (outcome === 'mistyped' && kind === 'order') {
    await page.getByText(`“${id}” is not an order number`).waitFor();
    return;
  }
  if (outcome === '200') {
    if (kind === 'person')
      await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
    await page
      .getByText(kind === 'person' ? id : `Of ${id}`, { exact: true })
      .first()
      .waitFor();
    return;
  }
  // A screen that comes back asks again what had failed, and Enter then waits for that: the question may be from before it.
  await eventually('its answer', async () => {
    const said =
      outcome === 'gone' ? "can't be reached" : `requests-${String(requests.lastIndexOf(id) + 1)}`;
    const shown = await page.getByRole('alert').getByText(said).count();
    return (requests.includes(id, begun) && shown > 0) || undefined;
  });
}

const texts = (label: string): Promise<string[]> =>
  page.getByRole('region', { name: label, exact: true }).locator('li strong').allTextContents();

describe('Recents and "Recently viewed"', () => {
  it('have nothing of what was denied, gone or mistyped', async () => {
    const failed = outcomes.filter((outcome) => outcome !== '200');
    for (const outcome of failed) {
      await take({ kind: 'order', number: 1, outcome });
      await take({ kind: 'person', number: 1, outcome });
    }
    await page.keyboard.press('Control+2');
    await page.getByRole('heading', { name: 'Lab results' }).waitFor();
    expect(await page.getByRole('group', { name: 'Recently viewed' }).count()).toBe(0);
    await open('Recents')(page);
    await page.getByText('Nobody yet.').waitFor();
    await page.getByText('None yet.').waitFor();
    await page.keyboard.press('Control+Shift+K');
    await page.getByRole('menuitem', { name: 'Recents' }).waitFor();
    const menu = await page.getByRole('menu').textContent();
    for (const outcome of failed) {
      expect(menu).not.toContain(idOf({ kind: 'order', number: 1, outcome }));
    }
    await page.keyboard.press('Escape');
  });

  it('have, after any looking up, what was answered, each once, the last first', async () => {
    const steps: readonly Step[] = [
      { kind: 'order', number: 1, outcome: '200' },
      { kind: 'person', number: 1, outcome: '200' },
      { kind: 'order', number: 2, outcome: '403' },
      { kind: 'person', number: 2, outcome: 'gone' },
      { kind: 'person', number: 3, outcome: '200' },
      { kind: 'order', number: 3, outcome: '200' },
      { kind: 'order', number: 1, outcome: '200' },
      { kind: 'person', number: 1, outcome: '200' },
    ];
    for (const one of steps) await take(one);
    await open('Recents')(page);
    await page.getByRole('heading', { name: 'Recents' }).waitFor();
    const person = (number: number): string => idOf({ kind: 'person', number, outcome: '200' });
    const order = (number: number): string => idOf({ kind: 'order', number, outcome: '200' });
    expect(await texts('People')).toEqual([person(1), person(3)]);
    // An order stands under each person it was opened under, once.
    expect(await texts('Lab orders')).toEqual([order(1), order(3), order(1)]);
  });
});
