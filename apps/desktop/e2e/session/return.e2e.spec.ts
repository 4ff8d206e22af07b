import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { everything } from '../support/answers.testing.ts';
import { untilFind } from '../support/desktop.testing.ts';
import { PIN } from '../support/fake-sign-in.testing.ts';
import { signedInDesk, unlock } from '../support/signed-in-desk.testing.ts';
import { findField, open, openPerson } from '../support/steps.testing.ts';

let requests: string[] = [];
/** Look-ups of a patient are answered once it resolves. */
let mayResolve: Promise<void> = Promise.resolve();
const desk = signedInDesk(() => (request, response) => {
  const { url = '' } = request;
  requests.push(url);
  if (url.includes('/resolve/')) {
    void mayResolve.then(() => {
      everything(request, response);
    });
  } else everything(request, response);
});
const patient = ['MRN-1', 'Ashgrove', 'MEMBER-77'];

it('returns to the patient and the screen with new data, also after a wrong PIN', async () => {
  const { page } = desk.desktop;
  await openPerson(page);
  await open('Insurance')(page);
  await page.getByText('MEMBER-77').waitFor();
  await page.keyboard.press('Control+l');
  await page.getByText('You return to the patient you had open').waitFor();
  const shown = `${await page.title()} ${await page.content()}`;
  expect(patient.filter((datum) => shown.includes(datum))).toEqual([]);
  await page.locator('input[type=password]').fill('902817');
  await page.keyboard.press('Enter');
  await page.getByText('Wrong PIN.').waitFor();
  requests = [];
  await page.locator('input[type=password]').fill(PIN);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Insurance', exact: true }).waitFor();
  await page.getByText('MEMBER-77').waitFor();
  expect(requests.filter((url) => url.includes('/resolve/'))).toEqual(['/v2/user/resolve/MRN-1']);
});

it('returns to a patient who was open behind Search', async () => {
  const { page } = desk.desktop;
  await openPerson(page);
  await open('Insurance')(page);
  await page.keyboard.press('Control+k');
  await untilFind(page);
  await lock(page);
  await unlock(page);
  await page.getByRole('heading', { name: 'Insurance', exact: true }).waitFor();
});

it('doesn’t return if the person types before the patient is loaded', async () => {
  const { page } = desk.desktop;
  await openPerson(page);
  await lock(page);
  let resolve = (): void => {};
  mayResolve = new Promise((done) => {
    resolve = done;
  });
  await unlock(page);
  await page.getByText('Looking up MRN-1').waitFor();
  await page.getByLabel(findField).fill('Bram');
  resolve();
  await page.getByText('Looking up MRN-1').waitFor({ state: 'detached' });
  expect(await page.getByLabel(findField).inputValue()).toBe('Bram');
  expect(await page.getByRole('region', { name: 'Patient', exact: true }).count()).toBe(0);
});

async function lock(page: Page): Promise<void> {
  await page.keyboard.press('Control+l');
  await page.getByText('You return to the patient you had open').waitFor();
}
