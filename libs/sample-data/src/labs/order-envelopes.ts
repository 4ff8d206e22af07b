import type {
  LabResultEnvelope,
  Order,
  OrderEnvelope,
  OrderEvent,
  OrderLabTest,
  OrderTransaction,
  OrderTransactionOrder,
} from '@caregate/domain';
import type { Person } from '../person.ts';
import type { OrderCourse } from './order-plan.ts';
import { panels as allPanels, type PanelKey } from './biomarker.ts';

/** Includes fields that the public API's SDKs require and the interface document doesn't have. */
interface PricedLabTest extends OrderLabTest {
  readonly price: number;
}

const STATUS_BY_LOW_LEVEL: readonly (readonly [RegExp, string])[] = [
  [/^(?:completed|corrected)$/u, 'completed'],
  [/^(?:partial_results|delivered_to_lab|lab_processing_blocked)$/u, 'sample_with_lab'],
  [/^(?:cancelled|do_not_process)$/u, 'cancelled'],
  [/^(?:lost|sample_error|failure_.*)$/u, 'failed'],
  [/^(?:ordered|requisition_.*|awaiting_registration|registered)$/u, 'received'],
];
/** Statuses that only occur when a test kit is shipped. */
const shippedStatus =
  /^(?:transit_|out_for|with_cust|lost|delivered|failure|problem|awaiting|registered)/u;

export function buildOrderEnvelopes(
  results: readonly LabResultEnvelope[],
  panels: readonly PanelKey[],
  person?: Person,
  course?: OrderCourse,
): OrderEnvelope[] {
  const reported = new Map(results.map((each) => [each.order_id, each]));
  const transaction = results[0]?.result.order_transaction ?? undefined;
  const others = transaction?.orders.filter(({ id }) => !reported.has(id)) ?? [];
  const [any] = results;
  return any === undefined
    ? []
    : [
        // Only the latest report of an order is listed.
        ...[...reported.values()].map((each) =>
          buildOrderEnvelope(
            each,
            each.order_id,
            panels,
            person,
            course === 'awaited' ? 'no result' : undefined,
          ),
        ),
        ...others.map(({ id }) => buildOrderEnvelope(any, id, panels, person, 'no result')),
      ];
}

function buildOrderEnvelope(
  { team_id, user_id, result }: LabResultEnvelope,
  id: string,
  panels: readonly PanelKey[],
  person: Person | undefined,
  without?: 'no result',
): OrderEnvelope {
  const transaction: OrderTransaction | undefined = result.order_transaction ?? undefined;
  const own = transaction?.orders.find((each) => each.id === id) ?? buildFallbackOrder(id, result);
  const low = own.low_level_status ?? 'completed';
  const method = shippedStatus.test(low) ? 'testkit' : 'walk_in_test';
  const [, status = 'collecting_sample'] =
    STATUS_BY_LOW_LEVEL.find(([form]) => form.test(low)) ?? [];
  const first: OrderEvent = {
    id: 1,
    created_at: own.created_at,
    status: `received.${method}.ordered`,
  };
  const last: OrderEvent = {
    id: 2,
    created_at: own.updated_at,
    status: `${status}.${method}.${low}`,
  };
  const order: Order = {
    id,
    team_id,
    user_id,
    ...(person === undefined ? {} : buildPatient(person)),
    lab_test: buildLabTest(panels, method),
    details: { type: method, data: null },
    created_at: own.created_at,
    updated_at: own.updated_at,
    events: low === 'ordered' ? [first] : [first, last],
    status,
    last_event: low === 'ordered' ? first : last,
    priority: false,
    has_abn: false,
    ...(without === undefined ? { interpretation: result.metadata.interpretation ?? null } : {}),
    origin: own.origin ?? 'initial',
    ...(transaction === undefined ? {} : { order_transaction: transaction }),
  };
  return { kind: 'order', order };
}

function buildFallbackOrder(
  id: string,
  { metadata }: LabResultEnvelope['result'],
): OrderTransactionOrder {
  const collected = metadata.date_collected ?? metadata.date_reported ?? '2024-03-01';
  const reported = metadata.date_reported ?? collected;
  return {
    id,
    created_at: `${collected}T06:30:00+00:00`,
    updated_at: `${reported}T20:15:00+00:00`,
    low_level_status: metadata.status === 'partial' ? 'partial_results' : 'completed',
  };
}

function buildPatient(person: Person): Pick<Order, 'patient_details' | 'patient_address'> {
  const { home } = person;
  return {
    patient_details: {
      first_name: person.firstName,
      last_name: person.lastName,
      dob: person.birthDate,
      gender: person.gender,
      phone_number: person.phone,
      email: person.email,
    },
    patient_address: {
      receiver_name: person.fullName,
      first_line: home.first_line,
      second_line: home.second_line ?? null,
      city: home.city,
      state: home.state,
      zip: home.zip_code,
      country: home.country,
      phone_number: person.phone,
    },
  };
}

function buildLabTest(panels: readonly PanelKey[], method: string): PricedLabTest {
  const [only] = panels;
  const name = panels.map((key) => allPanels[key].name).join(' + ') || 'Laboratory tests';
  return {
    id: `1ab7e570-0000-4000-8000-${String(panels.length).padStart(12, '0')}`,
    slug: panels.join('-') || 'laboratory-tests',
    name,
    sample_type: only !== undefined && /urine/iu.test(allPanels[only].specimen) ? 'urine' : 'serum',
    method,
    price: 10 * Math.max(1, panels.length),
    is_active: true,
    status: 'active',
  };
}
