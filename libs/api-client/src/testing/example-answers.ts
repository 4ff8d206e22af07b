import type {
  AuditEventsPage,
  AuditLogState,
  BadgeHolder,
  BiomarkerResult,
  BreakGlassGrant,
  BreakGlassGranted,
  BreakGlassGrantList,
  DeskEventRecorded,
  DisclosureList,
  EnrolledDesk,
  FoundPeople,
  GroupedMindfulnessMinutes,
  Insurance,
  LabOrderResult,
  Me,
  Order,
  OrderHistory,
  OrderList,
  Session,
  SignInInfo,
  User,
  UserInfo,
  UserList,
} from '@caregate/domain';

/** What each operation answers: JSON, a text, or undefined for status 204. */
export interface Answers {
  readonly listUsers: UserList;
  readonly resolveUser: User;
  readonly userInfo: UserInfo;
  readonly latestInsurance: Insurance;
  readonly labOrderResult: LabOrderResult;
  readonly mindfulnessMinutes: GroupedMindfulnessMinutes;
  readonly listOrders: OrderList;
  readonly orderHistory: OrderHistory;
  readonly searchPeople: FoundPeople;
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

const teamId = '5b1de2f4-0c77-4d0e-9c1a-2f6b8e3a7d10';
const userId = '7f6f6c44-36b1-4b4b-9d2c-0d2f1a3b5c7d';
const orderId = '9e107d9d-372b-4b68-a1f5-b5a5c1d0e8f2';
const earlierOrderId = '2c5ea4c0-4067-41e9-8bad-9b1deb4d3b7d';
const transactionId = '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed';
const staffId = '6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b';
const deskId = '3bbcee75-cecc-4b56-9031-b6641c1ed1f1';
const sessionId = 'b3f1c2d4-5e6f-4a7b-8c9d-0e1f2a3b4c5d';
const breakGlassId = '0f8fad5b-d9cb-469f-a165-70867728950e';
const recordId = '4f2a9c1e7b3d5a60918273645afbec0d';
const logId = '0a1b2c3d4e5f';

const user: User = {
  user_id: userId,
  team_id: teamId,
  client_user_id: 'patient-17',
  created_on: '2026-01-12T09:30:00+00:00',
  connected_sources: [
    {
      created_on: '2026-01-12T09:41:00+00:00',
      source: { logo: 'https://example.com/logos/oura.png', name: 'Oura', slug: 'oura' },
    },
  ],
  fallback_time_zone: {
    id: 'America/New_York',
    source_slug: 'oura',
    updated_at: '2026-01-12T09:41:00+00:00',
  },
  fallback_birth_date: {
    value: '1988-06-04',
    source_slug: 'oura',
    updated_at: '2026-01-12T09:41:00+00:00',
  },
  ingestion_start: null,
  ingestion_end: null,
};

const glucose: BiomarkerResult = {
  name: 'Glucose',
  slug: 'glucose',
  value: 92,
  result: '92',
  type: 'numeric',
  unit: 'mg/dL',
  timestamp: '2026-03-02T14:10:00+00:00',
  notes: null,
  min_range_value: 70,
  max_range_value: 99,
  is_above_max_range: false,
  is_below_min_range: false,
  interpretation: 'normal',
  loinc: '2345-7',
  loinc_slug: 'glucose-serum-plasma',
  provider_id: '001032',
  source_markers: [],
};

const result: LabOrderResult = {
  metadata: {
    age: 37,
    dob: '04/06/1988',
    clia_number: '05D1234567',
    patient: 'Amara Okonkwo',
    provider: 'Dr. Lena Fischer',
    laboratory: 'Example Laboratory',
    date_reported: '2026-03-03',
    date_collected: '2026-03-01',
    date_received: '2026-03-02',
    specimen_number: '0613-00217',
    status: 'final',
    interpretation: 'normal',
  },
  results: [glucose],
  missing_results: null,
  order_transaction: {
    id: transactionId,
    status: 'completed',
    orders: [
      {
        id: orderId,
        created_at: '2026-03-01T08:00:00+00:00',
        updated_at: '2026-03-03T16:20:00+00:00',
        low_level_status: 'completed',
        low_level_status_created_at: '2026-03-03T16:20:00+00:00',
        origin: 'initial',
      },
    ],
  },
};

const order: Order = {
  id: orderId,
  team_id: teamId,
  user_id: userId,
  patient_name: 'Amara Okonkwo',
  patient_details: {
    first_name: 'Amara',
    last_name: 'Okonkwo',
    dob: '1988-06-04',
    gender: 'female',
    phone_number: '+14155550123',
    email: 'amara@example.org',
  },
  lab_test: { name: 'Metabolic panel', slug: 'metabolic-panel', method: 'walk_in_test' },
  created_at: '2026-03-01T08:00:00+00:00',
  updated_at: '2026-03-03T16:20:00+00:00',
  status: 'completed',
  last_event: {
    id: 3,
    created_at: '2026-03-03T16:20:00+00:00',
    status: 'completed.walk_in_test.completed',
  },
  interpretation: 'normal',
  has_missing_results: false,
  origin: 'initial',
};

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
 * A valid answer of each operation, all of one invented patient. Change what your test is about:
 *
 * @example
 * const user = { ...EXAMPLE_ANSWERS.resolveUser, client_user_id: 'patient-18' };
 */
export const EXAMPLE_ANSWERS: Answers = {
  listUsers: { users: [user], total: 1, offset: 0, limit: 100 },
  resolveUser: user,
  userInfo: {
    first_name: 'Amara',
    last_name: 'Okonkwo',
    email: 'amara@example.org',
    phone_number: '+14155550123',
    gender: 'female',
    dob: '1988-06-04',
    address: {
      first_line: '12 Elm Street',
      second_line: null,
      zip: '94107',
      city: 'San Francisco',
      state: 'CA',
      country: 'US',
    },
  },
  latestInsurance: {
    payor_code: 'AETNA',
    member_id: 'W123456789',
    group_id: 'G-4410',
    relationship: 'Self',
    insured: {
      first_name: 'Amara',
      last_name: 'Okonkwo',
      email: 'amara@example.org',
      phone_number: '+14155550123',
      gender: 'female',
      dob: '1988-06-04',
      address: {
        first_line: '12 Elm Street',
        second_line: null,
        zip_code: '94107',
        state: 'CA',
        city: 'San Francisco',
      },
    },
  },
  labOrderResult: result,
  mindfulnessMinutes: {
    groups: {
      oura: [
        {
          data: [
            {
              start: '2026-03-02T07:02:00-05:00',
              end: '2026-03-02T07:14:30-05:00',
              unit: 'min',
              value: 12.5,
            },
          ],
          source: { provider: 'oura', type: 'ring' },
        },
      ],
    },
    next_cursor: null,
  },
  listOrders: { orders: [order], total: 1, page: 1, size: 50 },
  orderHistory: {
    order_id: orderId,
    biomarkers: [
      {
        place: 0,
        name: 'Glucose',
        slug: 'glucose',
        loinc: '2345-7',
        unit: 'mg/dL',
        earlier: [
          {
            order_id: earlierOrderId,
            date: '2025-09-10',
            measured: { ...glucose, value: 97, result: '97' },
          },
        ],
      },
    ],
    replaced: null,
    left_out: 0,
  },
  searchPeople: {
    people: [
      {
        user_id: userId,
        client_user_id: 'patient-17',
        name: 'Amara Okonkwo',
        name_source: 'info',
        birth_date: '1988-06-04',
        birth_date_source: 'info',
        matched: 'name',
        matched_name: 'Amara Okonkwo',
      },
    ],
    searched: 'people',
    total: 1,
    more: false,
  },
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
