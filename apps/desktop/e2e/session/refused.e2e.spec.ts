import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { everything, labResult, orderId, refusing } from '../support/answers.testing.ts';
import { json } from '../support/fake-service.testing.ts';
import type { FakeService, Responder } from '../support/fake-service.testing.ts';
import { findField, open, openPerson } from '../support/steps.testing.ts';
import { signedInDesk } from '../support/signed-in-desk.testing.ts';

/** Search shows the problem of a failed look-up once; no other screen shows it. */
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

const desk = signedInDesk(() => quiet);
beforeEach(async () => {
  ({ page, service } = desk);
  await openPerson(page);
});

const hungUp: Responder = (request) => {
  request.socket.resetAndDestroy();
};
const refusals: readonly (readonly [string, Responder, string])[] = [
  ['404', refusing(404), 'Nobody found for “OTHER-7”.'],
  ['429', refusing(429), 'The service is busy.'],
  ['no answer', hungUp, "The service can't be reached."],
];

/** The screens that can be opened without a patient, and their headings. */
const screens = {
  Find: 'Search',
  Labs: 'Lab results',
  Settings: 'Settings',
  About: 'About Caregate',
} as const;
const names = Object.keys(screens) as (keyof typeof screens)[];

async function go(name: keyof typeof screens): Promise<void> {
  await open(name)(page);
  await page.getByRole('heading', { name: screens[name], exact: true, level: 1 }).waitFor();
}

/** By its id, in the field of Find. */
async function lookUp(id: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByLabel(findField).fill(id);
  await page.keyboard.press('Enter');
}

/** The same for everything with this id in its address. */
const only =
  (how: Responder): Responder =>
  (request, response) => {
    (request.url?.includes('OTHER-7') === true ? how : quiet)(request, response);
  };

const alerts = (): Promise<string[]> => page.getByRole('alert').allTextContents();

describe('a look-up', () => {
  it.each(refusals.map(([name, how, sentence], turn) => ({ name, how, sentence, turn })))(
    'answered by $name shows its problem once, on Search, until another screen or look-up, and is no recent patient',
    async ({ how, sentence, turn }) => {
      service.respondWith(only(how));
      const problem = page.getByRole('alert').getByText(sentence);
      // From two screens each; all refusals together come from each of them.
      for (const at of [turn, turn + 1]) {
        const [from, to] = [names[at % names.length]!, names[(at + 2) % names.length]!];
        await go(from);
        await lookUp('OTHER-7');
        await problem.waitFor();
        expect(await alerts()).toHaveLength(1);
        await go(to === 'Find' ? 'Settings' : to);
        expect(await alerts()).toEqual([]);
        await go('Find');
        expect(await alerts()).toEqual([]);
        await page.getByLabel(findField).fill('');
        await page.getByRole('region', { name: 'Recent patients' }).waitFor();
        expect(await page.getByText('OTHER-7').count()).toBe(0);
      }
      await lookUp('OTHER-7');
      await problem.waitFor();
      await lookUp('MRN-1');
      await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
      expect(await alerts()).toEqual([]);
    },
  );
});
