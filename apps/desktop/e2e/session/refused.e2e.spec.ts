import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { everything, labResult, orderId, refusing } from '../support/answers.testing.ts';
import { json } from '../support/fake-service.testing.ts';
import type { FakeService, Responder } from '../support/fake-service.testing.ts';
import { findField, resetShell, open, openPerson } from '../support/states.testing.ts';
import { walkedDesk } from '../support/state-walk.testing.ts';

/** A look-up that was refused is told on Find, to which each leads, once, and nowhere else. */
let service: FakeService;
let page: Page;

const { metadata } = labResult;
const report = {
  ...labResult,
  metadata: { ...metadata, patient: 'Wilhelmina Ashgrove', status: 'final' },
};

/** Everything of one person, and a report that warns of nothing. */
const quiet: Responder = (request, response) => {
  if (request.url?.includes(`/v3/order/${orderId}`) === true) json(response, 200, report);
  else everything(request, response);
};

walkedDesk((there) => ({ page, service } = there));
beforeEach(async () => {
  service.respondWith(quiet);
  await openPerson(page);
});

const hungUp: Responder = (request) => {
  request.socket.resetAndDestroy();
};
const refusals: readonly (readonly [string, Responder, string])[] = [
  ['403', refusing(403), "Your role can't open this."],
  ['404', refusing(404), 'Nobody found for “OTHER-7”.'],
  ['422', refusing(422), 'The service rejected the request as invalid.'],
  ['429', refusing(429), 'The service is busy.'],
  ['503', refusing(503), 'The service sent an invalid response.'],
  ['no answer', hungUp, "The service can't be reached."],
];

/** Each screen that can be gone to, and its first heading. */
const screens = {
  Find: 'Find a person',
  Labs: 'Lab results',
  Activity: 'Mindfulness minutes',
  Insurance: 'Insurance',
  Recents: 'Recents',
  Settings: 'Settings',
  About: 'About Caregate',
} as const;
const names = Object.keys(screens) as (keyof typeof screens)[];

async function go(name: keyof typeof screens): Promise<void> {
  await open(name)(page);
  await page.getByRole('heading', { name: screens[name], exact: true, level: 1 }).waitFor();
}

/** By the palette, which every screen has. */
async function lookUp(id: string): Promise<void> {
  await page.keyboard.press('Control+Shift+K');
  await page.getByRole('dialog').locator('input').fill(id);
  await page.getByRole('menuitem', { name: `Find “${id}”` }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** The same for everything with this id in its address. */
const only =
  (how: Responder): Responder =>
  (request, response) => {
    (request.url?.includes('OTHER-7') === true ? how : quiet)(request, response);
  };

const alerts = (): Promise<string[]> => page.getByRole('alert').allTextContents();

/** Those that need nobody to be open. */
const alone = ['Labs', 'Recents', 'Settings', 'About'] as const;
/** From each screen somebody is looked up, and one that needs nobody is gone to; the next one at each refusal. */
const ways = refusals.map(([name, how, sentence], turn) => ({
  ...{ name, how, sentence },
  pairs: names.map((from, at) => ({ from, to: alone[(at + turn) % alone.length]! })),
}));

describe('a look-up', () => {
  it.each(ways)(
    'answered by $name is told once, on Find, and is gone once another is looked up, or Find is come to anew',
    async ({ how, sentence, pairs }) => {
      service.respondWith(only(how));
      const told = page.getByRole('alert').getByText(sentence);
      for (const { from, to } of pairs) {
        await go('Find');
        await openPerson(page);
        await go(from);
        await lookUp('OTHER-7');
        await told.waitFor();
        const there = await alerts();
        await go(to);
        const elsewhere = await alerts();
        await go('Find');
        expect({ from, to, there, elsewhere, after: await alerts() }).toEqual({
          ...{ from, to, there: [expect.any(String)], elsewhere: [], after: [] },
        });
      }
      await go('Find');
      await lookUp('OTHER-7');
      await told.waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('alert').waitFor({ state: 'detached' });
      await lookUp('OTHER-7');
      await told.waitFor();
      await lookUp('MRN-1');
      await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
      expect(await alerts()).toEqual([]);
    },
  );
});

describe('where the screen has an error of its own', () => {
  it.each(refusals.filter(([name]) => !['404', '422'].includes(name)))(
    'of the same cause, %s, it is told once',
    async (_name, how, sentence) => {
      service.respondWith(how);
      await resetShell(page);
      await page.getByLabel(findField).fill('ashg');
      await page.getByRole('alert').getByText(sentence).waitFor();
      await lookUp('OTHER-7');
      await page.getByRole('button', { name: 'Close', exact: true }).waitFor();
      await page.getByRole('alert').getByText(sentence).waitFor();
      expect(await alerts()).toHaveLength(1);
      // The search's own comes again with its own way to try again.
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Close', exact: true }).waitFor({ state: 'detached' });
      expect(await alerts()).toHaveLength(1);
      service.respondWith(quiet);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('option', { name: 'Ashgrove' }).waitFor();
      expect(await alerts()).toEqual([]);
    },
  );
});
