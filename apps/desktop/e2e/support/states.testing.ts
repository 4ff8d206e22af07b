import { lockAnew, unlock } from './signed-in-desk.testing.ts';
import type { Page } from 'playwright-core';
import {
  insuranceDown,
  noInsurance,
  nobodyFound,
  noInfo,
  noOrders,
  noMinutes,
  noResults,
  noSearch,
  orderId,
  ordersSearched,
  refusing,
  silent,
  soundsLike,
  twins,
  withAnothersResult,
  withBothInsurances,
  withCorrection,
  withLongTexts,
  withOrdersOfOneId,
  withoutHistory,
  withoutOrders,
  withoutResult,
  withVersionBefore,
} from './answers.testing.ts';
import { LOADING } from './desktop.testing.ts';
import { connectScanner } from './scanner.testing.ts';
import type { Responder } from './fake-service.testing.ts';

/** How to come to a screen in one of its states, and what must be there then. */
export interface State {
  /** From the fresh sign-in on, while the service has everything, or is as `first`. */
  readonly before?: Step;
  readonly first?: Responder;
  /** The service from here on; `gone` is one that nobody listens for. */
  readonly how?: Responder | 'gone';
  readonly come: Step;
  readonly says: string | RegExp;
  /** Whether an answer came, whose id is shown. */
  readonly request?: boolean;
  /** What "Try again" brings, once the service is well. */
  readonly retry?: string;
  /** What may be nowhere in the page. */
  readonly hides?: readonly string[];
}

export type Step = (page: Page) => Promise<unknown>;
export type ScreenName = 'Find' | 'Overview' | 'Labs' | 'Insurance';
export type StateName = 'loading' | 'empty' | 'error' | 'forbidden' | 'offline' | 'locked';

/** The field of Find. */
export const findField = 'Name, DOB, phone, or MRN';

const broken = refusing(500);
const refused = refusing(403);

/** The keys of the screens; the tabs need a person. */
const keys: Readonly<Record<string, string>> = {
  Find: 'Control+k',
  Overview: 'Control+1',
  Labs: 'Control+2',
  Insurance: 'Control+3',
};

/** Opens a screen from any other: by its key, or by the sidebar or the menu of the staff member. */
export const open =
  (name: string): Step =>
  async (page) => {
    const pressed = keys[name];
    if (pressed !== undefined) {
      await page.keyboard.press(pressed);
    } else if (name === 'Settings') {
      await page.getByRole('complementary').getByRole('button', { name, exact: true }).click();
    } else {
      await openStaffMenu(page);
      await page.getByRole('menuitem', { name, exact: true }).click();
    }
  };

/** Who else is at the desk, the settings, and the way out. */
async function openStaffMenu(page: Page): Promise<void> {
  await page.locator('footer button[aria-haspopup=menu]').click();
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
}

export async function openPerson(page: Page): Promise<void> {
  await page.getByLabel(findField).fill('MRN-1');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
}

/** Without Overview, which would have read already what another screen shows. */
const openPersonAt =
  (name: 'Labs' | 'Insurance', shows: string): Step =>
  async (page) => {
    await page.getByLabel(findField).fill('MRN-1');
    await page.getByRole('option').first().waitFor();
    await open(name)(page);
    await page.getByText(shows).first().waitFor();
  };

export const openAtInsurance = openPersonAt('Insurance', 'MEMBER-77');
const openAtLabs = openPersonAt('Labs', 'Tilda Marrowby');

/** The report: of a person the newest opens by itself; where there is no list, by its number. */
export async function openOrder(page: Page): Promise<void> {
  await open('Labs')(page);
  const field = page.getByLabel('Order number', { exact: true });
  await field
    .or(page.getByRole('listbox', { name: 'Lab orders' }))
    .first()
    .waitFor();
  if (!(await field.isVisible())) return;
  await field.fill(orderId);
  await page.keyboard.press('Enter');
}

export const signOut: Step = async (page) => {
  await openStaffMenu(page);
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
};

/** Begins anew, and types into Find. */
function type(typed: string): Step {
  return async (page) => {
    await resetShell(page);
    await page.getByLabel(findField).fill(typed);
  };
}

function scan(code: string): Step {
  return async (page) => {
    const scanner = await connectScanner(page);
    await scanner.scan(code, () => 10);
  };
}

/** The shell is made anew: nobody is open, nothing is held, and Find asks for its list. */
export async function resetShell(page: Page): Promise<void> {
  await lockAnew(page);
  await page.getByRole('heading', { name: 'Locked' }).waitFor();
  await unlock(page);
  await page.getByRole('heading', { name: 'Search' }).waitFor();
}
/** Nobody returns: the next state would begin at the patient of this one. */
const lock: Step = lockAnew;
const askAgain: Step = (page) => page.getByRole('button', { name: 'Refresh' }).click();

interface Reading {
  readonly before?: Step;
  readonly first?: Responder;
  readonly come: Step;
  /** What it says where all is well. */
  readonly shows: string;
  /** What it has of the person, as the page would have it. */
  readonly data: readonly string[];
  readonly empty: Pick<State, 'before' | 'how' | 'come' | 'says'>;
  /** Where it comes about in another way than the rest. */
  readonly forbidden?: Partial<State>;
  readonly offline?: Partial<State>;
}

/** The six states of a screen that reads something. */
function statesOf(screen: Reading): Readonly<Record<StateName, State>> {
  const { come, shows, data, empty } = screen;
  const before = {
    ...(screen.before !== undefined && { before: screen.before }),
    ...(screen.first !== undefined && { first: screen.first }),
  };
  return {
    loading: { ...before, how: silent, come, says: LOADING },
    empty,
    error: {
      ...{ ...before, how: broken, come, retry: shows, request: true },
      says: 'The service sent an invalid response.',
    },
    forbidden: {
      ...{ ...before, how: refused, come, hides: data, request: true },
      says: "Your role can't open this. Who can: ",
      ...screen.forbidden,
    },
    offline: {
      ...{ ...before, how: 'gone', come, retry: shows },
      says: "The service can't be reached.",
      ...screen.offline,
    },
    locked: {
      before: async (page) => {
        await screen.before?.(page);
        await come(page);
        await page.getByText(shows).first().waitFor();
      },
      ...{ come: lock, says: 'Someone else', hides: [...data, 'MRN-1'] },
    },
  };
}

// Nothing that a port, a time or a request id could have in it by chance.
const person = ['MRN-1', '07/03/1985'];
const labs = ['Marrowby', 'Sodium', 'mmol/L', 'Pemberton', 'Northern', 'EDTA', 'Ferritin'];

export const STATES: Readonly<Record<ScreenName, Readonly<Record<StateName, State>>>> = {
  Find: statesOf({
    come: type('ashg'),
    // Nobody unlocks without the service.
    offline: { come: (page) => page.getByLabel(findField).fill('ashg') },
    shows: 'Name from',
    data: person,
    empty: { how: nobodyFound, come: type('ashg'), says: 'Nobody found for “ashg”.' },
  }),
  Overview: statesOf({
    before: async (page) => {
      await openPerson(page);
      // Until then all is being read, and what no longer answers would keep it so.
      await page.locator('button:enabled', { hasText: 'Refresh' }).waitFor();
    },
    come: askAgain,
    shows: 'Larkspur',
    data: ['w.ashgrove', 'Larkspur', '555-0188'],
    empty: { how: noInfo, come: openPerson, says: 'No contact details are on record.' },
  }),
  Labs: statesOf({
    before: openAtInsurance,
    come: open('Labs'),
    shows: 'Tilda Marrowby',
    data: labs,
    empty: {
      before: openAtInsurance,
      how: noResults,
      come: openOrder,
      says: 'This order has no results.',
    },
  }),
  Insurance: statesOf({
    before: openAtLabs,
    first: insuranceDown,
    come: open('Insurance'),
    shows: 'MEMBER-77',
    data: ['PAYOR-1', 'MEMBER-77', 'GROUP-5', 'Hopper', 'Spouse'],
    empty: {
      ...{ before: openAtLabs, first: insuranceDown },
      ...{ how: noInsurance, come: open('Insurance'), says: 'No primary insurance' },
    },
  }),
};

const rightPerson = 'Why it is the right patient';

/** From the insurance of the one person on. */
const ofPerson = (state: Omit<State, 'before'>): State => ({ before: openAtInsurance, ...state });
/** The same with an insurance that wasn't read yet. */
const beforeInsurance = { before: openAtLabs, first: insuranceDown } as const;

/** What else there is to be looked at, all being well. */
export const MORE: Readonly<Record<string, State>> = {
  'Find: nothing typed': { come: resetShell, says: 'What to type' },
  'Find: too short': { come: type('as'), says: 'Type at least 3 letters' },
  'Find: two of one name, to be chosen': {
    come: async (page) => {
      await type('amara')(page);
      await page.getByText('2 patients').waitFor();
      await page.keyboard.press('Enter');
    },
    says: 'Choose a patient with ↑ ↓',
  },
  'Find: one of two of one name': {
    come: async (page) => {
      await type('amara')(page);
      await page.getByText('2 patients').waitFor();
      await page.keyboard.press('ArrowDown');
    },
    says: '2 patients have this name',
  },
  'Find: the longest name': { come: type('wolf'), says: 'Wolfeschlegelsteinhausen' },
  'Find: from right to left': { come: type('ليلى'), says: 'حدّاد' },
  'Find: nameless': { come: type('nameless'), says: 'Name not known yet' },
  'Find: by sound': {
    how: soundsLike,
    come: type('amera'),
    says: 'whose name sounds like “amera”',
  },
  'Find: masked': {
    come: async (page) => {
      await type('ashg')(page);
      await page.getByText('Name from').waitFor();
      await page.keyboard.press('F8');
    },
    says: '••••',
    hides: ['MRN-1', 'Ashgrove', '07/03/1985', '41 years'],
  },
  'Find: lab orders searched': {
    how: ordersSearched,
    come: type('okon'),
    says: 'Only lab orders were searched',
  },
  'Find: no search': {
    how: noSearch,
    come: type('MRN'),
    says: '1 of 1 patients searched',
  },
  'Find: nobody with this id': {
    how: refusing(404),
    come: async (page) => {
      await page.getByLabel(findField).fill('nobody');
      await page.keyboard.press('Enter');
      await page.getByText("can't search by name").waitFor();
      await page.keyboard.press('Enter');
    },
    says: 'Nobody found for “nobody”.',
  },
  'Find: people of one name and birth date': {
    how: twins,
    come: type('tilda'),
    says: 'Or the town is',
  },
  'Find: a scan that nobody has': ofPerson({
    how: refusing(404),
    come: scan('NOBODY-7'),
    says: 'Nobody here has this code',
  }),
  'Find: a scan under way': ofPerson({
    how: silent,
    come: async (page) => {
      await scan('MRN-000123')(page);
      await page.getByText('Scanned at').waitFor();
    },
    says: 'The patient who was open before is closed.',
  }),
  'Find: somebody was open before': ofPerson({
    come: async (page) => {
      await page.getByRole('button', { name: 'Close patient' }).click();
    },
    says: '07/03/1985',
  }),
  'Overview: masked': ofPerson({ come: (page) => page.keyboard.press('F8'), says: '••••' }),
  'Overview: no minutes': { how: noMinutes, come: openPerson, says: 'No minutes in' },
  'Labs: no order chosen': { come: open('Labs'), says: 'No order is chosen.' },
  'Labs: the report': ofPerson({ come: openOrder, says: 'Abnormal first' }),
  'Labs: one result': ofPerson({
    come: async (page) => {
      await openOrder(page);
      await page.getByRole('button', { name: 'Sodium', exact: true }).click();
    },
    says: 'Last abnormal',
  }),
  'Labs: over time': ofPerson({
    come: async (page) => {
      await openOrder(page);
      await page.getByRole('radio', { name: 'Over time' }).click();
    },
    says: 'Not ordered',
  }),
  'Labs: over time, the longest texts': ofPerson({
    how: withLongTexts,
    come: async (page) => {
      await openOrder(page);
      await page.getByRole('radio', { name: 'Over time' }).click();
    },
    says: 'newest first',
  }),
  'Labs: the longest texts': ofPerson({
    how: withLongTexts,
    come: openOrder,
    says: 'Reference range',
  }),
  'Labs: one result, the longest texts': ofPerson({
    how: withLongTexts,
    come: async (page) => {
      await openOrder(page);
      await page.locator('tbody th button').nth(3).click();
    },
    says: 'Laboratory notes',
  }),
  'Labs: corrected and replaced': ofPerson({
    how: withCorrection,
    come: openOrder,
    says: 'A later order of this test may replace this one',
  }),
  'Labs: corrected, with what changed': ofPerson({
    how: withVersionBefore,
    come: openOrder,
    says: 'the earlier report said',
  }),
  'Labs: earlier values not read': ofPerson({
    how: withoutHistory,
    come: openOrder,
    says: 'Previous values could not be read.',
  }),
  'Labs: no list of orders': ofPerson({
    how: withoutOrders,
    come: openOrder,
    says: 'This service has no list of orders.',
  }),
  'Labs: no orders': ofPerson({ how: noOrders, come: open('Labs'), says: 'No lab orders yet' }),
  'Labs: two orders of one number': ofPerson({
    how: withOrdersOfOneId,
    come: openOrder,
    says: 'Another order has the same number.',
  }),
  'Labs: of another birth date': ofPerson({
    how: withAnothersResult,
    come: openOrder,
    says: 'Check who this report is about',
  }),
  'Labs: of another birth date, not printed, too short a reason': ofPerson({
    how: withAnothersResult,
    come: async (page) => {
      await openOrder(page);
      await page.getByText('Check who this report is about').waitFor();
      await page.keyboard.press('Control+p');
      await page.getByText('Not printed.').waitFor();
      await page.getByLabel(rightPerson).fill('Asked');
      await page.keyboard.press('Enter');
    },
    says: 'At least 15 visible characters',
  }),
  'Labs: of another birth date, confirmed': ofPerson({
    how: withAnothersResult,
    come: async (page) => {
      await openOrder(page);
      await page.getByLabel(rightPerson).fill('Asked for name and address, and saw the passport');
      await page.keyboard.press('Enter');
    },
    says: 'Identity confirmed by hand',
  }),
  'Labs: a result that is awaited': ofPerson({
    how: withoutResult,
    come: async (page) => {
      await openOrder(page);
      await page.getByRole('option', { name: '05/20/2026' }).click();
    },
    says: 'The laboratory has the sample.',
    hides: ['request-1'],
  }),
  'Labs: no such order': { how: refusing(404), come: openOrder, says: 'No result for the order' },
  'Labs: to be printed': {
    come: async (page) => {
      await openOrder(page);
      await page.getByRole('rowheader', { name: 'Sodium' }).waitFor();
      await page.keyboard.press('Control+p');
    },
    says: 'Ready.',
  },
  'Insurance: waited for long': {
    ...beforeInsurance,
    how: silent,
    come: open('Insurance'),
    says: "Still waiting for the clinic's service: Insurance …",
  },
  'Insurance: to be printed': ofPerson({
    come: async (page) => {
      await open('Insurance')(page);
      await page.getByText('MEMBER-77').waitFor();
      await page.keyboard.press('Control+p');
    },
    says: 'Ready.',
  }),
  'Insurance: both of them': {
    ...beforeInsurance,
    how: withBothInsurances,
    come: open('Insurance'),
    says: 'MEMBER-78',
  },
  'Label: set up': ofPerson({ come: (page) => page.keyboard.press('Control+b'), says: 'Ready.' }),
  'Label: refused under the mask': ofPerson({
    come: async (page) => {
      await page.keyboard.press('F8');
      await page.keyboard.press('Control+b');
    },
    says: 'Not printed while names are masked.',
  }),
  'Settings: something wrong': {
    come: async (page) => {
      await open('Settings')(page);
      await page.getByLabel('Minutes without use before the desk locks').fill('99');
      await page.keyboard.press('Enter');
    },
    says: 'A whole number',
  },
  'About: a licence open': {
    come: async (page) => {
      await open('About')(page);
      await page.locator('main summary').first().click();
    },
    says: 'Permission is hereby granted',
  },
  'the list of keys': { come: (page) => page.keyboard.press('F1'), says: 'Keyboard shortcuts' },
};
