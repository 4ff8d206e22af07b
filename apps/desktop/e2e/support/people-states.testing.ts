import type { Page } from 'playwright-core';
import type { Status } from '../../src/shared/app-state.ts';
import { AUDITOR } from './auditor-states.testing.ts';
import { LOADING } from './desktop.testing.ts';
import {
  atDesk,
  enrolled,
  frontDesk,
  frontDeskEmergencies,
  frontDeskOverview,
  leila,
  locked,
  priya,
  tunde,
} from './people.testing.ts';
import { go, press, typePin } from './people-steps.testing.ts';
import type { PeopleState } from './people-steps.testing.ts';
import type { Answers } from './stand-ins.testing.ts';
import { openPerson } from './steps.testing.ts';

const underEmergency: Answers = {
  ...frontDesk,
  status: {
    // Computed when the state is entered, since the earlier states may take longer than the access lasts.
    get value() {
      const expiresAt = new Date(Date.now() + 27.5 * 60_000).toISOString();
      const userId = '11111111-1111-4111-8111-111111111111';
      const emergency = { breakGlassId: 'glass-1', userId, expiresAt };
      return { ...atDesk(priya), emergency };
    },
  },
};

const out = (status: Partial<Status> = {}, more: Answers = {}): Answers => ({
  status: { value: { ...enrolled, ...status } },
  signInInfo: { value: { ...enrolled, ...status } },
  ...more,
});
const shut = (status: Partial<Status> = {}, more: Answers = {}): Answers => ({
  status: { value: { ...locked, ...status } },
  switchTo: { value: { ...locked, ...status } },
  ...more,
});
async function openEmergency(page: Page): Promise<void> {
  await openPerson(page);
  await page.getByRole('button', { name: 'Emergency access' }).click();
  await page.getByRole('dialog').waitFor();
}

const none = { ...locked.people[0]!, pinSet: false };

export const PEOPLE: Readonly<Record<string, PeopleState>> = {
  'Connect: the first run': {
    answers: out({ address: '', enrolled: false }),
    says: 'Connect to your clinic',
  },
  'Connect: not private': {
    answers: out({ address: '' }, { signInInfo: { problem: { kind: 'insecureAddress' } } }),
    come: async (page) => {
      await page.getByLabel("Clinic's Caregate address").fill('http://clinic.example');
      await page.keyboard.press('Enter');
    },
    says: 'The address must begin with https://.',
  },
  'Connect: offline': {
    answers: out({ address: '' }, { signInInfo: { problem: { kind: 'offline' } } }),
    come: async (page) => {
      await page.getByLabel("Clinic's Caregate address").fill('https://clinic.example');
      await page.keyboard.press('Enter');
    },
    says: "The service can't be reached.",
  },
  'Enrol: found': {
    answers: out({ enrolled: false }),
    says: ['Harbourside Clinic', 'Enrollment code'],
  },
  'Enrol: revoked': {
    answers: out({ enrolled: false, reason: 'deskRevoked' }),
    says: 'This desk was removed',
  },
  'Enrol: refused': {
    answers: out({ enrolled: false }, { enrolDesk: { problem: { kind: 'enrolmentRefused' } } }),
    come: async (page) => {
      await page.getByLabel('Enrollment code').fill('ABCDE23456');
      await page.keyboard.press('Enter');
    },
    says: "The service doesn't accept this enrollment code.",
  },
  'Sign in: loading': { answers: out({}, { signInInfo: 'silent' }), says: LOADING },
  'Sign in: the service is not there': {
    answers: out({ provider: undefined }, { signInInfo: { problem: { kind: 'offline' } } }),
    says: 'This desk keeps trying',
  },
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
    says: 'You were signed in for 12 hours, the longest allowed.',
  },
  'Sign in: no provider': {
    answers: out({ provider: undefined }),
    says: 'no identity provider',
  },
  'PIN: to be chosen': {
    answers: { status: { value: atDesk(tunde) } },
    says: 'Choose your PIN',
  },
  'PIN: too short': {
    answers: { status: { value: atDesk(tunde) } },
    come: (page) => typePin(page, '12'),
    says: 'The PIN needs 6 digits or more.',
  },
  'PIN: the two differ': {
    answers: { status: { value: atDesk(tunde) } },
    come: async (page) => {
      await typePin(page, '493827');
      await typePin(page, '493828');
    },
    says: 'The two PINs differ.',
  },
  'Lock: four people': { answers: shut(), says: 'PIN of Priya Raman' },
  'Lock: with a patient to return to': {
    answers: shut({ returning: { staffId: priya.staffId, until: '2100-01-01T18:00:00.000Z' } }),
    says: 'You return to the patient you had open',
  },
  'Lock: nobody chosen': {
    answers: shut({ selectedStaffId: undefined, reason: 'switched' }),
    says: 'Choose your name.',
  },
  'Lock: a wrong PIN': {
    answers: shut({}, { unlockSession: { problem: { kind: 'wrongPin', triesLeft: 2 } } }),
    come: (page) => typePin(page, '493827'),
    says: 'Wrong PIN. 2 tries left.',
  },
  'Lock: offline': {
    answers: shut({}, { unlockSession: { problem: { kind: 'offline' } } }),
    come: (page) => typePin(page, '493827'),
    says: "The desk can't be unlocked without the service.",
  },
  'Lock: no PIN': {
    answers: shut({ people: [none, leila] }),
    says: 'Priya Raman has no PIN here yet.',
  },
  'Lock: someone else in the browser': {
    answers: shut({}, { beginSignIn: 'silent' }),
    come: press('Someone else'),
    says: 'Finish in your browser',
  },
  'Lock: a long PIN being typed': {
    answers: shut(),
    come: (page) => page.locator('input[inputmode=numeric]:focus').fill('49382716'),
    says: 'Type your PIN and press Enter',
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
    come: async (page) => {
      await page.getByLabel('Name, DOB, phone, or MRN').waitFor();
      await page.keyboard.press('Control+2');
    },
    says: "Front desk can't open Labs",
  },
  'Refused: emergency allowed': {
    answers: frontDeskEmergencies,
    come: async (page) => {
      await openPerson(page);
      await go('Labs')(page);
    },
    says: "Front desk can't open Labs",
  },
  'Overview: the front desk': {
    answers: frontDeskOverview,
    come: openPerson,
    says: ['(212) 555-0188', 'MEMBER-77', 'Results:'],
    hides: ['Mindfulness'],
  },
  'Emergency: asked': {
    answers: frontDesk,
    come: openEmergency,
    says: 'It lasts 30 minutes',
  },
  'Emergency: no reason chosen': {
    answers: frontDesk,
    come: async (page) => {
      await openEmergency(page);
      await page.getByLabel('What is happening').fill('Nurse line asked when she was awake');
      await page.keyboard.press('Control+Enter');
    },
    says: 'Choose a reason first.',
  },
  'Emergency: too short a reason': {
    answers: frontDesk,
    come: async (page) => {
      await openEmergency(page);
      await page.keyboard.press('Space');
      await page.getByLabel('What is happening').fill('Urgent');
      await page.keyboard.press('Control+Enter');
    },
    says: '14 more letters or digits are needed.',
  },
  'Emergency: the provider asks again': {
    answers: { ...frontDesk, askBreakGlass: 'silent' },
    come: async (page) => {
      await openEmergency(page);
      await page.keyboard.press('Space');
      await page.getByLabel('What is happening').fill('Nurse line asked when she was awake');
      await page.keyboard.press('Control+Enter');
    },
    says: 'Your browser asks you to sign in again',
  },
  'Emergency: refused': {
    answers: { ...frontDesk, askBreakGlass: { problem: { kind: 'signInDenied' } } },
    come: async (page) => {
      await openEmergency(page);
      await page.keyboard.press('Space');
      await page.getByLabel('What is happening').fill('Nurse line asked when she was awake');
      await page.keyboard.press('Control+Enter');
    },
    says: 'The sign-in was cancelled or refused',
  },
  'Emergency: under way': {
    answers: underEmergency,
    come: openPerson,
    says: 'min left',
  },
  'Find: an emergency access is open': {
    answers: underEmergency,
    come: async (page) => {
      await openPerson(page);
      await page.keyboard.press('Control+k');
    },
    says: ['Last screen', 'min left', 'Ends at'],
  },
  ...AUDITOR,
};
