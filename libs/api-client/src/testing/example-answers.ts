import type {
  AuditEventsPage,
  AuditLogState,
  BadgeHolder,
  BreakGlassGrant,
  BreakGlassGranted,
  BreakGlassGrantList,
  DeskEventRecorded,
  DisclosureList,
  EnrolledDesk,
  Me,
  Session,
  SignInInfo,
} from '@caregate/domain';
import {
  OPERATION_NAMES,
  READ_OPERATIONS,
  type AnswerOf,
  type OperationName,
} from '@caregate/domain/operations';
import { schemas, type JsonSchema } from '@caregate/domain/schema';

/** The response of each operation: JSON, text, or undefined for status 204. */
export interface Answers extends ReadAnswers {
  readonly signInInfo: SignInInfo;
  readonly enrolDesk: EnrolledDesk;
  readonly offerDeskKey: undefined;
  readonly beginSession: Session;
  readonly readBadge: BadgeHolder;
  readonly renewSession: Session;
  readonly lockSession: undefined;
  readonly unlockSession: Session;
  readonly setPin: undefined;
  readonly endSession: undefined;
  readonly me: Me;
  readonly askBreakGlass: BreakGlassGranted;
  readonly listBreakGlass: BreakGlassGrantList;
  readonly reviewBreakGlass: BreakGlassGrant;
  readonly endBreakGlass: undefined;
  readonly listAuditEvents: AuditEventsPage;
  readonly listAuditAlarms: AuditEventsPage;
  readonly listDisclosures: DisclosureList;
  readonly recordDeskEvent: DeskEventRecorded;
  readonly exportAuditEvents: string;
  readonly auditLogState: AuditLogState;
  readonly auditCheckpoint: string;
  readonly auditKey: string;
}

type ReadAnswers = { readonly [Name in OperationName]: AnswerOf<Name> };

const READS = Object.fromEntries(
  OPERATION_NAMES.map((name) => {
    const { examples }: JsonSchema = schemas[READ_OPERATIONS[name].answer];
    return [name, examples?.[0]];
  }),
) as unknown as ReadAnswers;

const teamId = '5b1de2f4-0c77-4d0e-9c1a-2f6b8e3a7d10';
const userId = '7f6f6c44-36b1-4b4b-9d2c-0d2f1a3b5c7d';
const staffId = '6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b';
const deskId = '3bbcee75-cecc-4b56-9031-b6641c1ed1f1';
const sessionId = 'b3f1c2d4-5e6f-4a7b-8c9d-0e1f2a3b4c5d';
const breakGlassId = '0f8fad5b-d9cb-469f-a165-70867728950e';
const recordId = '4f2a9c1e7b3d5a60918273645afbec0d';
const logId = '0a1b2c3d4e5f';

const actor = {
  type: 'staff',
  id: staffId,
  name: 'Noor Haddad',
  role: 'clinician',
} as const;

const session: Session = {
  session_id: sessionId,
  expires_at: '2026-03-04T09:15:00+00:00',
  ends_at: '2026-03-04T20:00:00+00:00',
  pin_set: true,
  staff: { staff_id: staffId, name: 'Noor Haddad', role: 'clinician', team_id: teamId },
  desk: { desk_id: deskId, name: 'Front desk 2' },
};

const grant: BreakGlassGrant = {
  break_glass_id: breakGlassId,
  team_id: teamId,
  staff_id: staffId,
  staff_name: 'Noor Haddad',
  role: 'clinician',
  user_id: userId,
  reason_code: 'emergency_treatment',
  text: 'Unconscious at the front desk',
  granted_at: '2026-03-04T08:00:00+00:00',
  expires_at: '2026-03-04T08:30:00+00:00',
  review_due_at: '2026-03-07T08:00:00+00:00',
  overdue: false,
};

const events: AuditEventsPage = {
  log_id: logId,
  events: [
    {
      record_id: recordId,
      log_id: logId,
      salt: '00112233445566778899aabbccddeeff',
      patients: [userId],
      occurred_at: '2026-03-04T08:05:00+00:00',
      actor,
      session_id: sessionId,
      device: { id: deskId, name: 'Front desk 2' },
      body: { operation: 'labOrderResult', decision: 'allowed' },
    },
  ],
  next_cursor: null,
};

const checkpoint = `caregate/${logId}\n18\nT3lYb2p3V2lYQ2lYb2p3V2lYQ2lYb2p3V2lYQ2lYb2o=\n`;

/**
 * A valid response of each operation, all about one fictional patient. Replace the fields that your test is about:
 *
 * @example
 * const user = { ...EXAMPLE_ANSWERS.resolveUser, client_user_id: 'patient-18' };
 */
export const EXAMPLE_ANSWERS: Answers = {
  ...READS,
  signInInfo: {
    clinic_name: 'Example Clinic',
    provider: null,
    pin: { min: 6, max: 12 },
    desk_interface: 1,
    oldest_desk_interface: 1,
    lock_minutes: 5,
    session_hours: 12,
  },
  enrolDesk: { desk_id: deskId, name: 'Front desk 2', team_id: teamId },
  offerDeskKey: undefined,
  beginSession: { ...session, session: 'example-session-token' },
  readBadge: { staff_id: staffId, name: 'Noor Haddad' },
  renewSession: session,
  lockSession: undefined,
  unlockSession: session,
  setPin: undefined,
  endSession: undefined,
  me: {
    kind: 'staff',
    name: 'Noor Haddad',
    role: 'clinician',
    team_id: teamId,
    staff_id: staffId,
    desk: session.desk,
    permissions: { resolveUser: true, labOrderResult: true },
  },
  askBreakGlass: {
    break_glass_id: breakGlassId,
    user_id: userId,
    expires_at: '2026-03-04T08:30:00+00:00',
  },
  listBreakGlass: { grants: [grant], next_cursor: null },
  reviewBreakGlass: {
    ...grant,
    reviewed_at: '2026-03-05T10:00:00+00:00',
    reviewed_by_name: 'Ines Moreau',
    outcome: 'justified',
    note: '',
  },
  endBreakGlass: undefined,
  listAuditEvents: events,
  listAuditAlarms: { ...events, events: [] },
  listDisclosures: {
    user_id: userId,
    disclosures: [
      {
        record_id: recordId,
        occurred_at: '2026-03-04T08:05:00+00:00',
        actor,
        session_id: sessionId,
        desk: { desk_id: deskId, name: 'Front desk 2' },
        operation: 'labOrderResult',
        how: 'read',
        masked: false,
        outcome: 'allowed',
      },
    ],
    next_cursor: null,
  },
  recordDeskEvent: { record_id: recordId },
  exportAuditEvents: 'record_id,occurred_at,operation\r\n',
  auditLogState: {
    log_id: logId,
    verifier_key: `caregate/${logId}+c74f20a3+AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=`,
    accepts_records: true,
    opened_at: '2026-01-01T00:00:00+00:00',
    checkpoint: {
      size: 18,
      root: 'T3lYb2p3V2lYQ2lYb2p3V2lYQ2lYb2p3V2lYQ2lYb2o=',
      note: checkpoint,
      at: '2026-03-04T08:05:00+00:00',
    },
    verified: { at: '2026-03-04T08:05:00+00:00', from: 0, to: 18, consistent: true },
  },
  auditCheckpoint: checkpoint,
  auditKey: `caregate/${logId}+c74f20a3+AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=\n`,
};
