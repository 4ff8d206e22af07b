import { beforeEach, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { withoutOrders } from '../support/answers.testing.ts';
import { json } from '../support/fake-service.testing.ts';
import type { FakeService } from '../support/fake-service.testing.ts';
import { findField } from '../support/states.testing.ts';
import { walkedDesk } from '../support/state-walk.testing.ts';

/** Only who and what the service answered for is offered again. It lists no orders: each opens by its number. */
let service: FakeService;
let page: Page;

walkedDesk((there) => ({ page, service } = there));
beforeEach(() => {
  service.respondWith((request, response) => {
    // The end of the id says what is answered.
    const [id, code] = /[\w-]*(0400|0403|0404|0422|9999)/u.exec(request.url ?? '') ?? [];
    if (id === undefined) withoutOrders(request, response);
    else if (code === '9999') request.socket.resetAndDestroy();
    else {
      const problem = { type: 'about:blank', title: 'No', status: Number(code) };
      json(response, problem.status, problem, { 'x-request-id': `of-${id}` });
    }
  });
});

it('Recent patients and "Recently viewed" have nothing of what was denied, gone or mistyped', async () => {
  const ids = ['0403', '0404', '0422', '9999'].flatMap((code) => [
    ['order', `10000000-0000-4000-8000-00000000${code}`, code] as const,
    ['person', `MRN-1-${code}`, code] as const,
  ]);
  for (const [kind, id, code] of [...ids, ['order', 'none-0400', '0400'] as const]) {
    await page.keyboard.press(kind === 'person' ? 'Control+k' : 'Control+2');
    const label = kind === 'person' ? findField : 'Order number';
    const field = page.getByLabel(label, { exact: true });
    await field.fill(id);
    await field.press('Enter');
    const said = code === '9999' ? "can't be reached" : `of-${id}`;
    await page
      .getByText(code === '0400' ? 'is not an order number' : said)
      .first()
      .waitFor();
  }
  await page.keyboard.press('Control+2');
  await page.getByRole('heading', { name: 'Lab results' }).waitFor();
  expect(await page.getByRole('group', { name: 'Recently viewed' }).count()).toBe(0);
  await page.keyboard.press('Control+k');
  await page.getByLabel(findField).fill('');
  await page.getByText('Nobody yet.').waitFor();
});
