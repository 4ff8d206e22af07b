import type { AuditLogState, BreakGlassGrant } from '@caregate/domain';
import type { AuditRow } from '../../src/shared/audit.ts';
import type { Status } from '../../src/shared/app-state.ts';
import type { Me, Person } from '../../src/shared/people.ts';
import type { Answers } from './stand-ins.testing.ts';
import { insurance, orderId, person as user, userInfo } from './answers.testing.ts';
import { listOf, ordersWith } from './orders.testing.ts';

const endsAt = '2100-01-01T18:00:00.000Z';

export const priya: Person = {
  staffId: '0e4f7c1a-0001-4000-8000-000000000001',
  name: 'Priya Raman',
  role: 'front_desk',
  pinSet: true,
  endsAt,
};
export const leila: Person = {
  staffId: '0e4f7c1a-0002-4000-8000-000000000002',
  name: 'Dr. Leila Haddad',
  role: 'clinician',
  pinSet: true,
  endsAt,
};
export const tunde: Person = {
  staffId: '0e4f7c1a-0003-4000-8000-000000000003',
  name: 'Tunde Oyelaran',
  role: 'billing',
  pinSet: false,
  endsAt,
};
export const marek: Person = {
  staffId: '0e4f7c1a-0004-4000-8000-000000000004',
  name: 'Marek Dvořák',
  role: 'auditor',
  pinSet: true,
  endsAt,
};
const everybody: readonly Person[] = [priya, leila, tunde, marek];

/** A desk of a clinic with a provider, before the first sign-in. */
export const enrolled: Status = {
  phase: 'signedOut',
  address: 'https://caregate.harbourside.example',
  clinicName: 'Harbourside Clinic',
  deskName: 'Desk 1',
  enrolled: true,
  provider: { name: 'Harbourside ID' },
  pin: { min: 6, max: 12 },
  people: [],
  signingIn: false,
};

export const locked: Status = {
  ...enrolled,
  phase: 'locked',
  reason: 'idle',
  people: [...everybody],
  selectedStaffId: priya.staffId,
};

export const atDesk = (person: Person): Status => ({
  ...enrolled,
  phase: 'signedIn',
  people: [...everybody],
  current: person.staffId,
});

const reads = [
  'listUsers',
  'resolveUser',
  'latestInsurance',
  'labOrderResult',
  'mindfulnessMinutes',
];
const audits = ['listAuditEvents', 'listBreakGlass', 'auditCheckpoint'];

const meAs = (
  { name, role }: Person,
  not: Readonly<Record<string, 'no' | 'emergency'>> = {},
): Me => ({
  name,
  role,
  permissions: [
    ...reads.map((operation) => ({
      operation,
      may: role === 'auditor' ? ('no' as const) : (not[operation] ?? ('yes' as const)),
    })),
    ...audits.map((operation) => ({
      operation,
      may: role === 'auditor' ? ('yes' as const) : ('no' as const),
    })),
  ],
});

const receivedAt = '2026-11-22T09:46:00.000Z';
export const received = <T>(value: T): { value: T; receivedAt: string } => ({ value, receivedAt });

/** A desk of the front desk with the default role. */
export const frontDesk: Answers = {
  status: { value: atDesk(priya) },
  me: {
    value: received(meAs(priya, { labOrderResult: 'no', mindfulnessMinutes: 'emergency' })),
  },
  listUsers: {
    value: received({ users: [user as never], total: 1, offset: 0, limit: 200 }),
  },
  resolveUser: { value: received(user as never) },
};

/** A front desk that can open lab reports by emergency access. */
export const frontDeskEmergencies: Answers = {
  ...frontDesk,
  me: {
    value: received(meAs(priya, { labOrderResult: 'emergency', mindfulnessMinutes: 'emergency' })),
  },
};
/** A front desk with a patient who has all kinds of data. */
export const frontDeskOverview: Answers = {
  ...frontDesk,
  me: { value: received(meAs(priya, { mindfulnessMinutes: 'emergency' })) },
  userInfo: { value: received(userInfo as never) },
  latestInsurance: { value: received(insurance as never) },
  listOrders: { value: received(listOf(ordersWith(orderId)) as never) },
};

const mine = '11111111-1111-4111-8111-111111111111';
const row = (
  place: number,
  at: string,
  who: Person | undefined,
  more: Partial<AuditRow>,
): AuditRow => ({
  recordId: `c0ffee00${String(place).padStart(24, '0')}`,
  occurredAt: at,
  actor:
    who === undefined
      ? { type: 'key', id: '7Hq2LmPzR4sT', name: 'Lab connection', role: 'integration' }
      : { type: 'staff', id: who.staffId, name: who.name, role: who.role },
  ...(who !== undefined && { desk: 'Desk 1' }),
  operation: 'latestInsurance',
  decision: 'allowed',
  emergency: false,
  patients: [mine],
  details: [],
  ...more,
});

export const rows: AuditRow[] = [
  row(9, '2026-11-22T09:44:06.000Z', priya, {
    operation: 'recordDeskEvent',
    details: Object.entries({ kind: 'print', document: 'insurance', is_primary: 'false' }).map(
      ([name, value]) => ({ name, value }),
    ),
  }),
  row(8, '2026-11-22T09:41:52.000Z', priya, {}),
  row(7, '2026-11-22T09:41:31.000Z', priya, { operation: 'resolveUser' }),
  row(6, '2026-11-22T09:30:15.000Z', leila, { operation: 'labOrderResult' }),
  row(5, '2026-11-22T03:14:40.000Z', priya, {
    operation: 'mindfulnessMinutes',
    emergency: true,
    breakGlassId: 'glass-1',
  }),
  row(4, '2026-11-22T03:13:58.000Z', priya, {
    operation: 'askBreakGlass',
    emergency: true,
    breakGlassId: 'glass-1',
  }),
  row(3, '2026-11-22T03:13:10.000Z', priya, {
    operation: 'mindfulnessMinutes',
    decision: 'denied',
    patients: [],
  }),
  row(2, '2026-11-12T16:20:11.000Z', tunde, {
    operation: 'readDiagnosticReport',
    decision: 'denied',
    patients: [],
  }),
  row(1, '2026-11-09T13:41:09.000Z', undefined, { operation: 'labOrderResult' }),
  row(0, '2026-11-09T13:40:00.000Z', undefined, { operation: 'weighParcel', decision: 'failed' }),
];

const grants: BreakGlassGrant[] = [
  {
    ...{ break_glass_id: 'glass-1', team_id: mine, user_id: mine },
    ...{ staff_name: 'Priya Raman', role: 'front_desk' },
    reason_code: 'threat_to_health_or_safety',
    text: 'Nurse line asked when she was last awake; no clinician on duty.',
    granted_at: '2026-11-22T03:13:58.000Z',
    expires_at: '2026-11-22T03:43:58.000Z',
    review_due_at: new Date(Date.now() + 64.5 * 3_600_000).toISOString(),
    overdue: false,
  },
  {
    ...{ break_glass_id: 'glass-2', team_id: mine },
    user_id: '33333333-3333-4333-8333-333333333333',
    ...{ staff_name: 'Tunde Oyelaran', role: 'billing' },
    reason_code: 'emergency_treatment',
    text: 'Ambulance crew asked for potassium, no clinician in the house.',
    granted_at: '2026-11-18T03:13:58.000Z',
    expires_at: '2026-11-18T03:43:58.000Z',
    review_due_at: '2026-11-21T03:13:58.000Z',
    overdue: true,
  },
];

export const logState: AuditLogState = {
  ...{ log_id: 'a1b2c3d4e5f6', verifier_key: 'caregate+1+key' },
  opened_at: '2026-11-22T03:00:00.000Z',
  accepts_records: true,
  checkpoint: { size: 48_214, root: 'cm9vdA==', note: 'caregate/log\n48214\n' },
  verified: { at: '2026-11-22T09:46:00.000Z', from: 48_100, to: 48_214, consistent: true },
  verified_whole: { at: '2026-11-22T03:00:00.000Z', intact: true },
};

/** An auditor's desk with all kinds of data. */
export const auditor: Answers = {
  status: { value: atDesk(marek) },
  me: { value: received(meAs(marek)) },
  listAuditEvents: { value: received({ userId: mine, rows, nextCursor: 'next' }) },
  listBreakGlass: { value: received({ grants }) },
  reviewBreakGlass: { value: {} },
  auditLogState: { value: received(logState) },
  listDisclosures: {
    value: received({
      user_id: mine,
      disclosures: [
        {
          record_id: rows[1]!.recordId,
          occurred_at: '2026-11-22T09:41:52.000Z',
          actor: { type: 'staff', id: priya.staffId, name: priya.name, role: priya.role },
          desk: { desk_id: 'd-1', name: 'Desk 1' },
          operation: 'latestInsurance',
          how: 'read',
          masked: false,
          why: 'Administration',
          outcome: 'allowed',
        },
      ],
    }),
  },
  exportAuditEvents: { value: { saved: true, records: 10 } },
};
