import type {
  LabOrderResult,
  ListOrdersQuery,
  NO_RESULT,
  Order,
  OrderHistory,
  OrderList,
} from '@caregate/domain';
import { LAB_ORDER_RESULT, LIST_ORDERS, ORDER_HISTORY } from '@caregate/domain/operations';
import { checkInteger } from './errors/check-arguments.ts';
import { formatRoute, type CallOptions, type CallParts, type Connection } from './call.ts';
import type { ApiPromise } from './api-promise.ts';
import { checkTimeout, throwIfAborted, withDeadline } from './deadline.ts';
import { NotFoundError } from './errors/api-errors.ts';
import { CircuitOpenError, InvalidResponseError } from './errors/call-errors.ts';
import { withCallerStack } from './errors/health-data-error.ts';
import { pause } from './resilience/clock.ts';
import { findRetryReason } from './resilience/retries.ts';
import { createShapeCheck } from './shape.ts';

const findResultFault = /* @__PURE__ */ createShapeCheck({ metadata: 'object', results: 'array' });
const findListFault = /* @__PURE__ */ createShapeCheck({ orders: 'array' });
const findHistoryFault = /* @__PURE__ */ createShapeCheck({ biomarkers: 'array' });

const LARGEST_PAGE = 100;

export interface OrdersQuery {
  readonly userId?: string | undefined;
  /** Words or parts of words of the patient's name, in any order. It becomes part of the request's URL. */
  readonly patientName?: string | undefined;
  /** Order ID, user ID, patient's name, or birth date. It becomes part of the request's URL. */
  readonly searchInput?: string | undefined;
  /** Only orders created on or after this date or date-time. */
  readonly startDate?: string | undefined;
  /** Only orders created up to this date or date-time. */
  readonly endDate?: string | undefined;
  readonly updatedStartDate?: string | undefined;
  readonly updatedEndDate?: string | undefined;
  /** Only orders with one of these detailed statuses, such as `completed`. */
  readonly status?: readonly string[] | undefined;
  readonly interpretation?: string | undefined;
  /** Sort key; `created_at` by default. */
  readonly orderKey?: ListOrdersQuery['order_key'] | undefined;
  /** Sort direction; `desc` by default. */
  readonly orderDirection?: ListOrdersQuery['order_direction'] | undefined;
  readonly orderIds?: readonly string[] | undefined;
}

export interface OrdersPageQuery extends OrdersQuery {
  /** Number of the page, starting at 1. */
  readonly page?: number | undefined;
  /** Orders for each page, 1 to 100; 50 by default. */
  readonly size?: number | undefined;
}

export interface WaitOptions extends CallOptions {
  /** Maximum time to wait in milliseconds, up to about 24 days; an hour by default. `timeoutMs` limits each request. */
  readonly waitMs?: number | undefined;
}

/** Lab orders. All methods reject only with subclasses of HealthDataError. */
export class Orders {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * `GET /v3/order/{order_id}/result`
   *
   * @example
   * const { results } = await client.orders.result(orderId);
   * for (const { name, result, unit } of results) console.log(name, result, unit);
   */
  result(orderId: string, options?: CallOptions): ApiPromise<LabOrderResult> {
    const ids = { order_id: orderId };
    return this.#connection(LAB_ORDER_RESULT, findResultFault, () => ({ ids }), options);
  }

  /**
   * Polls until the order has a result: after two seconds, then after twice as long each time, up to a minute, but
   * not before `Retry-After`. Continues while the service is unreachable. Rejects with TimeoutError after `waitMs`,
   * and with NotFoundError if there is no such order, or if it was cancelled or failed (`orderStatus`).
   *
   * @example
   * const { results } = await client.orders.waitForResult(orderId, { waitMs: 600_000 });
   */
  async waitForResult(
    orderId: string,
    { waitMs = 3_600_000, ...options }: WaitOptions = {},
  ): Promise<LabOrderResult> {
    const { clock } = this.#connection;
    const wait = async (signal: AbortSignal): Promise<LabOrderResult> => {
      let isAwaited = false;
      for (let maxDelayMs = 2000; ; maxDelayMs = Math.min(60_000, maxDelayMs * 2)) {
        try {
          return await this.result(orderId, { ...options, signal });
        } catch (error) {
          isAwaited ||= isNoResult(error);
          if (!isAwaited || !canRetry(error)) throw error;
          const { retryAfter = 0 } = error as { retryAfter?: number };
          // Jitter: wait between half of the delay and all of it.
          await pause(clock, retryAfter * 1000 + (maxDelayMs * (1 + clock.random())) / 2, signal);
        }
      }
    };
    try {
      const route = formatRoute(LAB_ORDER_RESULT);
      return await withDeadline(clock, route, checkTimeout(waitMs, 'waitMs'), options.signal, wait);
    } catch (error) {
      throw withCallerStack(error);
    }
  }

  /**
   * `GET /v3/orders`: one page.
   *
   * @example
   * const { orders } = await client.orders.list({ userId, status: ['completed'], size: 20 });
   */
  list(query: OrdersPageQuery = {}, options?: CallOptions): ApiPromise<OrderList> {
    const buildParts = (): CallParts => {
      checkInteger('page', query.page, [1, Number.MAX_SAFE_INTEGER], formatRoute(LIST_ORDERS));
      checkInteger('size', query.size, [1, LARGEST_PAGE], formatRoute(LIST_ORDERS));
      return { query };
    };
    return this.#connection(LIST_ORDERS, findListFault, buildParts, options);
  }

  /**
   * Requests pages on demand. Orders that change meanwhile may shift others between pages. Throws
   * InvalidResponseError if the server ignores the page number.
   *
   * @example
   * for await (const order of client.orders.iterate({ startDate: '2026-03-01' })) console.log(order.id);
   */
  async *iterate(
    query: OrdersQuery & { readonly pageSize?: number | undefined } = {},
    options?: CallOptions,
  ): AsyncGenerator<Order, void, undefined> {
    const { pageSize: size = 50, ...filter } = query;
    const route = formatRoute(LIST_ORDERS);
    checkInteger('pageSize', size, [1, LARGEST_PAGE], route);
    for (let page = 1, seen = 0; ; page += 1) {
      const answer = await this.list({ ...filter, page, size }, options);
      if ((answer.page ?? page) !== page) {
        throw new InvalidResponseError(route, 'response has a different page', 200);
      }
      for (const order of answer.orders) {
        throwIfAborted(options?.signal, route);
        yield order;
      }
      seen += answer.orders.length;
      // An upstream may not report the total.
      if (seen >= (answer.total ?? Infinity) || answer.orders.length === 0) return;
    }
  }

  /**
   * `GET /desk/orders/{order_id}/history`: earlier results of each biomarker, and the version that a correction
   * replaced.
   *
   * @example
   * const { biomarkers } = await client.orders.history(orderId);
   * for (const { name, earlier } of biomarkers) console.log(name, earlier[0]?.measured.result);
   */
  history(orderId: string, options?: CallOptions): ApiPromise<OrderHistory> {
    const ids = { order_id: orderId };
    return this.#connection(ORDER_HISTORY, findHistoryFault, () => ({ ids }), options);
  }
}

const noResult: typeof NO_RESULT = '/problems/no-result';

function isNoResult(error: unknown): error is NotFoundError {
  return error instanceof NotFoundError && error.type === noResult;
}

function canRetry(error: unknown): boolean {
  return isNoResult(error)
    ? !/^(?:cancelled|failed)(?:\.|$)/.test(error.orderStatus ?? '')
    : error instanceof CircuitOpenError || findRetryReason(error) !== undefined;
}
