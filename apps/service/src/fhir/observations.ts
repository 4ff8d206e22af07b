import type { MindfulnessMinutesPoint, TimeseriesSource } from '@caregate/domain';
import { mindfulnessObservation } from '@caregate/fhir';
import type { Observation } from 'fhir/r4.js';
import type { OrderRecord, PointKey, PointRecord } from '@caregate/data-store';
import { fewRecords, RECORDS, type Found, type Search } from './batches.ts';
import { boundsOf } from './fhir-date.ts';
import { isCoded } from './matches.ts';
import { eachOrder, observationsOf } from './orders.ts';
import { userIdOf } from './search-query.ts';

const CATEGORIES = { labOrderResult: 'laboratory', mindfulnessMinutes: 'activity' } as const;

export const observations: Search = async function* (call, query, from) {
  const categories = query.tokens.filter(({ name }) => name === 'category');
  const wanted = (['labOrderResult', 'mindfulnessMinutes'] as const).filter((read) =>
    categories.every(({ tokens }) =>
      tokens.some((one) => isCoded(one, { code: CATEGORIES[read] })),
    ),
  );
  if (wanted.length === 0) {
    return;
  }
  // Without a category, what the role may see.
  const reads = categories.length === 0 ? wanted.filter((read) => call.allows(read)) : wanted;
  call.demand(...reads);
  if (reads.includes('labOrderResult') && from.point === undefined) {
    yield* ofLaboratory(call, query, from);
  }
  // Minutes have no code.
  if (reads.includes('mindfulnessMinutes') && !query.tokens.some(({ name }) => name === 'code')) {
    yield* ofMinutes(call, query, from);
  }
};

const ofLaboratory: Search = async function* (call, { patient }, { order }) {
  if (order !== undefined) {
    const [, orderId, shown] = order;
    const records = await call.orders({ of: { orderId }, withResult: true, limit: 1 });
    yield records
      .filter(({ userId }) => userId === userIdOf(patient ?? ''))
      .map(placed)
      // All of them, if the last one shown is no more: none is lost.
      .flatMap((found) =>
        found.slice(found.findIndex(({ resource }) => resource.id === shown) + 1),
      );
  }
  for await (const record of eachOrder(call, patient, order, true)) {
    yield placed(record);
  }
};

function placed(record: OrderRecord): Found[] {
  return observationsOf(record).map((resource) => ({
    resource,
    place: { order: [record.createdUs, record.orderId, resource.id ?? ''] },
  }));
}

const ofMinutes: Search = async function* (call, query, from) {
  const userId = userIdOf(query.patient ?? '');
  if (userId === undefined) {
    return;
  }
  const dates = query.dates.filter(({ name }) => name === 'date').map(({ date }) => date);
  const { fromUs, untilUs } = boundsOf(dates);
  let after = from.point;
  // More than a page, once it is known that many do not match.
  for (let limit = fewRecords(query); ; limit = RECORDS) {
    // What began before may last into what was asked for.
    const began = { userId, fromUs: -Number.MAX_SAFE_INTEGER, untilUs };
    const points = await call.points({ ...began, limit, after });
    yield points
      .filter(({ endUs }) => endUs >= fromUs)
      .map((point) => ({ resource: minutesOf(userId, point), place: { point: keyOf(point) } }));
    after = points.at(-1);
    if (points.length < limit || after === undefined) {
      return;
    }
  }
};

function keyOf({ startUs, provider, type, endUs }: PointRecord): PointKey {
  return { startUs, provider, type, endUs };
}

export function minutesOf(userId: string, { source, body, changedUs }: PointRecord): Observation {
  const point = JSON.parse(body) as MindfulnessMinutesPoint;
  return mindfulnessObservation(
    { userId, source: JSON.parse(source) as TimeseriesSource, point },
    changedUs,
  );
}
