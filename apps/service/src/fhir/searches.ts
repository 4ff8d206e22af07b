import type {
  Insurance,
  LabOrderResult,
  MindfulnessMinutesPoint,
  Order,
  TimeseriesSource,
  User,
  UserInfo,
} from '@caregate/domain';
import {
  coverage,
  diagnosticReport,
  labObservations,
  maskedPatient,
  mindfulnessObservation,
  patient,
  serviceRequest,
  type SearchedType,
} from '@caregate/fhir';
import type { FhirResource, Observation, Patient } from 'fhir/r4.js';
import type {
  OrderRecord,
  OrderRecordKey,
  PersonRecord,
  PointKey,
  PointRecord,
} from '../source/health-data-source.ts';
import { peopleQueryOf } from '../source/people/people-query.ts';
import type { FhirCall } from './fhir-call.ts';
import { boundsOf } from './fhir-date.ts';
import { isCoded } from './matches.ts';
import { invalid, userIdOf, type SearchQuery } from './search-query.ts';

/** Behind a resource, as JSON: what a cursor seals. */
export type Place =
  | { readonly offset: number }
  | { readonly change: readonly [changedUs: number, userId: string] }
  | { readonly order: readonly [createdUs: number, orderId: string, observationId?: string] }
  | { readonly point: readonly [startUs: number, provider: string, type: string, endUs: number] };

interface Found {
  readonly resource: FhirResource;
  readonly place: Place;
}

type Batches = AsyncGenerator<readonly Found[], void, undefined>;

/** All that the caller may see of what a search might match, from a place on. Checks permissions before it reads. */
export const SEARCHES: Readonly<
  Record<SearchedType, (call: FhirCall, query: SearchQuery, from: Place | undefined) => Batches>
> = {
  Patient: patients,
  Coverage: coverages,
  ServiceRequest: (call, query, from) => ordersOf(call, query, from, false),
  DiagnosticReport: (call, query, from) => ordersOf(call, query, from, true),
  Observation: observations,
};

/** Orders, people and points at once; of reports, which may be long, fewer. */
const RECORDS = 100;
const REPORTS = 3;
/** As many as a search of a desk shows. */
export const MOST_NAMED = 20;

const LABORATORY = { code: 'laboratory' };
const ACTIVITY = { code: 'activity' };

async function* patients(call: FhirCall, query: SearchQuery, from: Place | undefined): Batches {
  const one = (name: string) => query.tokens.filter((criterion) => criterion.name === name);
  const changes = query.dates.filter(({ name }) => name === '_lastUpdated');
  if (query.texts.length > 0) {
    call.demandNames();
    yield* peopleFound(call, await named(call, query), from);
    return;
  }
  call.demand('listUsers');
  const [ids] = one('_id');
  const [identifiers] = one('identifier');
  if (ids !== undefined) {
    yield* peopleFound(
      call,
      ids.tokens.flatMap(({ code }) => userIdOf(code ?? '') ?? []),
      from,
    );
  } else if (identifiers !== undefined) {
    yield* peopleFound(call, await identified(call, identifiers.tokens), from);
  } else if (changes.length > 0) {
    yield* changed(call, boundsOf(changes.map(({ date }) => date)), from);
  } else {
    yield* listed(call, query, from);
  }
}

/** Of all users, which the store keeps; undefined for any other search. */
export async function totalOfList(
  call: FhirCall,
  { type, tokens, dates, texts }: SearchQuery,
): Promise<number | undefined> {
  if (type !== 'Patient' || tokens.length + dates.length + texts.length > 0) {
    return undefined;
  }
  call.demand('listUsers');
  return (await call.read('listUsers', { offset: 0, limit: 1 })).total;
}

async function named(call: FhirCall, { texts }: SearchQuery): Promise<string[]> {
  const asked = peopleQueryOf(texts.map(({ text }) => text).join(' '));
  if ('reason' in asked) {
    throw invalid({ parameter: texts[0]?.name ?? 'name', reason: asked.reason });
  }
  const labs = call.allows('labOrderResult');
  const { hits } = await call.read('searchPeople', { query: asked, limit: MOST_NAMED, labs });
  return hits.map(({ person }) => person.user_id.toLowerCase());
}

async function identified(
  call: FhirCall,
  tokens: SearchQuery['tokens'][number]['tokens'],
): Promise<string[]> {
  const found: string[] = [];
  for (const { system, code = '' } of tokens) {
    const [, userId] = /^urn:uuid:(.+)$/u.exec(code) ?? [];
    if (userId !== undefined && system !== `urn:uuid:${call.teamId}`) {
      found.push(userId);
    } else if (system === undefined || system === `urn:uuid:${call.teamId}`) {
      const user = await call.read('resolveUser', code);
      found.push(...(user === undefined ? [] : [user.userId]));
    }
  }
  return found.flatMap((id) => userIdOf(id) ?? []);
}

async function* peopleFound(
  call: FhirCall,
  ids: readonly string[],
  from: Place | undefined,
): Batches {
  const people = await peopleById(call, [...new Set(ids)]);
  yield few(
    people.map((person) => patientOf(call, person)),
    from,
  );
}

/** Few enough to read them again for each page. */
function few(resources: readonly FhirResource[], from: Place | undefined): Found[] {
  return resources
    .map((resource, at) => ({ resource, place: { offset: at + 1 } }))
    .slice(offsetOf(from));
}

function offsetOf(from: Place | undefined): number {
  return from !== undefined && 'offset' in from ? from.offset : 0;
}

/** In the order of the ids. */
async function peopleById(call: FhirCall, ids: readonly string[]): Promise<PersonRecord[]> {
  const found = await call.read('personRecords', ids);
  const byId = new Map(found.map((person) => [person.userId, person]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

async function* listed(call: FhirCall, query: SearchQuery, from: Place | undefined): Batches {
  let offset = offsetOf(from);
  for (;;) {
    // One more shows whether there is a next page.
    const limit = Math.min(RECORDS, query.count + 1);
    const { ids } = await call.read('listUsers', { offset, limit });
    const people = await peopleById(call, ids);
    const at = offset;
    yield people.map((person, index) => ({
      resource: patientOf(call, person),
      place: { offset: at + index + 1 },
    }));
    if (ids.length < limit) {
      return;
    }
    offset += ids.length;
    await call.pause();
  }
}

async function* changed(
  call: FhirCall,
  { fromUs, untilUs }: { readonly fromUs: number; readonly untilUs: number },
  from: Place | undefined,
): Batches {
  const [us, userId] = from !== undefined && 'change' in from ? from.change : [];
  let after = us === undefined || userId === undefined ? undefined : { changedUs: us, userId };
  for (;;) {
    const keys = await call.read('changedPeople', { fromUs, untilUs, after, limit: RECORDS });
    const people = await peopleById(call, [...new Set(keys.map((key) => key.userId))]);
    const byId = new Map(people.map((person) => [person.userId, person]));
    yield keys.flatMap((key) => {
      const person = byId.get(key.userId);
      // Whose user and info changed at different times comes with the later one.
      return person?.changedUs === key.changedUs
        ? [{ resource: patientOf(call, person), place: { change: [key.changedUs, key.userId] } }]
        : [];
    });
    if (keys.length < RECORDS) {
      return;
    }
    after = keys.at(-1);
    await call.pause();
  }
}

export function patientOf(call: FhirCall, { user, info, changedUs }: PersonRecord): Patient {
  const stored = JSON.parse(user) as User;
  return call.isMasked
    ? maskedPatient(stored, changedUs)
    : patient(
        { user: stored, info: info === undefined ? undefined : (JSON.parse(info) as UserInfo) },
        changedUs,
      );
}

async function* coverages(call: FhirCall, query: SearchQuery, from: Place | undefined): Batches {
  call.demand('latestInsurance');
  yield few(await coveragesOf(call, query.patient), from);
}

export async function coveragesOf(
  call: FhirCall,
  patientId: string | undefined,
): Promise<ReturnType<typeof coverage>[]> {
  const userId = userIdOf(patientId ?? '');
  const found = userId === undefined ? [] : await call.read('insuranceRecords', userId);
  return found.map(({ isPrimary, body, changedUs }) =>
    coverage(
      { userId: userId ?? '', isPrimary, insurance: JSON.parse(body) as Insurance },
      changedUs,
    ),
  );
}

async function* ordersOf(
  call: FhirCall,
  query: SearchQuery,
  from: Place | undefined,
  withResult: boolean,
): Batches {
  call.demand('labOrderResult');
  const after = from !== undefined && 'order' in from ? keyOf(from.order) : undefined;
  for await (const records of eachOrder(call, query.patient, after, withResult)) {
    yield records.map((record) => ({
      resource: withResult ? reportOf(record) : requestOf(record),
      place: { order: [record.createdUs, record.orderId] },
    }));
  }
}

async function* eachOrder(
  call: FhirCall,
  patientId: string | undefined,
  first: OrderRecordKey | undefined,
  withResult: boolean,
): AsyncGenerator<readonly OrderRecord[]> {
  const userId = userIdOf(patientId ?? '');
  if (userId === undefined) {
    return;
  }
  const limit = withResult ? REPORTS : RECORDS;
  for (let after = first; ;) {
    const records = await call.read('orderRecords', { of: { userId }, withResult, after, limit });
    yield records;
    if (records.length < limit) {
      return;
    }
    after = records.at(-1);
    await call.pause();
  }
}

export function requestOf({ order, changedUs }: OrderRecord): ReturnType<typeof serviceRequest> {
  return serviceRequest(JSON.parse(order) as Order, changedUs);
}

export function reportOf(record: OrderRecord): ReturnType<typeof diagnosticReport> {
  const { order, changedUs } = record;
  const { lab_test: labTest } = JSON.parse(order) as Order;
  const report = { ...resultOf(record), labTest: labTest?.name };
  return diagnosticReport(report, Math.max(changedUs, record.result?.changedUs ?? 0));
}

export function observationsOf(record: OrderRecord): Observation[] {
  return labObservations(resultOf(record), record.result?.changedUs ?? 0);
}

function resultOf({ userId, orderId, result }: OrderRecord) {
  return { userId, orderId, result: JSON.parse(result?.body ?? '{}') as LabOrderResult };
}

async function* observations(call: FhirCall, query: SearchQuery, from: Place | undefined): Batches {
  const categories = query.tokens.filter(({ name }) => name === 'category');
  const isAsked = (coding: { readonly code: string }): boolean =>
    categories.every(({ tokens }) => tokens.some((token) => isCoded(token, coding)));
  const wanted = (
    [
      [LABORATORY, 'labOrderResult'],
      [ACTIVITY, 'mindfulnessMinutes'],
    ] as const
  ).flatMap(([coding, read]) => (isAsked(coding) ? [read] : []));
  if (wanted.length === 0) {
    return;
  }
  // Without a category, what the role may see.
  const reads = categories.length === 0 ? wanted.filter((read) => call.allows(read)) : wanted;
  call.demand(...reads);
  if (reads.includes('labOrderResult') && !(from !== undefined && 'point' in from)) {
    yield* ofLaboratory(call, query, from);
  }
  // Minutes have no code.
  if (reads.includes('mindfulnessMinutes') && !query.tokens.some(({ name }) => name === 'code')) {
    yield* ofMinutes(call, query, from);
  }
}

async function* ofLaboratory(call: FhirCall, query: SearchQuery, from: Place | undefined): Batches {
  let after: OrderRecordKey | undefined;
  if (from !== undefined && 'order' in from) {
    const [, orderId, shown] = from.order;
    after = keyOf(from.order);
    const records = await call.read('orderRecords', {
      of: { orderId },
      withResult: true,
      limit: 1,
    });
    yield records
      .filter(({ userId }) => userId === userIdOf(query.patient ?? ''))
      .map(placed)
      // All of them, if the last one shown is no more: none is lost.
      .flatMap((found) =>
        found.slice(found.findIndex(({ resource }) => resource.id === shown) + 1),
      );
  }
  for await (const records of eachOrder(call, query.patient, after, true)) {
    // One after the other: a page may need only the first of them.
    for (const record of records) {
      yield placed(record);
    }
  }
}

function placed(record: OrderRecord): Found[] {
  return observationsOf(record).map((resource) => ({
    resource,
    place: { order: [record.createdUs, record.orderId, resource.id ?? ''] },
  }));
}

async function* ofMinutes(call: FhirCall, query: SearchQuery, from: Place | undefined): Batches {
  const userId = userIdOf(query.patient ?? '');
  if (userId === undefined) {
    return;
  }
  const dates = query.dates.filter(({ name }) => name === 'date').map(({ date }) => date);
  const { fromUs, untilUs } = boundsOf(dates);
  let after = from !== undefined && 'point' in from ? pointKey(from.point) : undefined;
  // More than a page, once it is known that many do not match.
  for (let limit = Math.min(RECORDS, query.count + 1); ; limit = RECORDS) {
    const points = await call.read('pointRecords', {
      // What began before may last into what was asked for.
      ...{ userId, fromUs: -Number.MAX_SAFE_INTEGER, untilUs, limit, after },
    });
    const lasting = points.filter(({ endUs }) => endUs >= fromUs);
    yield lasting.map((point) => ({
      resource: minutesOf(userId, point),
      place: { point: [point.startUs, point.provider, point.type, point.endUs] },
    }));
    const last = points.at(-1);
    if (points.length < limit || last === undefined) {
      return;
    }
    after = last;
    await call.pause();
  }
}

export function minutesOf(userId: string, { source, body, changedUs }: PointRecord): Observation {
  return mindfulnessObservation(
    {
      userId,
      source: JSON.parse(source) as TimeseriesSource,
      point: JSON.parse(body) as MindfulnessMinutesPoint,
    },
    changedUs,
  );
}

function keyOf([createdUs, orderId]: readonly [number, string, string?]): OrderRecordKey {
  return { createdUs, orderId };
}

function pointKey([startUs, provider, type, endUs]: readonly [
  number,
  string,
  string,
  number,
]): PointKey {
  return { startUs, provider, type, endUs };
}
