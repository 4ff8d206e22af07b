import type { MindfulnessMinutesPoint, TimeseriesSource } from '@caregate/domain';
import { mindfulnessObservation } from '@caregate/fhir';
import type { Observation } from 'fhir/r4.js';
import type { OrderRecord, OrderRecordKey, PointKey, PointRecord } from '@caregate/data-store';
import { fewRecords, RECORDS, type Batches, type Found, type Place } from './batches.ts';
import type { FhirCall } from './fhir-call.ts';
import { boundsOf } from './fhir-date.ts';
import { isCoded } from './matches.ts';
import { eachOrder, keyOf, observationsOf } from './orders.ts';
import { userIdOf, type SearchQuery } from './search-query.ts';

const LABORATORY = { code: 'laboratory' };
const ACTIVITY = { code: 'activity' };

export async function* observations(
  call: FhirCall,
  query: SearchQuery,
  from: Place | undefined,
): Batches {
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
    const records = await call.source.orderRecords(
      call.teamId,
      {
        of: { orderId },
        withResult: true,
        limit: 1,
      },
      call,
    );
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
  for (let limit = fewRecords(query); ; limit = RECORDS) {
    const points = await call.source.pointRecords(
      call.teamId,
      {
        // What began before may last into what was asked for.
        ...{ userId, fromUs: -Number.MAX_SAFE_INTEGER, untilUs, limit, after },
      },
      call,
    );
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

function pointKey([startUs, provider, type, endUs]: readonly [
  number,
  string,
  string,
  number,
]): PointKey {
  return { startUs, provider, type, endUs };
}
