import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { look } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import {
  atDesk,
  frontDesk,
  leila,
  locked,
  marek,
  priya,
  tunde,
} from '../support/people.testing.ts';
import { enterPeopleState, typePin } from '../support/people-steps.testing.ts';
import { connectScanner } from '../support/scanner.testing.ts';
import { callsTo, standIn, tell } from '../support/stand-ins.testing.ts';
import { openPerson } from '../support/steps.testing.ts';
import type { Answers, Call } from '../support/stand-ins.testing.ts';
import { noService, startedDesk } from '../support/started-desk.testing.ts';

/** The page's part of lock and hand-over: which keys do what, and what must not be left. */
let desktop: Desktop;
let page: Page;

startedDesk(noService, (there) => ({ desktop, page } = there));
beforeEach(() => look(page, { theme: 'light', language: 'en' }));

async function begin(answers: Answers): Promise<void> {
  await standIn(desktop, answers);
  await page.reload();
  await page.waitForSelector('#root > *');
}

/** The calls of these channels since the last stand-in, once there are so many. */
async function calls(atLeast: number, ...channels: Call['channel'][]): Promise<readonly unknown[]> {
  const found = await callsTo(desktop, channels, atLeast);
  return found.map(({ channel, request }) => [channel, request]);
}

const html = (): Promise<string> => page.evaluate(() => document.documentElement.outerHTML);

describe('the PIN', () => {
  it('can be chosen later, once', async () => {
    await begin({ status: { value: atDesk(tunde) } });
    await page.getByRole('button', { name: 'Not now' }).click();
    await page.getByRole('heading', { name: 'Search' }).waitFor();
    await tell(desktop, { ...locked, selectedStaffId: tunde.staffId });
    await tell(desktop, atDesk(tunde));
    await page.getByRole('heading', { name: 'Choose your PIN' }).waitFor();
  });
});

describe('the lock', () => {
  it('clears a wrong PIN, shows how many tries are left, and how to clear a PIN while one can be typed', async () => {
    await begin({
      status: { value: locked },
      unlockSession: { problem: { kind: 'wrongPin', triesLeft: 1 } },
    });
    await typePin(page, '493827');
    await page.getByText('Wrong PIN. 1 try left.').waitFor();
    const field = page.locator('input[inputmode=numeric]');
    expect(await field.inputValue()).toBe('');
    await field.and(page.locator('[aria-invalid=true]:focus')).waitFor();
    await field.fill('12');
    await page.getByText('Clear PIN').waitFor();
    await page.keyboard.press('Escape');
    expect(await field.inputValue()).toBe('');
    await standIn(desktop, { unlockSession: { problem: { kind: 'pinTriedOut' } } });
    await typePin(page, '493827');
    await page.getByText('Too many wrong PINs.').waitFor();
    await page.getByText('Clear PIN').waitFor({ state: 'hidden' });
  });

  it('selects the holder of a badge, and says that a badge is unknown', async () => {
    await begin({
      status: { value: locked },
      readBadge: { value: { ...locked, selectedStaffId: marek.staffId } },
    });
    const scanner = await connectScanner(page);
    await page.locator('input[inputmode=numeric]:focus').waitFor();
    await scanner.scan('BADGE-0042', () => 12);
    await tell(desktop, { ...locked, selectedStaffId: marek.staffId });
    await page.getByText('PIN of Marek Dvořák').waitFor();
    expect(await calls(1, 'readBadge', 'unlockSession')).toEqual([
      ['readBadge', { badge: 'BADGE-0042' }],
    ]);
    expect(await page.locator('input[inputmode=numeric]').inputValue()).toBe('');
    await standIn(desktop, { readBadge: { problem: { kind: 'unknownBadge' } } });
    await scanner.scan('BADGE-9999', () => 12);
    await page.getByText('Nobody who is signed in at this desk has this badge').waitFor();
  });
});

describe('a hand-over', () => {
  const canaries = ['MRN-1', '07/03/1985', '11111111'];

  it('by Alt and a digit locks first and leaves nothing of the open patient', async () => {
    await begin({ ...frontDesk, switchTo: { value: locked } });
    await openPerson(page);
    await page.getByText('07/03/1985').first().waitFor();
    await page.keyboard.press('Alt+2');
    expect(await calls(1, 'switchTo')).toEqual([['switchTo', { staffId: leila.staffId }]]);
    await tell(desktop, { ...locked, reason: 'switched', selectedStaffId: leila.staffId });
    await page.getByText('PIN of Dr. Leila Haddad').waitFor();
    const shown = `${await page.title()} ${await html()}`;
    expect(canaries.filter((datum) => shown.includes(datum))).toEqual([]);
  });

  it('without a lock starts at Search and leaves nothing of the open patient', async () => {
    await begin({ ...frontDesk, userInfo: { problem: { kind: 'notFound' } } });
    await openPerson(page);
    await page.getByText('No contact details').first().waitFor();
    await tell(desktop, atDesk(leila));
    await page.getByRole('complementary').getByText('Dr. Leila Haddad').waitFor();
    await page.getByRole('heading', { name: 'Search' }).waitFor();
    expect(await page.getByRole('region', { name: 'Patient', exact: true }).count()).toBe(0);
    const shown = `${await page.title()} ${await html()}`;
    expect(canaries.filter((datum) => shown.includes(datum))).toEqual([]);
  });
});

describe('emergency access', () => {
  it('to one patient opens nothing of another', async () => {
    await enterPeopleState(desktop, {
      answers: {
        ...frontDesk,
        status: {
          value: {
            ...atDesk(priya),
            emergency: {
              breakGlassId: 'glass-1',
              userId: '99999999-9999-4999-8999-999999999999',
              expiresAt: new Date(Date.now() + 20 * 60_000).toISOString(),
            },
          },
        },
      },
      come: openPerson,
      says: 'Emergency access to another patient',
    });
    await page.getByText('Open insurance').waitFor();
    await page.getByRole('button', { name: 'Emergency access' }).waitFor();
    expect(await callsTo(desktop, ['mindfulnessMinutes'], 0)).toEqual([]);
  });
});
