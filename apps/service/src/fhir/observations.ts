import type { MindfulnessMinutesPoint, TimeseriesSource } from '@caregate/domain';
import { buildMindfulnessObservation } from '@caregate/fhir';
import type { Observation } from 'fhir/r4.js';
import type { OrderRecord, PointKey, PointRecord } from '@caregate/data-store';
import { chooseLimit, BATCH_SIZE, type FoundResource, type Search } from './batches.ts';
import { findBounds } from './fhir-date.ts';
import { matchesCode } from './matches.ts';
import { iterateOrders, toObservations } from './orders.ts';
import { parseUserId } from './search-query.ts';

const CATEGORIES = { labOrderResult: 'laboratory', mindfulnessMinutes: 'activity' } as const;

export const searchObservations: Search = async function* (call, query, from) {
  const categories = query.tokens.filter(({ name }) => name === 'category');
  const wanted = (['labOrderResult', 'mindfulnessMinutes'] as const).filter((read) =>
    categories.every(({ tokens }) =>
      tokens.some((one) => matchesCode(one, { code: CATEGORIES[read] })),
    ),
  );
  if (wanted.length === 0) {
    return;
  }
  // Without a category, search the ones that the caller may see.
  const reads = categories.length === 0 ? wanted.filter((read) => call.allows(read)) : wanted;
  call.demand(...reads);
  if (reads.includes('labOrderResult') && from.point === undefined) {
    yield* searchLabObservations(call, query, from);
  }
  // Mindfulness minutes have no code.
  if (reads.includes('mindfulnessMinutes') && !query.tokens.some(({ name }) => name === 'code')) {
    yield* searchMindfulness(call, query, from);
  }
};

const searchLabObservations: Search = async function* (call, { patient }, { order }) {
  if (order !== undefined) {
    const [, orderId, shown] = order;
    const records = await call.records.listOrders({ of: { orderId }, withResult: true, limit: 1 });
    yield records
      .filter(({ userId }) => userId === parseUserId(patient ?? ''))
      .map(toFoundObservations)
      // If the last resource of the previous page is gone, continue with all of them, so that none is lost.
      .flatMap((found) =>
        found.slice(found.findIndex(({ resource }) => resource.id === shown) + 1),
      );
  }
  for await (const record of iterateOrders(call, patient, order, true)) {
    yield toFoundObservations(record);
  }
};

function toFoundObservations(record: OrderRecord): FoundResource[] {
  return toObservations(record).map((resource) => ({
    resource,
    place: { order: [record.createdUs, record.orderId, resource.id ?? ''] },
  }));
}

const searchMindfulness: Search = async function* (call, query, from) {
  const userId = parseUserId(query.patient ?? '');
  if (userId === undefined) {
    return;
  }
  const dates = query.dates.filter(({ name }) => name === 'date').map(({ date }) => date);
  const { fromUs, untilUs } = findBounds(dates);
  let after = from.point;
  // The first step reads about a page. If many don't match, the next steps read more.
  for (let limit = chooseLimit(query); ; limit = BATCH_SIZE) {
    // A session that began before the range may last into it.
    const range = { userId, fromUs: -Number.MAX_SAFE_INTEGER, untilUs };
    const points = await call.records.listPoints({ ...range, limit, after });
    yield points
      .filter(({ endUs }) => endUs >= fromUs)
      .map((point) => ({
        resource: toObservation(userId, point),
        place: { point: toPointKey(point) },
      }));
    after = points.at(-1);
    if (points.length < limit || after === undefined) {
      return;
    }
  }
};

function toPointKey({ startUs, provider, type, endUs }: PointRecord): PointKey {
  return { startUs, provider, type, endUs };
}

export function toObservation(
  userId: string,
  { source, body, changedUs }: PointRecord,
): Observation {
  const point = JSON.parse(body) as MindfulnessMinutesPoint;
  return buildMindfulnessObservation(
    { userId, source: JSON.parse(source) as TimeseriesSource, point },
    changedUs,
  );
}
