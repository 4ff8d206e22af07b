import { instantOfQueryDate, isUuid, type ListOrdersQuery, type Order } from '@caregate/domain';
import { invalidParameters, ProblemError } from '../../problem/problem-error.ts';
import type { OrdersQuery } from '@caregate/data-store';
import { EXAMPLE_ORDER_ID, EXAMPLE_TEAM_ID, EXAMPLE_USER_ID, type Read } from '../read.ts';

const DEFAULT_SIZE = 50;

export const listOrders: Read<'listOrders'> = {
  scope: 'lab-results:read',
  category: 'lab_result',
  fhir: { form: 'search' },
  about: {
    tag: 'Lab results',
    summary: 'List the lab orders of the team',
    description:
      'Newest first unless `order_key` and `order_direction` say otherwise. An order is known of itself, or from its result; what is known of neither is missing or null. An order whose creation is not known counts by the day of its specimen. `status` and `order_ids` may be repeated. Where a deployment keeps lab results from a role, `interpretation` and `has_missing_results` are missing, and filtering by interpretation is forbidden. If the data of the team comes from an upstream that has no such list, the 501 is of the type `/problems/not-offered`.',
    problems: [422, 501],
    example: {
      orders: [
        {
          id: EXAMPLE_ORDER_ID,
          team_id: EXAMPLE_TEAM_ID,
          user_id: EXAMPLE_USER_ID,
          patient_details: {
            first_name: 'Amara',
            last_name: 'Example',
            dob: '1986-04-12',
            gender: 'female',
          },
          lab_test: { name: 'Lipid panel', slug: 'lipid-panel', method: 'walk_in_test' },
          created_at: '2026-11-07T09:00:00+00:00',
          updated_at: '2026-11-10T11:12:00+00:00',
          status: 'completed',
          last_event: {
            id: 2,
            created_at: '2026-11-10T11:12:00+00:00',
            status: 'completed.walk_in_test.completed',
          },
          interpretation: 'abnormal',
          has_missing_results: false,
          origin: 'initial',
        },
      ],
      total: 1,
      page: 1,
      size: 50,
    },
  },
  async answer(call) {
    const seesResults = call.allows('labOrderResult');
    // A filter would reveal the interpretation.
    if (!seesResults && call.query.interpretation !== undefined) {
      const detail =
        'This deployment keeps lab results, and so their interpretation, from this role.';
      throw new ProblemError({ type: 'forbidden', detail });
    }
    const query = ordersQueryOf(call.query);
    const page = await call.find(query);
    call.disclose({ patients: page.userIds, recordCount: page.orders.length, shown: 'listed' });
    const orders = seesResults ? page.orders : page.orders.map(withoutInterpretation);
    const total = page.total ?? 'null';
    const rest = seesResults ? (page.rest ?? '') : '';
    return `{"orders":[${orders.join(',')}],"total":${total},"page":${query.page},"size":${page.size ?? query.size}${rest}}`;
  },
};

function ordersQueryOf(query: ListOrdersQuery): OrdersQuery {
  const start = (date: string | undefined): number | undefined =>
    date === undefined ? undefined : instantOfQueryDate(date, 'start');
  const end = (date: string | undefined): number | undefined =>
    date === undefined ? undefined : instantOfQueryDate(date, 'end');
  const orders = {
    userId: query.user_id,
    patientName: query.patient_name,
    searchInput: query.search_input,
    createdFromUs: start(query.start_date),
    createdUntilUs: end(query.end_date),
    updatedFromUs: start(query.updated_start_date),
    updatedUntilUs: end(query.updated_end_date),
    statuses: query.status,
    interpretation: query.interpretation,
    orderIds: query.order_ids,
    key: query.order_key ?? 'created_at',
    direction: query.order_direction ?? 'desc',
    page: query.page ?? 1,
    size: query.size ?? DEFAULT_SIZE,
  };
  requireOrdered(orders.createdFromUs, orders.createdUntilUs, '');
  requireOrdered(orders.updatedFromUs, orders.updatedUntilUs, 'updated_');
  if (orders.orderIds?.every(isUuid) === false) {
    throw invalidParameters({ parameter: 'order_ids', reason: 'must be UUIDs' });
  }
  if ((orders.page - 1) * orders.size > Number.MAX_SAFE_INTEGER) {
    throw invalidParameters({ parameter: 'page', reason: 'is too large' });
  }
  return orders;
}

function requireOrdered(from: number | undefined, until: number | undefined, prefix: string): void {
  if (from !== undefined && until !== undefined && until < from) {
    const parameter = `${prefix}end_date`;
    throw invalidParameters({ parameter, reason: `is before ${prefix}start_date` });
  }
}

const OF_RESULTS: readonly string[] = [
  'interpretation',
  'has_missing_results',
] satisfies (keyof Order)[];

function withoutInterpretation(order: string): string {
  const members = Object.entries(JSON.parse(order) as Order);
  return JSON.stringify(Object.fromEntries(members.filter(([name]) => !OF_RESULTS.includes(name))));
}
