import type { OrderTransaction, OrderTransactionOrder } from '@caregate/domain';
import type { Random } from '../random.ts';
import { DAY, HOUR, MINUTE, formatDateTime } from '../time.ts';
import type { OrderCourse } from './order-plan.ts';

/** When the specimen of an order was collected, received and reported on, in milliseconds since 1970. */
export interface Visit {
  readonly collected: number;
  readonly received: number;
  readonly reported: number;
}

export interface OrderIds {
  readonly transaction: string;
  readonly first: string;
  readonly second: string;
}

const redrawStatuses = [
  'redraw_available',
  'ordered',
  'requisition_created',
  'transit_customer',
  'out_for_delivery',
  'with_customer',
] as const;

export function drawVisit(random: Random, day: number): Visit {
  const collected = day + random.nextInteger(12 * 60, 18 * 60) * MINUTE;
  const received = collected + random.nextInteger(5 * 60, 40 * 60) * MINUTE;
  const reported = received + random.nextInteger(4 * 60, 60 * 60) * MINUTE;
  return { collected, received, reported };
}

export function drawOrderTransaction(
  random: Random,
  course: OrderCourse,
  { transaction, first: firstId, second: secondId }: OrderIds,
  visit: Visit,
  redraw: Visit | undefined,
  until: number,
): OrderTransaction | undefined {
  const buildOrder = (
    id: string,
    origin: string,
    created: number,
    status: string,
    since: number,
  ): OrderTransactionOrder => {
    const updated = Math.min(since + random.nextInteger(0, 45) * MINUTE, Math.max(until, since));
    return {
      id,
      created_at: formatDateTime(created),
      updated_at: formatDateTime(updated),
      low_level_status: status,
      low_level_status_created_at: formatDateTime(since),
      origin,
    };
  };
  const placed = visit.collected - random.nextInteger(2 * 24 * 60, 9 * 24 * 60) * MINUTE;
  const first = buildOrder(firstId, 'initial', placed, 'completed', visit.reported);
  const partial = { ...first, low_level_status: 'partial_results' };
  const buildTransaction = (
    status: string,
    ...orders: OrderTransactionOrder[]
  ): OrderTransaction => ({
    id: transaction,
    status,
    orders,
  });
  switch (course) {
    case 'without_transaction':
      return undefined;
    case 'completed':
      return buildTransaction('completed', first);
    case 'corrected': {
      const corrected = visit.reported + random.nextInteger(20, 70) * HOUR;
      return buildTransaction(
        'completed',
        buildOrder(firstId, 'initial', placed, 'corrected', corrected),
      );
    }
    case 'awaited':
      return buildTransaction(
        'active',
        buildOrder(firstId, 'initial', placed, 'delivered_to_lab', visit.received),
      );
    case 'partial':
      return buildTransaction('active', partial);
    case 'recreated': {
      const lost = placed - random.nextInteger(4, 9) * DAY;
      const original = buildOrder(firstId, 'initial', lost - 5 * DAY, 'lost', lost);
      const again = lost + random.nextInteger(10, 600) * MINUTE;
      return buildTransaction(
        'completed',
        original,
        buildOrder(secondId, 'recreation', again, 'completed', visit.reported),
      );
    }
    case 'redraw_pending': {
      const offered = visit.reported + random.nextInteger(10, 90) * MINUTE;
      const moved = offered + Math.floor(random.nextFloat() * Math.max(until - offered, 0) * 0.8);
      const status = random.pick(redrawStatuses);
      return buildTransaction(
        'active',
        partial,
        buildOrder(secondId, 'redraw', offered, status, moved),
      );
    }
    case 'redraw_completed': {
      const offered = visit.reported + random.nextInteger(10, 90) * MINUTE;
      const reported = redraw?.reported ?? offered;
      return buildTransaction(
        'completed',
        partial,
        buildOrder(secondId, 'redraw', offered, 'completed', reported),
      );
    }
  }
}
