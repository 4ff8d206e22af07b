import type { Page } from 'playwright-core';
import type { Status } from '../../src/bridge/app-state.ts';
import type { Desktop } from './desktop.testing.ts';
import {
  atDesk,
  auditor,
  enrolled,
  frontDesk,
  leila,
  locked,
  priya,
  tunde,
} from './people.testing.ts';
import { standIn } from './stand-ins.testing.ts';
import type { Answers } from './stand-ins.testing.ts';

/** A screen of the people at a desk in one of its states: what main answers, how to come to it, and what it says. */
export interface PeopleState {
  readonly answers: Answers;
  readonly come?: (page: Page) => Promise<unknown>;
  readonly says: string;
  /** What may be nowhere in the page. */
  readonly hides?: readonly string[];
}

const out = (status: Partial<Status> = {}, more: Answers = {}): Answers => ({
  status: { value: { ...enrolled, ...status } },
  lookUpService: { value: { ...enrolled, ...status } },
  ...more,
});
const shut = (status: Partial<Status> = {}, more: Answers = {}): Answers => ({
  status: { value: { ...locked, ...status } },
  switchTo: { value: { ...locked, ...status } },
  ...more,
});
const press =
  (name: string) =>
  (page: Page): Promise<void> =>
    page.getByRole('button', { name }).first().click();
const go =
  (name: string) =>
  (page: Page): Promise<void> =>
    page.getByRole('navigation').getByRole('button', { name }).click();

/** Typed as a person does: a scanner's codes come faster, and are no PIN. */
export async function typePin(page: Page, digits: string): Promise<void> {
  await page.locator('input[inputmode=numeric]:focus').waitFor();
  await page.keyboard.type(digits, { delay: 90 });
}

async function openEmergency(page: Page): Promise<void> {
  await openPersonBy(page);
  await go('Activity')(page);
  await page.getByRole('button', { name: 'Emergency access…' }).click();
  await page.getByRole('dialog').waitFor();
}

export async function openPersonBy(page: Page): Promise<void> {
  await page.getByLabel('Client id', { exact: true }).fill('MRN-1');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Person', exact: true }).waitFor();
}

/** Every kind of failure of a sign-in by browser, each with its sentence. */
export const FAILURES = {
  browserNotOpened: "The browser couldn't be opened.",
  signInTimedOut: 'Nobody came back from the browser in time.',
  signInDenied: 'The sign-in was cancelled or refused',
  wrongState: 'An answer arrived that belongs to no sign-in of this desk.',
  portTaken: 'This computer has no free port',
  providerOffline: "The identity provider can't be reached.",
  providerBroken: 'The identity provider sent an invalid response.',
  codeRefused: 'The identity provider no longer accepts this sign-in.',
  clockWrong: "This computer's clock is wrong.",
  proofRefused: "The service doesn't accept this desk's proof.",
  offline: "The service can't be reached.",
} as const;

const none = { ...locked.people[0]!, pinSet: false };

export const PEOPLE: Readonly<Record<string, PeopleState>> = {
  'Connect: the first run': {
    answers: out({ address: '', enrolled: false }),
    says: 'Connect to your clinic',
  },
  'Connect: no address': {
    answers: out({ address: '' }),
    come: press('Continue'),
    says: "Enter the service's address first.",
  },
  'Connect: not private': {
    answers: out({ address: '' }, { lookUpService: { problem: { kind: 'insecureAddress' } } }),
    come: async (page) => {
      await page.getByLabel("Clinic's Caregate address").fill('http://clinic.example');
      await page.keyboard.press('Enter');
    },
    says: 'The address must begin with https://.',
  },
  'Connect: offline': {
    answers: out({ address: '' }, { lookUpService: { problem: { kind: 'offline' } } }),
    come: async (page) => {
      await page.getByLabel("Clinic's Caregate address").fill('https://clinic.example');
      await page.keyboard.press('Enter');
    },
    says: "The service can't be reached.",
  },
  'Enrol: found': { answers: out({ enrolled: false }), says: 'Found Harbourside Clinic' },
  'Enrol: refused': {
    answers: out({ enrolled: false }, { enrolDesk: { problem: { kind: 'enrolmentRefused' } } }),
    come: async (page) => {
      await page.getByLabel('Setup code').fill('ABCDE23456');
      await page.keyboard.press('Enter');
    },
    says: "The service doesn't accept this code.",
  },
  'Sign in: loading': { answers: out({}, { lookUpService: 'silent' }), says: 'Loading …' },
  'Sign in: by browser': { answers: out(), says: 'Sign in with Harbourside ID' },
  'Sign in: waiting for the browser': {
    answers: out({}, { beginSignIn: 'silent' }),
    come: press('Sign in with'),
    says: 'Finish in your browser',
  },
  'Sign in: refused': {
    answers: out(
      {},
      { beginSignIn: { problem: { kind: 'signInRefused', reason: 'unknownPerson' } } },
    ),
    come: press('Sign in with'),
    says: "Your clinic hasn't added you to Caregate yet.",
  },
  'Sign in: ended by the limit': {
    answers: out({ reason: 'limit' }),
    says: 'The longest sign-in, 12 hours, is over.',
  },
  'Sign in: by key': { answers: out(), come: press('Use a staff key'), says: 'Staff key' },
  'PIN: to be chosen': {
    answers: { status: { value: atDesk(tunde) } },
    says: 'Choose your PIN',
  },
  'PIN: too short': {
    answers: { status: { value: atDesk(tunde) } },
    come: async (page) => {
      await typePin(page, '12');
      await page.keyboard.press('Enter');
    },
    says: 'The PIN needs 6 digits or more.',
  },
  'PIN: the two differ': {
    answers: { status: { value: atDesk(tunde) } },
    come: async (page) => {
      await typePin(page, '493827');
      await typePin(page, '493828');
      await page.keyboard.press('Enter');
    },
    says: 'The two PINs differ.',
  },
  'Lock: four people': { answers: shut(), says: 'PIN of Priya Raman' },
  'Lock: nobody chosen': {
    answers: shut({ chosen: undefined, reason: 'switched' }),
    says: 'Choose your name, or scan your badge.',
  },
  'Lock: a wrong PIN': {
    answers: shut({}, { unlockWithPin: { problem: { kind: 'wrongPin', triesLeft: 2 } } }),
    come: (page) => typePin(page, '493827'),
    says: 'Wrong PIN. 2 tries left.',
  },
  'Lock: tried out': {
    answers: shut({}, { unlockWithPin: { problem: { kind: 'pinTriedOut' } } }),
    come: (page) => typePin(page, '493827'),
    says: 'Too many wrong PINs.',
  },
  'Lock: offline': {
    answers: shut({}, { unlockWithPin: { problem: { kind: 'offline' } } }),
    come: (page) => typePin(page, '493827'),
    says: 'Without the service nothing can be unlocked.',
  },
  'Lock: no PIN': {
    answers: shut({ people: [none, leila] }),
    says: 'Priya Raman has no PIN here yet.',
  },
  'Lock: someone else in the browser': {
    answers: shut({}, { beginSignIn: 'silent' }),
    come: press('Someone else…'),
    says: 'Finish in your browser',
  },
  'Lock: PINs of many lengths': {
    answers: shut({ pin: { min: 6, max: 12 } }),
    come: (page) => typePin(page, '49382716'),
    says: 'Enter opens',
  },
  'the front desk': { answers: frontDesk, says: 'Priya Raman' },
  'the staff menu': {
    answers: frontDesk,
    come: async (page) => {
      await page.getByRole('complementary').getByRole('button', { name: 'Priya Raman' }).click();
      await page.getByRole('menu').waitFor();
    },
    says: 'Signed in until',
  },
  'Refused: no emergency': {
    answers: frontDesk,
    come: go('Labs'),
    says: "Front desk can't open lab reports",
  },
  'Refused: emergency allowed': {
    answers: frontDesk,
    come: async (page) => {
      await openPersonBy(page);
      await go('Activity')(page);
    },
    says: "Front desk can't open mindfulness activity",
  },
  'Emergency: asked': {
    answers: frontDesk,
    come: openEmergency,
    says: 'It lasts 30 minutes',
  },
  'Emergency: too short a reason': {
    answers: frontDesk,
    come: async (page) => {
      await openEmergency(page);
      await page.getByLabel('What is happening').fill('Urgent');
      await page.keyboard.press('Control+Enter');
    },
    says: '14 more letters or digits are needed.',
  },
  'Emergency: the provider asks again': {
    answers: { ...frontDesk, emergencyAccess: 'silent' },
    come: async (page) => {
      await openEmergency(page);
      await page.getByLabel('What is happening').fill('Nurse line asked when she was awake');
      await page.keyboard.press('Control+Enter');
    },
    says: 'Your browser asks you to sign in again',
  },
  'Emergency: refused': {
    answers: { ...frontDesk, emergencyAccess: { problem: { kind: 'signInDenied' } } },
    come: async (page) => {
      await openEmergency(page);
      await page.getByLabel('What is happening').fill('Nurse line asked when she was awake');
      await page.keyboard.press('Control+Enter');
    },
    says: 'The sign-in was cancelled or refused',
  },
  'Emergency: under way': {
    answers: {
      ...frontDesk,
      status: {
        value: {
          ...atDesk(priya),
          emergency: {
            breakGlassId: 'glass-1',
            userId: '11111111-1111-4111-8111-111111111111',
            reasonCode: 'other',
            expiresAt: new Date(Date.now() + 27.5 * 60_000).toISOString(),
          },
        },
      },
    },
    come: openPersonBy,
    says: 'minutes left.',
  },
  'Auditor: who saw a person': { answers: auditor, says: 'Lab connection' },
  'Auditor: loading': {
    answers: { ...auditor, auditEvents: 'silent', grants: 'silent', logState: 'silent' },
    says: 'Loading …',
  },
  'Auditor: nothing found': {
    answers: {
      ...auditor,
      auditEvents: { value: { value: { rows: [] }, receivedAt: '2026-11-22T09:46:00.000Z' } },
      grants: { value: { value: { grants: [] }, receivedAt: '2026-11-22T09:46:00.000Z' } },
    },
    says: 'No records in this period',
  },
  'Auditor: an error': {
    answers: {
      ...auditor,
      auditEvents: { problem: { kind: 'serverBroken', requestId: 'request-1' } },
      grants: { problem: { kind: 'timeout' } },
    },
    says: 'request-1',
  },
  'Auditor: refused': {
    answers: { ...auditor, auditEvents: { problem: { kind: 'forbidden' } } },
    says: 'Your role may not see this.',
  },
  'Auditor: offline': {
    answers: { ...auditor, auditEvents: { problem: { kind: 'offline' } } },
    says: "The service can't be reached.",
  },
  'Auditor: a disclosure report': {
    answers: auditor,
    come: async (page) => {
      await page.getByLabel('Client id or user id').fill('11111111-1111-4111-8111-111111111111');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Disclosure report…' }).click();
    },
    says: '1 disclosure in this period.',
  },
  'Auditor: what a staff member saw': {
    answers: auditor,
    come: (page) => page.getByRole('button', { name: 'Dr. Leila Haddad' }).first().click(),
    says: 'What a staff member saw',
  },
  'Auditor: exported': {
    answers: auditor,
    come: press('Export CSV…'),
    says: '10 records saved',
  },
  'Auditor: the review queue': { answers: auditor, come: go('Emergency access'), says: 'Late by' },
  'Auditor: not justified, without a note': {
    answers: auditor,
    come: async (page) => {
      await go('Emergency access')(page);
      await page.getByRole('button', { name: 'Not justified…' }).first().click();
      await page.getByLabel('Why not').waitFor();
      await page.keyboard.press('Enter');
    },
    says: 'Write why first.',
  },
  'Auditor: nothing to review': {
    answers: {
      ...auditor,
      grants: { value: { value: { grants: [] }, receivedAt: '2026-11-22T09:46:00.000Z' } },
    },
    come: go('Emergency access'),
    says: 'Each emergency access appears here at once.',
  },
  'Auditor: alarms': { answers: auditor, come: go('Alarms'), says: '1204' },
  'Auditor: no alarms': {
    answers: {
      ...auditor,
      auditAlarms: { value: { value: { rows: [] }, receivedAt: '2026-11-22T09:46:00.000Z' } },
    },
    come: go('Alarms'),
    says: 'No alarms',
  },
  'Auditor: the log': { answers: auditor, come: go('Log'), says: 'Signed by 1 of 2' },
  'Auditor: the log was changed': {
    answers: {
      ...auditor,
      logState: {
        value: {
          logId: 'a1b2c3d4e5f6',
          size: 48_214,
          rootHash: 'q0eUpNWKEvsjJWvAhKpXJPmiRBGAmSaXkTeMm0OBnGM=',
          checkpoint: 'caregate/log',
          checkedAt: '2026-11-22T09:46:00.000Z',
          consistent: false,
          from: 48_100,
          acceptsRecords: false,
          witnessing: {
            quorumMet: false,
            lag: 3,
            witnesses: [{ name: 'witness.hospital.example', conflict: true }],
          },
        },
      },
    },
    come: go('Log'),
    says: 'Has seen another log',
  },
};

/** Comes to the state in a page that is begun anew, and sees that it says what it must. */
export async function enterPeopleState(desktop: Desktop, state: PeopleState): Promise<void> {
  const { answers, come, says, hides = [] } = state;
  const { page } = desktop;
  await standIn(desktop, answers);
  await page.reload();
  await page.waitForSelector('#root > *');
  await come?.(page);
  await page.getByText(says).first().waitFor();
  const html = await page.evaluate(() => document.documentElement.outerHTML);
  if (hides.some((datum) => html.includes(datum))) throw new Error('Something is shown.');
}
