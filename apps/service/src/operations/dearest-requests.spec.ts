import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AuditEntry } from '@caregate/audit-log';
import type { ImportEnvelope, LabOrderResult } from '@caregate/domain';
import { sampleEnvelopes, sampleTeamId as teamId } from '@caregate/sample-data';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { signedIn, type SignedIn } from '../access/sessions/signed-in.testing.ts';
import { RecordIds } from '../audit/record-ids.ts';
import { storeFile } from '../source/store/open-store.ts';
import { testService, type Answer, type TestService } from '../testing/service.testing.ts';
import type { OperationName } from './operations.ts';
import { OPERATION_NAMES } from './operations.ts';
import type { Role } from './roles.ts';

const MOST_MS = 20;
const MOST_MIB = 64;
/** What {@link reference} takes on the machine for which these are meant; a slower one may take longer in proportion. */
const REFERENCE_MS = 15;
/** A thread's time is counted in steps of 4 ms here and there: of so many at once. */
const TRIES = 4;
/** The cheapest of these counts: the first warms up, and what else runs on the machine makes some of them dearer. */
const ROUNDS = 2;

/** One request. The number is another for each try. */
type Dearest = (clinic: Clinic, number: number) => Promise<Answer>;

/** Made in turns, and one at a time for each caller: no turn is longer. */
const IN_TURNS: readonly OperationName[] = ['listDisclosures'];

interface Clinic {
  readonly service: TestService;
  readonly keys: Readonly<Record<Role, string>>;
  /** One for each try. */
  readonly people: readonly SignedIn[];
  readonly grants: readonly string[];
  /** Ids of the records of lists of 500 people, and of reads of one. */
  readonly lists: readonly string[];
  readonly reads: readonly string[];
}

const get =
  (role: Role, path: string, headers?: Record<string, string>): Dearest =>
  ({ service, keys }) =>
    service.get(path, keys[role], headers);

const envelopes = [...sampleEnvelopes({ users: 520, mindfulnessDays: 2 })];
const lab = envelopes.find((one) => one.kind === 'lab_result')!;
const { user_id: userId, order_id: orderId } = lab;
const pin = '271828';
const text = 'x'.repeat(2000);
const junk = Array.from({ length: 1400 }, (_, at) => `q${at.toString(36)}`).join('&');

/** What costs the service most of all that a caller may ask of a route. A new route does not compile, and fails, without. */
const DEAREST: Readonly<Record<OperationName, readonly Dearest[]>> = {
  resolveUser: [
    get('clinician', `/v2/user/resolve/${'x'.repeat(900)}`),
    get('auditor', `/v2/user/resolve/a?${junk}`),
  ],
  listUsers: [
    get('clinician', '/v2/user?limit=500&offset=100'),
    get('front_desk', '/v2/user?limit=500'),
    get('auditor', `/v2/user/?${junk}`),
  ],
  latestInsurance: [get('clinician', `/v2/user/${userId}/insurance/latest`)],
  labOrderResult: [get('clinician', `/v3/order/${orderId}/result`)],
  mindfulnessMinutes: [
    get('clinician', `/v2/timeseries/${userId}/mindfulness_minutes/grouped?start_date=2020-01-01`),
  ],
  userInfo: [get('clinician', `/v2/user/${userId}/info/latest`)],
  orderHistory: [get('clinician', `/desk/orders/${orderId}/history`)],
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
  searchPeople: ['mar', 'mari ann', 'ann 1985', '555', 'mar ann son ing ela'].map(
    (words): Dearest =>
      ({ service, keys }) =>
        service.post('/desk/people/search', keys.clinician, { text: words, limit: 20 }),
  ),
  askBreakGlass: [
    ({ service, keys }) =>
      service.post('/access/break-glass', keys.billing, {
        ...{ reason_code: 'other', text, user_id: randomUUID() },
      }),
  ],
  listBreakGlass: [
    get('auditor', '/access/break-glass'),
    get('auditor', '/access/break-glass?state=all'),
  ],
  reviewBreakGlass: [
    ({ service, keys, grants }, number) =>
      service.post(`/access/break-glass/${grants[number]!}/review`, keys.auditor, {
        ...{ outcome: 'justified', note: text },
      }),
  ],
  endBreakGlass: [
    ({ service, keys }) =>
      service.request('DELETE', `/access/break-glass/${randomUUID()}`, {
        'x-service-api-key': keys.billing,
      }),
  ],
  me: [({ people }) => people[0]!.request('GET', '/access/me')],
  renewSession: [({ people }) => people[0]!.request('POST', '/access/sessions/current/renew')],
  setPin: [
    ({ people }, number) =>
      people[number]!.request('PUT', '/access/sessions/current/pin', { body: { pin } }),
  ],
  lockSession: [
    ({ people }, number) => people[number]!.request('POST', '/access/sessions/current/lock'),
  ],
  unlockSession: [
    ({ people }, number) =>
      people[number]!.request('POST', '/access/sessions/current/unlock', { body: { pin } }),
  ],
  endSession: [
    ({ people }, number) => people[number]!.request('DELETE', '/access/sessions/current'),
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
  listDisclosures: [
    get('auditor', `/audit/patients/${userId}/disclosures?limit=500`),
    get('auditor', `/audit/patients/${userId}/disclosures`, { accept: 'text/html' }),
  ],
  recordDeskEvent: [
    ({ reads: [id = ''] }: Clinic) => Array.from({ length: 200 }, () => id),
    ({ reads }: Clinic) => reads.slice(0, 200),
    ({ lists }: Clinic) => lists.slice(0, 10),
  ].map(
    (idsOf): Dearest =>
      (clinic) =>
        clinic.service.post('/audit/desk-events', clinic.keys.clinician, {
          ...{ kind: 'print', document: 'screen', record_ids: idsOf(clinic) },
        }),
  ),
  auditLogState: [get('auditor', '/audit/log')],
  auditCheckpoint: [get('auditor', '/audit/checkpoint')],
  auditLogCheckpoint: [get('auditor', '/audit/log/checkpoint')],
  auditLogTile: [get('auditor', '/audit/log/tile/0/000')],
  auditProof: [get('auditor', '/audit/proof?seq=1'), get('auditor', '/audit/proof?from=1')],
  auditKey: [get('auditor', '/audit/key')],
};

/** A team with 20,000 orders, a person with 60 reports, and a log full of lists. */
async function openClinic(): Promise<Clinic> {
  const service = await testService([...envelopes, ...manyReports()], {
    config: { rateLimitPerAddress: 1_000_000, rateLimitPerKey: 1_000_000 },
  });
  const roles: readonly Role[] = ['clinician', 'front_desk', 'billing', 'auditor'];
  const made = await Promise.all(
    roles.map(async (role) => [role, await service.key(teamId, role)] as const),
  );
  const keys = Object.fromEntries(made) as Record<Role, string>;
  multiplyOrders(service.folder, 20_000);
  const userIds = envelopes.flatMap((one) => (one.kind === 'user' ? one.user.user_id : []));
  const entry: Omit<AuditEntry, 'patients'> = {
    ...{ teamId, actorType: 'key', actorId: 'reader', role: 'clinician', keyId: 'reader' },
    ...{ sessionId: null, operation: 'listUsers', dataCategory: 'user', decision: 'allowed' },
    ...{ reasonCode: null, httpStatus: 200, purposeOfUse: null, breakGlassId: null },
    ...{ orderId: null, recordCount: 500, requestId: randomUUID(), clientIp: '127.0.0.1' },
    ...{ deviceId: null, policyVersion: null, details: { limit: 500, offset: 100 } },
  };
  const ids = service.app.get(RecordIds, { strict: false });
  const recorded = async (patients: readonly string[]): Promise<string[]> => {
    const receipts = Array.from({ length: 500 }, () =>
      service.audit.record({ ...entry, patients }),
    );
    return (await Promise.all(receipts)).map((receipt) => ids.idOf(receipt));
  };
  const lists = await recorded([userId, ...userIds.slice(0, 499)]);
  const reads = await recorded([userId]);
  const people = [];
  for (let number = 0; number < ROUNDS * TRIES; number += 1) {
    people.push(await signedIn(service, { teamId, role: 'clinician' }));
  }
  const grants = [];
  for (let number = 0; number < 120; number += 1) {
    const key = number % 20 === 0 ? await keyOf(service, `Ward ${number}`) : keys.front_desk;
    const body = { reason_code: 'other', text, user_id: randomUUID() };
    const answer = await service.post('/access/break-glass', key, body);
    grants.push(String((answer.json() as { break_glass_id?: string }).break_glass_id));
  }
  return { service, keys, people, grants, lists, reads };
}

async function keyOf({ access }: TestService, label: string): Promise<string> {
  return (await access.keys.create({ teamId, role: 'front_desk', label })).key;
}

/** 60 more reports of one person, of 100 biomarkers each. */
function* manyReports(): Generator<ImportEnvelope> {
  const [first] = lab.result.results;
  const results = Array.from({ length: 100 }, (_, at) => ({
    ...first!,
    ...{ slug: `marker-${at}`, name: `Marker ${at}`, loinc: `${at}-1` },
  }));
  for (let number = 0; number < 60; number += 1) {
    const day = `2025-0${1 + (number % 9)}-1${number % 10}`;
    const metadata = { ...lab.result.metadata, date_collected: day };
    const result: LabOrderResult = { ...lab.result, metadata, results };
    yield { ...lab, order_id: randomUUID(), result };
  }
  yield { ...lab, result: { ...lab.result, results } };
}

function multiplyOrders(folder: string, most: number): void {
  const db = new DatabaseSync(storeFile(folder));
  db.prepare(
    `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ?)
      insert into orders select team_id, randomblob(16), user_id, created_us + n, updated_us,
        low_level_status, interpretation, patient_key, birth_dates, person, body
      from orders, numbers limit ?`,
  ).run(most, most);
  db.close();
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const status = '/proc/self/status';

/** Memory in MiB: what the process has, or the most that it had since it was asked last. */
function memory(name: 'VmRSS' | 'VmHWM'): number {
  const [, kib] = new RegExp(`^${name}:\\s+(\\d+)`, 'mu').exec(readFileSync(status, 'utf8')) ?? [];
  return Number(kib) / 1024;
}

interface Cost {
  readonly status: number;
  /** Of the service's thread, which is that of the client too. */
  readonly ms: number;
  /** Of its longest turn. */
  readonly turnMs: number;
  readonly mib: number;
}

async function costOf(ask: (number: number) => Promise<Answer>): Promise<Cost> {
  let cost: Cost = { status: 0, ms: Infinity, turnMs: Infinity, mib: Infinity };
  collectGarbage();
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = existsSync(status) ? memory('VmRSS') : 0;
    if (existsSync(status)) {
      writeFileSync('/proc/self/clear_refs', '5');
    }
    const began = msOfThread();
    const stop = watchTurns();
    let answered = 0;
    for (let number = 0; number < TRIES; number += 1) {
      ({ status: answered } = await ask(round * TRIES + number));
    }
    cost = {
      status: answered,
      turnMs: Math.min(cost.turnMs, stop()),
      ms: Math.min(cost.ms, (msOfThread() - began) / TRIES),
      mib: Math.min(cost.mib, (existsSync(status) ? memory('VmHWM') : 0) - before),
    };
  }
  return cost;
}

/** Tells the longest turn of the event loop, once it is stopped. */
function watchTurns(): () => number {
  let [began, longest, isOver] = [msOfThread(), 0, false];
  const turn = (): void => {
    const now = msOfThread();
    longest = Math.max(longest, now - began);
    began = now;
    if (!isOver) {
      // Not at once: what is watched would never wait, and this would be most of its cost.
      setTimeout(turn, 1);
    }
  };
  turn();
  return () => {
    isOver = true;
    return longest;
  };
}

/** Work that tells how fast this machine is, and how busy. */
function reference(): number {
  let least = Infinity;
  for (let round = 0; round < 3; round += 1) {
    const began = msOfThread();
    JSON.parse(JSON.stringify(envelopes.slice(0, 800)));
    least = Math.min(least, msOfThread() - began);
  }
  return least;
}

function msOfThread(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

describe('the dearest legal request', () => {
  let clinic: Clinic;
  beforeAll(async () => {
    clinic = await openClinic();
  });
  afterAll(async () => {
    await clinic.service.close();
  });

  it('is known of every route', () => {
    expect(Object.keys(DEAREST).toSorted()).toEqual(OPERATION_NAMES.toSorted());
  });

  it.each(Object.entries(DEAREST))(
    `of %s costs at most ${MOST_MS} ms of the thread and ${MOST_MIB} MiB`,
    async (name, dearest) => {
      const inTurns = IN_TURNS.includes(name as OperationName);
      for (const [at, ask] of dearest.entries()) {
        const { status, ms, turnMs, mib } = await costOf((number) => ask(clinic, number));
        const facts = `${name} ${at}: ${status}, ${ms} ms, ${turnMs} ms in a turn, ${mib} MiB`;
        const took = inTurns ? turnMs : ms;
        const isCheap = took <= MOST_MS || took <= (MOST_MS * reference()) / REFERENCE_MS;
        // A request that is refused for its form is none of the dearest.
        expect([facts, [200, 201, 204, 403, 404].includes(status)]).toEqual([facts, true]);
        expect([facts, isCheap, mib <= MOST_MIB]).toEqual([facts, true, true]);
      }
    },
  );
});
