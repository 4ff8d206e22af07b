import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { everything, refusing } from '../support/answers.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import type { FakeService, Responder } from '../support/fake-service.testing.ts';
import { resetShell, open, openPerson } from '../support/states.testing.ts';
import { startWalk } from '../support/state-walk.testing.ts';
import type { Walk } from '../support/state-walk.testing.ts';

/** A look-up that was refused is told on the screen where that was, once, and nowhere else. */
let walk: Walk;
let desktop: Desktop;
let service: FakeService;
let page: Page;

beforeAll(async () => {
  walk = await startWalk();
  ({ desktop, page, service } = walk);
});
afterAll(() => walk.close());
beforeEach(async () => {
  service.respondWith(everything);
  await resetShell(page);
  await openPerson(page);
});
afterEach(() => {
  expect(desktop.faults).toEqual([]);
});

const hungUp: Responder = (request) => {
  request.socket.resetAndDestroy();
};
const refusals: readonly (readonly [string, Responder, string])[] = [
  ['403', refusing(403), 'Your role may not see this.'],
  ['404', refusing(404), 'No user “OTHER-7” in this team.'],
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
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').locator('input').fill(id);
  await page.getByRole('menuitem', { name: 'Find the person' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** The same for everything with this id in its address. */
const only =
  (how: Responder): Responder =>
  (request, response) => {
    (request.url?.includes('OTHER-7') === true ? how : everything)(request, response);
  };

const alerts = (): Promise<string[]> => page.getByRole('alert').allTextContents();

describe.each(refusals)('a look-up answered by %s', (_name, how, sentence) => {
  it.each(names)('on %s is told there once, and on no screen after it', async (from) => {
    service.respondWith(only(how));
    for (const to of names.filter((name) => name !== from)) {
      await go(from);
      await lookUp('OTHER-7');
      await page.getByRole('alert').getByText(sentence).waitFor();
      expect(await alerts()).toHaveLength(1);
      await go(to);
      expect(await alerts()).toEqual([]);
    }
    await go(from);
    expect(await alerts()).toEqual([]);
  });

  it('is gone once another is looked up, or the screen is come to anew', async () => {
    service.respondWith(only(how));
    await go('Find');
    await lookUp('OTHER-7');
    await page.getByRole('alert').getByText(sentence).waitFor();
    await page.keyboard.press('Control+1');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await lookUp('OTHER-7');
    await page.getByRole('alert').getByText(sentence).waitFor();
    await lookUp('MRN-1');
    await page.getByRole('heading', { name: 'Person', exact: true }).waitFor();
    expect(await alerts()).toEqual([]);
  });
});

describe('where the screen has an error of its own', () => {
  it.each(refusals.filter(([name]) => !['404', '422'].includes(name)))(
    'of the same cause, %s, it is told once',
    async (_name, how, sentence) => {
      service.respondWith(how);
      await resetShell(page);
      await page.getByRole('alert').getByText(sentence).waitFor();
      await lookUp('OTHER-7');
      await page.getByRole('button', { name: 'Close', exact: true }).waitFor();
      await page.getByRole('alert').getByText(sentence).waitFor();
      expect(await alerts()).toHaveLength(1);
      // The list's own comes again with its own way to try again.
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Close', exact: true }).waitFor({ state: 'detached' });
      expect(await alerts()).toHaveLength(1);
      service.respondWith(everything);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('searched 1 of 1').waitFor();
      expect(await alerts()).toEqual([]);
    },
  );
});
