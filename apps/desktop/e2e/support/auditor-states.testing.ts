import { auditor, logState, received } from './people.testing.ts';
import { LOADING } from './desktop.testing.ts';
import { go, press } from './people-steps.testing.ts';
import type { PeopleState } from './people-steps.testing.ts';

/** The auditor's desk in each of its states. */
export const AUDITOR: Readonly<Record<string, PeopleState>> = {
  'Auditor: who saw a person': {
    answers: auditor,
    says: ['printed the insurance, secondary', 'All of it was verified'],
  },
  'Auditor: loading': {
    answers: {
      ...auditor,
      listAuditEvents: 'silent',
      listBreakGlass: 'silent',
      auditLogState: 'silent',
    },
    says: LOADING,
  },
  'Auditor: nothing found': {
    answers: {
      ...auditor,
      listAuditEvents: { value: received({ rows: [] }) },
      listBreakGlass: { value: received({ grants: [] }) },
    },
    says: 'No records in this period',
  },
  'Auditor: an error': {
    answers: {
      ...auditor,
      listAuditEvents: { problem: { kind: 'serverBroken', requestId: 'request-1' } },
      listBreakGlass: { problem: { kind: 'timeout' } },
    },
    says: 'request-1',
  },
  'Auditor: refused': {
    answers: { ...auditor, listAuditEvents: { problem: { kind: 'forbidden' } } },
    says: "Your role can't open this.",
  },
  'Auditor: offline': {
    answers: { ...auditor, listAuditEvents: { problem: { kind: 'offline' } } },
    says: "The service can't be reached.",
  },
  'Auditor: a disclosure report': {
    answers: auditor,
    come: async (page) => {
      await page
        .getByLabel('MRN, user ID, or audit number')
        .fill('11111111-1111-4111-8111-111111111111');
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
  'Auditor: the review queue': {
    answers: auditor,
    come: go('Emergency access'),
    says: 'h overdue',
  },
  'Auditor: not justified, without a note': {
    answers: auditor,
    come: async (page) => {
      await go('Emergency access')(page);
      await page.getByRole('button', { name: 'Not justified…' }).first().click();
      await page.getByLabel('Why not').waitFor();
      await page.keyboard.press('Enter');
    },
    says: 'First write why not.',
  },
  'Auditor: nothing to review': {
    answers: {
      ...auditor,
      listBreakGlass: { value: received({ grants: [] }) },
    },
    come: go('Emergency access'),
    says: 'Each emergency access appears here at once.',
  },
  'Auditor: alarms': { answers: auditor, come: go('Alarms'), says: '1204' },
  'Auditor: no alarms': {
    answers: {
      ...auditor,
      listAuditAlarms: { value: received({ rows: [] }) },
    },
    come: go('Alarms'),
    says: 'No alarms',
  },
  'Auditor: the log': { answers: auditor, come: go('Log'), says: 'Complete and unchanged' },
  'Auditor: a record that was copied': {
    answers: auditor,
    come: press('Copy record id'),
    says: 'Copied; cleared',
  },
  'Auditor: the log was changed': {
    answers: {
      ...auditor,
      auditLogState: {
        value: {
          ...logState,
          acceptsRecords: false,
          whole: { at: logState.checkedAt, intact: false },
        },
      },
    },
    come: go('Log'),
    says: 'Changed or incomplete',
  },
};
