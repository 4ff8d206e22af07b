import type { ImportEnvelope, LabOrderResult } from '@caregate/domain';
import { sampleEnvelopes, sampleTeamId as teamId } from '@caregate/sample-data';
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { RecordIds } from '../audit/record-ids.ts';
import { getStoreFile } from '@caregate/data-store';
import { testService, type TestService } from '../testing/service.testing.ts';
import type { Role, RouteName } from './operations.ts';
import type { ServiceConfig } from '../config/service-config.ts';
import type { AuditEntry } from '../audit/audit-record.ts';

export interface Dearest {
  readonly role: Role;
  readonly path: string;
  /** A POST with this body; otherwise a GET. */
  readonly body?: (clinic: Clinic) => object;
}

export interface Clinic {
  readonly service: TestService;
  readonly keys: Readonly<Record<Role, string>>;
  /** Audit record IDs of lists of 500 people, and of reads of one person. */
  readonly lists: readonly string[];
  readonly reads: readonly string[];
}

const get = (role: Role, path: string): Dearest => ({ role, path });

const envelopes = [...sampleEnvelopes({ users: 520, mindfulnessDays: 2 })];
const lab = envelopes.find((one) => one.kind === 'lab_result') ?? raise();
const { user_id: userId, order_id: orderId } = lab;
const text = 'x'.repeat(2000);
const junk = Array.from({ length: 1400 }, (_, at) => `q${at.toString(36)}`).join('&');

/** The most expensive requests that a caller may send to a list, a search or an export. */
export const DEAREST: Readonly<Partial<Record<RouteName, readonly Dearest[]>>> = {
  resolveUser: [
    get('clinician', `/v2/user/resolve/${'x'.repeat(900)}`),
    get('auditor', `/v2/user/resolve/a?${junk}`),
  ],
  listUsers: [
    get('clinician', '/v2/user?limit=500&offset=100'),
    get('front_desk', '/v2/user?limit=500'),
    get('auditor', `/v2/user/?${junk}`),
  ],
  mindfulnessMinutes: [
    get('clinician', `/v2/timeseries/${userId}/mindfulness_minutes/grouped?start_date=2020-01-01`),
  ],
  listOrders: [
    ...['created_at', 'patient_name', 'last_status'].map((key) =>
      get('clinician', `/v3/orders?size=100&order_key=${key}&order_direction=desc&page=100`),
    ),
    get('clinician', '/v3/orders?size=100&order_key=patient_name&status=completed&status=lost'),
    get('clinician', '/v3/orders?size=100&order_key=last_status&patient_name=a'),
    get('clinician', '/v3/orders?size=100&order_key=patient_name&search_input=ar'),
    get('clinician', '/v3/orders?size=100&interpretation=none&updated_start_date=2020-01-01'),
    get('clinician', `/v3/orders?${'status=lost&'.repeat(100)}size=100`),
  ],
  orderHistory: [get('clinician', `/desk/orders/${orderId}/history`)],
  searchPeople: ['mar', 'mari ann', 'ann 1985', '555', 'mar ann son ing ela'].map(
    (words): Dearest => ({
      ...{ role: 'clinician', path: '/desk/people/search' },
      body: () => ({ text: words, limit: 20 }),
    }),
  ),
  searchPatients: [
    get('clinician', '/fhir/r4/Patient?_count=200'),
    get('front_desk', '/fhir/r4/Patient?_count=200&_lastUpdated=gt2020'),
    get('clinician', '/fhir/r4/Patient?_count=0&_lastUpdated=gt2020'),
    get('clinician', '/fhir/r4/Patient?name=mari%20ann'),
    get('clinician', `/fhir/r4/Patient?_id=${`${userId},`.repeat(49)}x`),
  ],
  searchCoverages: [get('clinician', `/fhir/r4/Coverage?patient=${userId}`)],
  searchServiceRequests: [get('clinician', `/fhir/r4/ServiceRequest?patient=${userId}&_count=200`)],
  searchDiagnosticReports: [
    get('clinician', `/fhir/r4/DiagnosticReport?patient=${userId}&_count=200`),
  ],
  searchObservations: [
    get('clinician', `/fhir/r4/Observation?patient=${userId}&_count=200`),
    get('clinician', `/fhir/r4/Observation?patient=${userId}&_count=0`),
    get('clinician', `/fhir/r4/Observation?patient=${userId}&code=${'a|b,'.repeat(49)}c`),
  ],
  listBreakGlass: [
    get('auditor', '/access/break-glass'),
    get('auditor', '/access/break-glass?state=all'),
  ],
  listAuditEvents: [
    get('auditor', '/audit/events'),
    get('auditor', '/audit/events?operation=listUsers'),
    get('auditor', `/audit/events?patient=${userId}`),
    get('auditor', '/audit/events?operation=none'),
  ],
  listAuditAlarms: [get('auditor', '/audit/alarms')],
  exportAuditEvents: [
    get('auditor', '/audit/export?format=csv&operation=listUsers&limit=5000'),
    get('auditor', '/audit/export?format=fhir&operation=listUsers&limit=5000'),
  ],
  listDisclosures: [get('auditor', `/audit/patients/${userId}/disclosures?limit=500`)],
  recordDeskEvent: [
    ({ reads: [id = ''] }: Clinic) => Array.from({ length: 200 }, () => id),
    ({ reads }: Clinic) => reads.slice(0, 200),
    ({ lists }: Clinic) => lists.slice(0, 10),
  ].map((idsOf): Dearest => ({
    ...{ role: 'clinician', path: '/audit/desk-events' },
    body: (clinic) => ({ kind: 'print', document: 'screen', record_ids: idsOf(clinic) }),
  })),
  auditLogState: [get('auditor', '/audit/log')],
  auditProof: [get('auditor', '/audit/proof?seq=1'), get('auditor', '/audit/proof?from=1')],
};

/** Opens a service with 20,000 orders in one team, 60 reports of one person, and many lists in the audit log. */
export async function openClinic(config: Partial<ServiceConfig> = {}): Promise<Clinic> {
  const service = await testService([...envelopes, ...manyReports()], { config });
  const roles: readonly Role[] = ['clinician', 'front_desk', 'billing', 'auditor'];
  const entries = await Promise.all(
    roles.map(async (role) => [role, await service.key(teamId, role)] as const),
  );
  const keys = Object.fromEntries(entries) as Record<Role, string>;
  multiplyOrders(service.folder, 20_000);
  const userIds = envelopes.flatMap((one) => (one.kind === 'user' ? one.user.user_id : []));
  const entry: AuditEntry = {
    ...{ team_id: teamId, actor_type: 'key', actor_id: 'reader', role: 'clinician' },
    ...{ key_id: 'reader', operation: 'listUsers', data_category: 'user', http_status: 200 },
    ...{ record_count: 500, request_id: randomUUID(), client_ip: '127.0.0.1' },
    details: { limit: 500, offset: 100 },
  };
  const ids = service.app.get(RecordIds, { strict: false });
  const recorded = async (patients: readonly string[]): Promise<string[]> => {
    const receipts = Array.from({ length: 500 }, () =>
      service.audit.record({ ...entry, patients }),
    );
    return (await Promise.all(receipts)).map((receipt) => ids.encrypt(receipt));
  };
  const lists = await recorded([userId, ...userIds.slice(0, 499)]);
  const reads = await recorded([userId]);
  for (let number = 0; number < 120; number += 1) {
    const label = `Ward ${number}`;
    const key = number % 20 === 0 ? await createKey(service, label) : keys.front_desk;
    const body = { reason_code: 'other', text, user_id: randomUUID() };
    await service.post('/access/break-glass', key, body);
  }
  return { service, keys, lists, reads };
}

async function createKey({ access }: TestService, label: string): Promise<string> {
  return (await access.keys.create({ teamId, role: 'front_desk', label })).key;
}

/** Generates 60 more reports of one person, with 100 biomarkers each. */
function* manyReports(): Generator<ImportEnvelope> {
  const results = lab.result.results.slice(0, 1).flatMap((first) =>
    Array.from({ length: 100 }, (_, at) => ({
      ...first,
      ...{ slug: `marker-${at}`, name: `Marker ${at}`, loinc: `${at}-1` },
    })),
  );
  for (let number = 0; number < 60; number += 1) {
    const day = `2025-0${1 + (number % 9)}-1${number % 10}`;
    const metadata = { ...lab.result.metadata, date_collected: day };
    const result: LabOrderResult = { ...lab.result, metadata, results };
    yield { ...lab, order_id: randomUUID(), result };
  }
  yield { ...lab, result: { ...lab.result, results } };
}

function multiplyOrders(folder: string, most: number): void {
  const db = new DatabaseSync(getStoreFile(folder));
  db.prepare(
    `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ?)
      insert into orders select team_id, randomblob(16), user_id, created_us + n, updated_us,
        low_level_status, interpretation, patient_key, birth_dates, person, changed_in, body
      from orders, numbers limit ?`,
  ).run(most, most);
  db.exec(
    'update order_totals set total = (select count(*) from orders o where o.team_id = order_totals.team_id)',
  );
  db.close();
}

function raise(): never {
  throw new Error('The sample has no result');
}
