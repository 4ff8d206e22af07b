import { auditor, logState, received } from './people.testing.ts';
import { LOADING } from './desktop.testing.ts';
import { go, press, readHistory } from './people-steps.testing.ts';
import type { PeopleState } from './people-steps.testing.ts';

/** The states of an auditor's screens. */
export const AUDITOR: Readonly<Record<string, PeopleState>> = {
  'Auditor: nobody is chosen': { answers: auditor, says: 'Whose access history?' },
  'Auditor: who saw a person': {
    answers: auditor,
    come: readHistory,
    says: ['printed the insurance, secondary', 'All of it was verified'],
  },
  'Auditor: loading': {
    answers: {
      ...auditor,
      listAuditEvents: 'silent',
      listBreakGlass: 'silent',
      auditLogState: 'silent',
    },
    come: readHistory,
    says: LOADING,
  },
  'Auditor: nothing found': {
    answers: {
      ...auditor,
      listAuditEvents: { value: received({ rows: [] }) },
      listBreakGlass: { value: received({ grants: [] }) },
    },
    come: readHistory,
    says: 'No records in this period',
  },
  'Auditor: an error': {
    answers: {
      ...auditor,
      listAuditEvents: { problem: { kind: 'serverBroken', requestId: 'request-1' } },
      listBreakGlass: { problem: { kind: 'timeout' } },
    },
    come: readHistory,
    says: 'request-1',
  },
  'Auditor: a disclosure report': {
    answers: auditor,
    come: async (page) => {
      await readHistory(page, '11111111-1111-4111-8111-111111111111');
      await press('Print disclosures')(page);
    },
    says: 'Print 1 disclosure',
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
    says: 'Nothing to review',
  },
  'Auditor: the log was changed': {
    answers: {
      ...auditor,
      auditLogState: {
        value: received({
          ...logState,
          accepts_records: false,
          verified_whole: { at: logState.verified.at, intact: false },
        }),
      },
    },
    says: 'Changed or incomplete',
  },
};
