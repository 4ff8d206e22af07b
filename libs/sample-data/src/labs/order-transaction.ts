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
  const collected = day + random.integer(12 * 60, 18 * 60) * MINUTE;
  const received = collected + random.integer(5 * 60, 40 * 60) * MINUTE;
  const reported = received + random.integer(4 * 60, 60 * 60) * MINUTE;
  return { collected, received, reported };
}

export function orderTransaction(
  random: Random,
  course: OrderCourse,
  { transaction, first: firstId, second: secondId }: OrderIds,
  visit: Visit,
  redraw: Visit | undefined,
  until: number,
): OrderTransaction | undefined {
  const order = (
    id: string,
    origin: string,
    created: number,
    status: string,
    since: number,
  ): OrderTransactionOrder => {
    const updated = Math.min(since + random.integer(0, 45) * MINUTE, Math.max(until, since));
    return {
      id,
      created_at: formatDateTime(created),
      updated_at: formatDateTime(updated),
      low_level_status: status,
      low_level_status_created_at: formatDateTime(since),
      origin,
    };
  };
  const placed = visit.collected - random.integer(2 * 24 * 60, 9 * 24 * 60) * MINUTE;
  const first = order(firstId, 'initial', placed, 'completed', visit.reported);
  const partial = { ...first, low_level_status: 'partial_results' };
  const build = (status: string, ...orders: OrderTransactionOrder[]): OrderTransaction => ({
    id: transaction,
    status,
    orders,
  });
  switch (course) {
    case 'without_transaction':
      return undefined;
    case 'completed':
      return build('completed', first);
    case 'corrected': {
      const corrected = visit.reported + random.integer(20, 70) * HOUR;
      return build('completed', order(firstId, 'initial', placed, 'corrected', corrected));
    }
    case 'awaited':
      return build('active', order(firstId, 'initial', placed, 'delivered_to_lab', visit.received));
    case 'partial':
      return build('active', partial);
    case 'recreated': {
      const lost = placed - random.integer(4, 9) * DAY;
      const original = order(firstId, 'initial', lost - 5 * DAY, 'lost', lost);
      const again = lost + random.integer(10, 600) * MINUTE;
      return build(
        'completed',
        original,
        order(secondId, 'recreation', again, 'completed', visit.reported),
      );
    }
    case 'redraw_pending': {
      const offered = visit.reported + random.integer(10, 90) * MINUTE;
      const moved = offered + Math.floor(random.unit() * Math.max(until - offered, 0) * 0.8);
      const status = random.pick(redrawStatuses);
      return build('active', partial, order(secondId, 'redraw', offered, status, moved));
    }
    case 'redraw_completed': {
      const offered = visit.reported + random.integer(10, 90) * MINUTE;
      const reported = redraw?.reported ?? offered;
      return build('completed', partial, order(secondId, 'redraw', offered, 'completed', reported));
    }
  }
}
