import type { Page } from 'playwright-core';
import {
  noInsurance,
  noMinutes,
  noResults,
  noSources,
  orderId,
  refusedMidway,
  refusing,
  silent,
  withAnothersResult,
  withCorrection,
  withLongTexts,
} from './answers.testing.ts';
import { emptyTeam } from './fake-service.testing.ts';
import type { Responder } from './fake-service.testing.ts';

/** How to come to a screen in one of its states, and what must be there then. */
export interface State {
  /** From the fresh sign-in on, while the service has everything. */
  readonly before?: Step;
  /** The service from here on; `gone` is one that nobody listens for. */
  readonly how?: Responder | 'gone';
  readonly come: Step;
  readonly says: string;
  /** Whether an answer came, whose id is shown. */
  readonly request?: boolean;
  /** What "Try again" brings, once the service is well. */
  readonly retry?: string;
  /** What may be nowhere in the page. */
  readonly hides?: readonly string[];
}

export type Step = (page: Page) => Promise<unknown>;
export type ScreenName = 'Find' | 'Person' | 'Labs' | 'Activity' | 'Insurance';
export type StateName = 'loading' | 'empty' | 'error' | 'forbidden' | 'offline' | 'locked';

/** Whoever is signed in. */
export const key = 'cg_live_test_key';
const broken = refusing(500);
const refused = refusing(403);

export const open =
  (name: string): Step =>
  (page) =>
    page.getByRole('navigation').getByRole('button', { name, exact: true }).click();

export async function openPerson(page: Page): Promise<void> {
  await page.getByLabel('Client id', { exact: true }).fill('MRN-1');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Person', exact: true }).waitFor();
}

export async function openOrder(page: Page): Promise<void> {
  await open('Labs')(page);
  await page.getByLabel('Order id', { exact: true }).fill(orderId);
  await page.keyboard.press('Enter');
}

/** The shell is made anew: nobody is open, nothing is held, and Find asks for its list. */
export async function resetShell(page: Page): Promise<void> {
  await page.evaluate(() => window.caregate.lock({}));
  await page.getByRole('heading', { name: 'Locked' }).waitFor();
  await page.evaluate((given) => window.caregate.unlock({ key: given }), key);
  await page.getByRole('heading', { name: 'Find a person' }).waitFor();
}
const lock: Step = (page) => page.evaluate(() => window.caregate.lock({}));
const askAgain: Step = (page) => page.getByRole('button', { name: 'Refresh' }).click();

interface Reading {
  readonly before?: Step;
  readonly come: Step;
  /** What it says where all is well. */
  readonly shows: string;
  /** What it has of the person, as the page would have it. */
  readonly data: readonly string[];
  readonly empty: Pick<State, 'before' | 'how' | 'come' | 'says'>;
  /** Where it comes about in another way than the rest. */
  readonly forbidden?: Partial<State>;
}

/** The six states of a screen that reads something. */
function statesOf(screen: Reading): Readonly<Record<StateName, State>> {
  const { come, shows, data, empty } = screen;
  const before = screen.before === undefined ? {} : { before: screen.before };
  return {
    loading: { ...before, how: silent, come, says: 'Loading …' },
    empty,
    error: {
      ...{ ...before, how: broken, come, retry: shows, request: true },
      says: 'The service sent an invalid response.',
    },
    forbidden: {
      ...{ ...before, how: refused, come, hides: data, request: true },
      says: 'Your role may not see this. Roles that may: ',
      ...screen.forbidden,
    },
    offline: {
      ...{ ...before, how: 'gone', come, retry: shows },
      says: "The service can't be reached.",
    },
    locked: {
      before: async (page) => {
        await screen.before?.(page);
        await come(page);
        await page.getByText(shows).first().waitFor();
      },
      ...{ come: lock, says: 'Unlock', hides: [...data, 'MRN-1'] },
    },
  };
}

// Nothing that a port, a time or a request id could have in it by chance.
const person = ['MRN-1', '03 Jul 1985', 'Jul 03, 1985', 'Fitbit', 'Berlin', '11111111-1111'];
const labs = ['Marrowby', 'Sodium', 'mmol/L', 'Pemberton', 'Northern', 'EDTA', 'Ferritin'];

export const STATES: Readonly<Record<ScreenName, Readonly<Record<StateName, State>>>> = {
  Find: statesOf({
    come: resetShell,
    shows: 'searched 1 of 1',
    data: person,
    empty: { how: emptyTeam, come: resetShell, says: 'This team has no people yet.' },
  }),
  Person: statesOf({
    before: openPerson,
    come: askAgain,
    shows: 'Fitbit',
    data: person,
    empty: { how: noSources, come: openPerson, says: 'No sources are connected.' },
  }),
  Labs: statesOf({
    before: openPerson,
    come: openOrder,
    shows: 'Tilda Marrowby',
    data: labs,
    empty: { how: noResults, come: openOrder, says: 'This order has no results.' },
  }),
  Activity: statesOf({
    before: openPerson,
    come: open('Activity'),
    shows: 'fitbit',
    data: ['fitbit', 'watch', '2026-03-05'],
    empty: {
      before: openPerson,
      ...{ how: noMinutes, come: open('Activity'), says: 'No mindfulness minutes' },
    },
    forbidden: { how: refusedMidway },
  }),
  Insurance: statesOf({
    before: openPerson,
    come: open('Insurance'),
    shows: 'MEMBER-77',
    data: ['PAYOR-1', 'MEMBER-77', 'GROUP-5', 'Hopper', 'Spouse'],
    empty: {
      before: openPerson,
      ...{ how: noInsurance, come: open('Insurance'), says: 'No primary insurance' },
    },
  }),
};

const rightPerson = 'Why it is the right person';

/** What else there is to be looked at, all being well. */
export const MORE: Readonly<Record<string, State>> = {
  'Find: the people': { come: resetShell, says: 'searched 1 of 1' },
  'Find: nobody found': {
    how: refusing(404),
    come: async (page) => {
      await page.getByLabel('Client id', { exact: true }).fill('nobody');
      await page.keyboard.press('Enter');
    },
    says: 'No user “nobody” in this team.',
  },
  'Person: masked': {
    before: openPerson,
    come: (page) => page.keyboard.press('F8'),
    says: 'Show (F8)',
  },
  'Labs: no order chosen': { come: open('Labs'), says: 'No order is chosen.' },
  'Labs: the result, one opened': {
    before: openPerson,
    come: async (page) => {
      await openOrder(page);
      await page.getByRole('button', { name: 'Details of Copper' }).click();
    },
    says: '5631-1',
  },
  'Labs: the longest texts, all opened': {
    before: openPerson,
    how: withLongTexts,
    come: async (page) => {
      await openOrder(page);
      await page.getByRole('button', { name: 'Details of ' }).first().click();
      await page.locator('main summary').first().click();
    },
    says: 'Flagged above range',
  },
  'Labs: corrected and replaced': {
    before: openPerson,
    ...{ how: withCorrection, come: openOrder, says: 'Not the latest order' },
  },
  'Labs: of another birth date': {
    before: openPerson,
    ...{ how: withAnothersResult, come: openOrder, says: 'Check identity' },
  },
  'Labs: of another birth date, not printed, too short a reason': {
    before: openPerson,
    how: withAnothersResult,
    come: async (page) => {
      await openOrder(page);
      await page.getByText('Check identity').waitFor();
      await page.keyboard.press('Control+p');
      await page.getByText('Not printed.').waitFor();
      await page.getByLabel(rightPerson).fill('Asked');
      await page.keyboard.press('Enter');
    },
    says: 'At least 15 characters',
  },
  'Labs: of another birth date, confirmed': {
    before: openPerson,
    how: withAnothersResult,
    come: async (page) => {
      await openOrder(page);
      await page.getByLabel(rightPerson).fill('Asked for name and address, and saw the passport');
      await page.keyboard.press('Enter');
    },
    says: 'Identity confirmed by hand',
  },
  'Labs: no such order': { how: refusing(404), come: openOrder, says: 'No result for the order' },
  'Labs: to be printed': {
    come: async (page) => {
      await openOrder(page);
      await page.getByRole('rowheader', { name: 'Sodium' }).waitFor();
      await page.keyboard.press('Control+p');
    },
    says: 'Ready.',
  },
  'Activity: chart and table': {
    before: openPerson,
    come: async (page) => {
      await open('Activity')(page);
      await page.getByRole('button', { name: 'View as table' }).first().click();
      await page.locator('tr[data-day] button').first().click();
    },
    says: '2026-03-01T07:00:00+01:00',
  },
  'Insurance: waited for long': {
    before: openPerson,
    ...{ how: silent, come: open('Insurance'), says: 'Still working …' },
  },
  'Insurance: to be printed': {
    before: openPerson,
    come: async (page) => {
      await open('Insurance')(page);
      await page.getByText('MEMBER-77').waitFor();
      await page.keyboard.press('Control+p');
    },
    says: 'Ready.',
  },
  'Recents: nobody': { come: open('Recents'), says: 'Nobody yet.' },
  'Recents: a person and an order': {
    before: openPerson,
    come: async (page) => {
      await openOrder(page);
      await open('Recents')(page);
    },
    says: orderId,
  },
  'Settings: something wrong': {
    come: async (page) => {
      await open('Settings')(page);
      await page.getByLabel('Lock after idle minutes').fill('99');
      await page.keyboard.press('Enter');
    },
    says: 'This must be a whole number',
  },
  'About: a licence open': {
    come: async (page) => {
      await open('About')(page);
      await page.locator('main summary').first().click();
    },
    says: 'Permission is hereby granted',
  },
  'the palette': { come: (page) => page.keyboard.press('Control+k'), says: 'Lock' },
  'the list of keys': { come: (page) => page.keyboard.press('F1'), says: 'Keyboard shortcuts' },
};
