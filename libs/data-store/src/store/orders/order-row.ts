import { toInstant, type Order } from '@caregate/domain';
import { listSpellings } from '../../people/name-text.ts';
import { toOrderFacts, type PersonFact } from '../../people/person-facts.ts';
import { parseStoredObject, type PersonKey, type StoreSchema } from '../schema.ts';
import { summarizeResult, type LabSummary } from './lab-summary.ts';

export interface OrderIds {
  readonly teamId: string;
  readonly orderId: string;
  readonly userId: string;
}

/**
 * Maximum length of an indexed text in UTF-16 code units. PostgreSQL refuses index entries of more than 2,704 bytes.
 */
const MOST_INDEXED = 800;

const ORDER_STATUSES: Readonly<Record<string, string>> = {
  ordered: 'received',
  requisition_created: 'received',
  requisition_bypassed: 'received',
  awaiting_registration: 'received',
  registered: 'received',
  transit_customer: 'collecting_sample',
  out_for_delivery: 'collecting_sample',
  with_customer: 'collecting_sample',
  transit_lab: 'collecting_sample',
  appointment_scheduled: 'collecting_sample',
  appointment_cancelled: 'collecting_sample',
  appointment_pending: 'collecting_sample',
  redraw_available: 'collecting_sample',
  problem_in_transit_lab: 'collecting_sample',
  problem_in_transit_customer: 'collecting_sample',
  delivered_to_lab: 'sample_with_lab',
  partial_results: 'sample_with_lab',
  lab_processing_blocked: 'sample_with_lab',
  completed: 'completed',
  corrected: 'completed',
  cancelled: 'cancelled',
  do_not_process: 'cancelled',
  lost: 'failed',
  sample_error: 'failed',
  failure_to_deliver_to_lab: 'failed',
  failure_to_deliver_to_customer: 'failed',
};

const REPORT_STEPS: Readonly<Record<string, string>> = {
  partial: 'partial_results',
  final: 'completed',
  amended: 'corrected',
  corrected: 'corrected',
};

/**
 * Builds the row of an order, without its IDs. Values of the imported order take precedence; its result adds missing ones and the
 * interpretation. Unknown values stay empty.
 */
export function buildOrderRow(
  ids: OrderIds,
  imported: string | undefined,
  resultBody: string | undefined,
): Omit<StoreSchema['orders'], keyof PersonKey | 'order_id' | 'changed_in'> {
  const listed =
    imported === undefined
      ? undefined
      : { ...toWireIds(ids), ...parseStoredObject<Order>(imported) };
  const result = resultBody === undefined ? undefined : summarizeResult(resultBody);
  const derived = deriveOrder(ids, result);
  const order = mergeOrders(derived, listed, result);
  const created = parseInstant(order.created_at) ?? parseInstant(result?.date) ?? 0;
  const facts = collectFacts(listed, result);
  const names = facts.flatMap(({ name }) => (name === undefined ? [] : listSpellings(name)));
  return {
    created_us: created,
    updated_us: parseInstant(order.updated_at) ?? parseInstant(result?.reported) ?? created,
    low_level_status: removeUnstorable(readLowLevelStatus(order).slice(0, MOST_INDEXED)),
    interpretation: removeUnstorable(order.interpretation ?? ''),
    patient_key: removeUnstorable(
      [...new Set(names)]
        .map((word) => ` ${word}`)
        .join('')
        .slice(0, MOST_INDEXED),
    ),
    birth_dates: [...new Set(facts.flatMap(({ birthDate }) => birthDate ?? []))].join(' '),
    person: JSON.stringify(facts),
    body: imported !== undefined && result === undefined ? imported : JSON.stringify(order),
  };
}

function toWireIds({
  teamId,
  orderId,
  userId,
}: OrderIds): Pick<Order, 'id' | 'team_id' | 'user_id'> {
  return { id: orderId, team_id: teamId, user_id: userId };
}

function deriveOrder(ids: OrderIds, result?: LabSummary): Order {
  const own = result?.transaction?.orders.find(({ id }) => id.toLowerCase() === ids.orderId);
  const step = own === undefined ? REPORT_STEPS[result?.status ?? ''] : own.low_level_status;
  const status =
    ORDER_STATUSES[step ?? ''] ?? ORDER_STATUSES[REPORT_STEPS[result?.status ?? ''] ?? ''];
  return withoutEmpty({
    ...toWireIds(ids),
    patient_name: result?.name ?? null,
    patient_details: result?.birthDate === undefined ? null : { dob: result.birthDate },
    created_at: own?.created_at ?? null,
    // Caregate's own member for lists, since the creation time is unknown.
    ...{ collected_on: own === undefined ? result?.collected : null },
    updated_at: own?.updated_at ?? null,
    status: status ?? null,
    last_event: own === undefined && isText(step) ? { status: step } : null,
    interpretation: result?.interpretation ?? null,
    has_missing_results: result?.hasMissing ?? null,
    origin: own?.origin ?? null,
    order_transaction: result?.transaction ?? null,
  });
}

function mergeOrders(
  derived: Order,
  listed: Order | undefined,
  result: LabSummary | undefined,
): Order {
  if (listed === undefined || result === undefined) {
    return listed ?? derived;
  }
  const statedStatus = listed.status ?? listed.last_event ?? listed.order_transaction;
  return {
    // The public API's SDKs reject a patient with only a birth date.
    ...withoutEmpty({
      ...derived,
      patient_details: null,
      ...(isPresent(statedStatus) && { last_event: null }),
      ...(isPresent(listed.created_at) && { collected_on: null }),
    }),
    ...withoutEmpty(listed),
    ...(result.interpretation === undefined ? {} : { interpretation: result.interpretation }),
    ...(result.hasMissing === undefined ? {} : { has_missing_results: result.hasMissing }),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function withoutEmpty<T extends object>(fields: T): T {
  const listed = Object.entries(fields).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  return Object.fromEntries(listed) as T;
}

function readLowLevelStatus({ last_event, order_transaction, id }: Order): string {
  const own = order_transaction?.orders.find((each) => each.id.toLowerCase() === id.toLowerCase());
  return last_event?.status.split('.').at(-1) ?? own?.low_level_status ?? '';
}

export function readStatus(order: Order): string | undefined {
  const listed = [order.last_event?.status, order.status, readLowLevelStatus(order)];
  return (
    listed.find((status) => status !== undefined && status !== null && status !== '') ?? undefined
  );
}

function collectFacts(listed: Order | undefined, result: LabSummary | undefined): PersonFact[] {
  const facts: PersonFact[] = [];
  if (result?.name !== undefined || result?.birthDate !== undefined) {
    const { name, birthDate, reported: asOf } = result;
    facts.push({ source: 'lab_report', name, birthDate, asOf });
  }
  return listed === undefined ? facts : [...facts, ...toOrderFacts(listed)];
}

/** PostgreSQL can store neither NUL nor lone surrogates in text. */
function removeUnstorable(text: string): string {
  return text.replace(/[\0\p{Surrogate}]/gu, '');
}

function parseInstant(text: string | null | undefined): number | undefined {
  if (text === null || text === undefined) {
    return undefined;
  }
  const us = toInstant(text.length === 10 ? `${text}T00:00:00Z` : text);
  return Number.isSafeInteger(us) ? us : undefined;
}
