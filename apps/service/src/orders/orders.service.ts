import { Injectable } from '@nestjs/common';
import type { ListOrdersQuery, Order, OrderList } from '@caregate/domain';
import type { Caller } from '../auth/caller.ts';
import { Answer } from '../common/answer.ts';
import { requireFound, ProblemError } from '../problem/problem-error.ts';
import { HealthDataSource, type NoResult } from '@caregate/data-store';
import { buildHistory } from './order-history.ts';
import { parseOrdersQuery } from './orders-query.ts';

@Injectable()
export class OrdersService {
  constructor(private readonly data: HealthDataSource) {}

  /** @throws ProblemError 404, with the type `no-result` and the order's status if only the result is missing */
  async getLabResult(caller: Caller, orderId: string): Promise<Answer> {
    const found = await this.data.getLabResult(caller.teamId, orderId, caller);
    const { body, userId, ...missing } = requireFound(found);
    const patients = userId === undefined ? [] : [userId];
    if (body === undefined) {
      const { orderStatus = '' } = missing as NoResult;
      throw new ProblemError({
        type: 'no-result',
        disclosure: { patients, recordCount: 0 },
        ...(/^[\w.-]{1,100}$/u.test(orderStatus) && { orderStatus }),
      });
    }
    return new Answer(body, { patients, recordCount: 1 });
  }

  /**
   * @throws ProblemError 403 if the caller filters by interpretation but may not see results; 422 for an invalid
   * query; 501 if an upstream has no list
   */
  async list(caller: Caller, query: ListOrdersQuery): Promise<Answer> {
    const seesResults = caller.allows('labOrderResult');
    // The filter would reveal the interpretation of results.
    if (!seesResults && query.interpretation !== undefined) {
      const detail =
        'This deployment does not show lab results, including their interpretation, to this role.';
      throw new ProblemError({ type: 'forbidden', detail });
    }
    const orders = parseOrdersQuery(query);
    const page = await this.data.listOrders(caller.teamId, orders, caller);
    return new Answer(seesResults ? page.body : withoutInterpretations(page.body), {
      patients: page.userIds,
      recordCount: page.userIds.length,
      shown: 'listed',
    });
  }

  /**
   * @param orderId lower-case UUID @throws ProblemError 404 if there is no such order; 501 if an upstream has no
   * history
   */
  async getOrderHistory(caller: Caller, orderId: string): Promise<Answer> {
    const found = await this.data.getOrderHistory(caller.teamId, orderId, caller);
    const stored = requireFound(found);
    const history = await buildHistory(orderId, stored, caller.pause);
    const earlier = history.biomarkers.flatMap((each) => each.earlier.map((one) => one.order_id));
    const orderIds = [...new Set([orderId, ...earlier])];
    return new Answer(JSON.stringify(history), {
      patients: [stored.userId],
      recordCount: orderIds.length,
      details: { order_ids: orderIds.join(' ') },
    });
  }
}

const MEMBERS_FROM_RESULTS: readonly string[] = [
  'interpretation',
  'has_missing_results',
] satisfies (keyof Order)[];

/** Also removes members that aren't in the interface document, since they may contain results. */
function withoutInterpretations(body: string): string {
  const { orders, total, page, size } = JSON.parse(body) as OrderList;
  const shown = orders.map((order) =>
    Object.fromEntries(
      Object.entries(order).filter(([name]) => !MEMBERS_FROM_RESULTS.includes(name)),
    ),
  );
  return JSON.stringify({ orders: shown, total, page, size });
}
