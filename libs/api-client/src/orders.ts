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
import { routeOf, type CallOptions, type CallParts, type Connection } from './call.ts';
import type { ApiPromise } from './api-promise.ts';
import { checkTimeout, throwIfAborted, withDeadline } from './deadline.ts';
import { NotFoundError } from './errors/api-errors.ts';
import { CircuitOpenError, InvalidResponseError } from './errors/call-errors.ts';
import { withCallerStack } from './errors/health-data-error.ts';
import { pause } from './resilience/clock.ts';
import { retryReasonOf } from './resilience/retries.ts';
import { objectWith } from './shape.ts';

const resultFault = /* @__PURE__ */ objectWith({ metadata: 'object', results: 'array' });
const listFault = /* @__PURE__ */ objectWith({ orders: 'array' });
const historyFault = /* @__PURE__ */ objectWith({ biomarkers: 'array' });

const LARGEST_PAGE = 100;

export interface OrdersQuery {
  readonly userId?: string | undefined;
  /** Words or parts of words of the patient's name, in any order. Stands in the address of the request. */
  readonly patientName?: string | undefined;
  /** Order id, user id, patient's name, or birth date. Stands in the address of the request. */
  readonly searchInput?: string | undefined;
  /** Created on or after: a date or a date-time. */
  readonly startDate?: string | undefined;
  /** Created up to: a date or a date-time. */
  readonly endDate?: string | undefined;
  readonly updatedStartDate?: string | undefined;
  readonly updatedEndDate?: string | undefined;
  /** One of these detailed statuses, such as `completed`. */
  readonly status?: readonly string[] | undefined;
  readonly interpretation?: string | undefined;
  /** Default `created_at`. */
  readonly orderKey?: ListOrdersQuery['order_key'] | undefined;
  /** Default `desc`. */
  readonly orderDirection?: ListOrdersQuery['order_direction'] | undefined;
  readonly orderIds?: readonly string[] | undefined;
}

export interface OrdersPageQuery extends OrdersQuery {
  /** From 1. */
  readonly page?: number | undefined;
  /** Orders per page, 1 to 100; default 50. */
  readonly size?: number | undefined;
}

export interface WaitOptions extends CallOptions {
  /** How long to wait at most, in milliseconds, to about 24 days; default an hour. `timeoutMs` is that of one request. */
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
    return this.#connection(LAB_ORDER_RESULT, resultFault, () => ({ ids }), options);
  }

  /**
   * Asks after two seconds, then after twice as long each time, up to a minute, not before `Retry-After`; goes on while the
   * service cannot be reached. Rejects with TimeoutError after `waitMs`, and with NotFoundError if there is no such order, or
   * it was cancelled or has failed (`orderStatus`).
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
      for (let longest = 2000; ; longest = Math.min(60_000, longest * 2)) {
        try {
          return await this.result(orderId, { ...options, signal });
        } catch (error) {
          isAwaited ||= isNoResult(error);
          if (!isAwaited || !mayPass(error)) throw error;
          const { retryAfter = 0 } = error as { retryAfter?: number };
          // Jitter: a half to the whole.
          await pause(clock, retryAfter * 1000 + (longest * (1 + clock.random())) / 2, signal);
        }
      }
    };
    try {
      const route = routeOf(LAB_ORDER_RESULT);
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
    const parts = (): CallParts => {
      checkInteger('page', query.page, [1, Number.MAX_SAFE_INTEGER], routeOf(LIST_ORDERS));
      checkInteger('size', query.size, [1, LARGEST_PAGE], routeOf(LIST_ORDERS));
      return { query };
    };
    return this.#connection(LIST_ORDERS, listFault, parts, options);
  }

  /**
   * Pages on demand; orders changed meanwhile may shift others. Throws InvalidResponseError if the server ignores the page.
   *
   * @example
   * for await (const order of client.orders.iterate({ startDate: '2026-03-01' })) console.log(order.id);
   */
  async *iterate(
    query: OrdersQuery & { readonly pageSize?: number | undefined } = {},
    options?: CallOptions,
  ): AsyncGenerator<Order, void, undefined> {
    const { pageSize: size = 50, ...filter } = query;
    const route = routeOf(LIST_ORDERS);
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
      // An upstream may have no total.
      if (seen >= (answer.total ?? Infinity) || answer.orders.length === 0) return;
    }
  }

  /**
   * `GET /desk/orders/{order_id}/history`: earlier values of each biomarker, and the version that was replaced.
   *
   * @example
   * const { biomarkers } = await client.orders.history(orderId);
   * for (const { name, earlier } of biomarkers) console.log(name, earlier[0]?.measured.result);
   */
  history(orderId: string, options?: CallOptions): ApiPromise<OrderHistory> {
    const ids = { order_id: orderId };
    return this.#connection(ORDER_HISTORY, historyFault, () => ({ ids }), options);
  }
}

const noResult: typeof NO_RESULT = '/problems/no-result';

function isNoResult(error: unknown): error is NotFoundError {
  return error instanceof NotFoundError && error.type === noResult;
}

function mayPass(error: unknown): boolean {
  return isNoResult(error)
    ? !/^(?:cancelled|failed)(?:\.|$)/.test(error.orderStatus ?? '')
    : error instanceof CircuitOpenError || retryReasonOf(error) !== undefined;
}
