import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { AuditRow } from '../../src/bridge/audit.ts';
import { eventually, launch } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { openPersonBy, typePin } from '../support/people-steps.testing.ts';
import { catchBrowser, clickOn, startClinic } from '../support/provider.testing.ts';
import type { Clinic } from '../support/provider.testing.ts';

/** One day at one desk, by the screens alone: a real provider, a real service, a real Electron, and three people. */
let clinic: Clinic;
let desktop: Desktop;
let page: Page;

beforeAll(async () => {
  clinic = await startClinic({ CAREGATE_NARROW: 'clinician.mindfulnessMinutes=no' });
  desktop = await launch({ readyFile: clinic.service.readyFile, stubs: true });
  page = desktop.page;
  await catchBrowser(desktop.app);
});
afterAll(async () => {
  await desktop.close();
  await clinic.stop();
});

const pins = { 'front-desk': '493827', clinician: '582941', auditor: '719352' } as const;
type Subject = keyof typeof pins;

const nameOf = (subject: Subject): string =>
  clinic.provider.people.find((person) => person.subject === subject)!.name;
const text = 'Found unconscious in the waiting room, asked what was measured.';

/** Presses the button, signs in on the provider's page and chooses a PIN. */
async function comeIn(subject: Subject, button: string): Promise<void> {
  await page.getByRole('button', { name: button }).click();
  expect(await clickOn(clinic, desktop.app, subject)).toContain('close this window');
  await page.getByRole('heading', { name: 'Choose your PIN' }).waitFor();
  await typePin(page, pins[subject]);
  await page.keyboard.press('Enter');
  await typePin(page, pins[subject]);
  expect(await html()).not.toContain(pins[subject]);
  await page.keyboard.press('Enter');
  await atDesk(subject);
}

const html = (): Promise<string> => page.evaluate(() => document.documentElement.outerHTML);

const atDesk = (subject: Subject): Promise<void> =>
  page.locator('button[aria-haspopup=menu]').getByText(nameOf(subject)).waitFor();

async function lock(): Promise<void> {
  await page.evaluate(() => window.caregate.lock({}));
  await page.getByRole('heading', { name: 'Locked' }).waitFor();
}

/** Seven keys: the card, and the PIN whose length the desk knows. */
async function handOverTo(subject: Subject, card: number): Promise<void> {
  await page.keyboard.press(`Alt+${card}`);
  await page.getByText(`PIN of ${nameOf(subject)}`).waitFor();
  await typePin(page, pins[subject]);
  await atDesk(subject);
}

const go = (name: string): Promise<void> =>
  page.getByRole('navigation').getByRole('button', { name }).click();

/** Every record that the auditor can see, the newest first. */
async function everyRecord(): Promise<readonly AuditRow[]> {
  const rows: AuditRow[] = [];
  let cursor: string | undefined;
  do {
    const answer = await page.evaluate(
      (next) =>
        window.caregate.listAuditEvents({
          call: 'all',
          ...(next !== undefined && { cursor: next }),
        }),
      cursor,
    );
    if (!answer.ok) throw new Error(JSON.stringify(answer.problem));
    rows.push(...answer.value.value.rows);
    cursor = answer.value.value.nextCursor;
  } while (cursor !== undefined);
  return rows;
}

it('three people sign in, hand the desk over, break the glass and review it, and every record names its person and desk', async () => {
  const { client_user_id: clientUserId, user_id: userId } = clinic.service.sample;
  await comeIn('front-desk', 'Sign in with');
  await openPersonBy(page, clientUserId);
  await lock();
  await comeIn('clinician', 'Someone else…');
  await lock();
  await handOverTo('front-desk', 1);
  // Nothing of before the lock is there any more.
  expect(await html()).not.toContain(clientUserId);
  await openPersonBy(page, clientUserId);
  await handOverTo('clinician', 2);

  await openPersonBy(page, clientUserId);
  await go('Activity');
  const refused = page.getByRole('heading', { name: "can't open mindfulness activity" });
  await refused.waitFor();
  const focused = page.locator(':focus');
  await page.getByRole('button', { name: 'Emergency access…' }).and(focused).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('radio', { name: 'Danger to life or health' }).and(focused).waitFor();
  await page.getByLabel('What is happening').fill(text);
  await page.keyboard.press('Control+Enter');
  await clickOn(clinic, desktop.app, 'clinician');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByText(/\b(?:[1-9]|[12]\d|30) minutes left\./u).waitFor();
  await refused.waitFor({ state: 'detached' });
  await eventually('activity was read under the grant', async () => {
    const read = await page.evaluate(
      (id) =>
        window.caregate.mindfulnessMinutes({ call: 'm', userId: id, startDate: '2026-11-14' }),
      userId,
    );
    return read.ok ? true : undefined;
  });
  await page.getByRole('button', { name: 'End now' }).click();
  await refused.waitFor();

  await lock();
  await comeIn('auditor', 'Someone else…');
  await go('Emergency access');
  const card = page.getByRole('listitem').filter({ hasText: text });
  await card.getByText(nameOf('clinician')).waitFor();
  await card.getByRole('button', { name: 'Justified', exact: true }).click();
  await page.getByText('Each emergency access appears here at once.').waitFor();
  await page.getByRole('radio', { name: 'All' }).click();
  await card.getByText(nameOf('auditor')).waitFor();

  await go('Who saw a person');
  await page.getByLabel('Client id, user id or audit number').fill(clientUserId);
  await page.keyboard.press('Enter');
  const entries = page.locator('main ol > li');
  const under = entries.filter({ hasText: nameOf('clinician') });
  await under.first().waitFor();
  await entries
    .filter({ hasText: nameOf('front-desk') })
    .first()
    .waitFor();

  const records = await everyRecord();
  const own = records.filter(({ actor }) => actor.type === 'staff');
  const names = own.map(({ actor, desk }) => `${actor.name ?? 'nobody'} at ${desk ?? 'no desk'}`);
  const people = (Object.keys(pins) as Subject[]).map((subject) => `${nameOf(subject)} at Demo`);
  expect([...new Set(names)].sort()).toEqual(people.sort());
  // All else was done by commands and at the enrolment, before anybody was at the desk.
  const isOwn = records.map(({ actor }) => actor.type === 'staff');
  expect(isOwn.indexOf(false)).toBe(isOwn.lastIndexOf(true) + 1);
  const others = records.slice(own.length);
  expect(new Set(others.map(({ actor }) => actor.type))).toEqual(new Set(['anonymous', 'system']));
  expect(others.filter(({ patients }) => patients.length > 0)).toEqual([]);
  const operations = new Set(own.map(({ operation }) => operation));
  for (const operation of [
    ...['sessionBegun', 'pinSet', 'sessionLocked', 'sessionUnlocked', 'resolveUser'],
    ...['mindfulnessMinutes', 'askBreakGlass', 'endBreakGlass', 'reviewBreakGlass'],
  ]) {
    expect(operations).toContain(operation);
  }
  // The number of a record leads to it, and to nothing else.
  const opened = own.find(({ operation }) => operation === 'resolveUser')!;
  await page.getByLabel('Client id, user id or audit number').fill(opened.recordId);
  await page.keyboard.press('Enter');
  await eventually('the one record is shown', async () => {
    const shown = await page.locator('main ol > li').allInnerTexts();
    return shown.length === 1 && shown[0]?.includes('opened the overview') === true
      ? true
      : undefined;
  });
  const underGrant = own.filter(({ emergency }) => emergency);
  expect(new Set(underGrant.map(({ actor }) => actor.name))).toEqual(
    new Set([nameOf('clinician')]),
  );
  expect(desktop.faults).toEqual([]);
});
