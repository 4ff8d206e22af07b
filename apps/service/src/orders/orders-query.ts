import { toQueryInstant, isUuid, type ListOrdersQuery } from '@caregate/domain';
import { createInvalidParameterError } from '../problem/problem-error.ts';
import type { OrdersQuery } from '@caregate/data-store';

const DEFAULT_SIZE = 50;

/** @throws ProblemError 422 if the range ends before it begins */
export function parseOrdersQuery(query: ListOrdersQuery): OrdersQuery {
  const toInstant = (date: string | undefined, end: 'start' | 'end'): number | undefined =>
    date === undefined ? undefined : toQueryInstant(date, end);
  const orders = {
    userId: query.user_id,
    patientName: query.patient_name,
    searchInput: query.search_input,
    createdFromUs: toInstant(query.start_date, 'start'),
    createdUntilUs: toInstant(query.end_date, 'end'),
    updatedFromUs: toInstant(query.updated_start_date, 'start'),
    updatedUntilUs: toInstant(query.updated_end_date, 'end'),
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
    throw createInvalidParameterError({ parameter: 'order_ids', reason: 'must be UUIDs' });
  }
  if ((orders.page - 1) * orders.size > Number.MAX_SAFE_INTEGER) {
    throw createInvalidParameterError({ parameter: 'page', reason: 'is too large' });
  }
  return orders;
}

function requireOrdered(from: number | undefined, until: number | undefined, prefix: string): void {
  if (from !== undefined && until !== undefined && until < from) {
    const parameter = `${prefix}end_date`;
    throw createInvalidParameterError({ parameter, reason: `is before ${prefix}start_date` });
  }
}
