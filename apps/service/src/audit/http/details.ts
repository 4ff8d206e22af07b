import { isUuid } from '@caregate/domain';
import type { FastifyRequest } from 'fastify';
import { rawQuery } from '../../http/request-path.ts';

const instant = /^\d{4}-\d\d-\d\d(?:T[0-9:.]{5,16}(?:Z|[+-]\d\d:?\d\d)?)?$/u;

/**
 * Query parameters that may be recorded, with their formats: other values could be personal data.
 */
const ALLOWED: Readonly<Record<string, RegExp>> = {
  start_date: instant,
  end_date: instant,
  provider: /^[a-z0-9_-]{1,40}$/u,
  offset: /^\d{1,9}$/u,
  limit: /^\d{1,9}$/u,
  is_primary: /^(?:true|false)$/u,
  // The auditor's own.
  log: /^[0-9a-f]{12}$/u,
  record: /^[0-9a-f]{32}$/u,
  patient: /^[0-9a-fA-F-]{36}$/u,
  actor: /^(?:[A-Za-z0-9]{12}|[0-9a-fA-F-]{36})$/u,
  actor_id: /^(?:[A-Za-z0-9]{12}|[0-9a-fA-F-]{36})$/u,
  format: /^(?:csv|fhir)$/u,
  operation: /^[A-Za-z_]{1,40}$/u,
  decision: /^(?:allowed|denied|not_found|invalid|failed)$/u,
  from: instant,
  to: instant,
};

/** The recorded details of a request. Repeated parameters and values in other formats are omitted. */
export function detailsOf(
  request: FastifyRequest,
  hiddenClientUserId: (clientUserId: string) => string,
): Record<string, string> {
  const details: Record<string, string> = {};
  const text = rawQuery(request.raw.url ?? '');
  if (text !== '') {
    addQuery(details, new URLSearchParams(text));
  }
  const { user_id: userId, client_user_id: clientUserId } = paramsOf(request);
  if (userId !== undefined && isUuid(userId)) {
    details['asked_user_id'] = userId.toLowerCase();
  }
  if (clientUserId !== undefined) {
    details['client_user_id_hmac'] = hiddenClientUserId(clientUserId);
  }
  return details;
}

function addQuery(details: Record<string, string>, query: URLSearchParams): void {
  for (const name of new Set(query.keys())) {
    const [value = '', ...more] = query.getAll(name);
    if (more.length === 0 && Object.hasOwn(ALLOWED, name) && ALLOWED[name]?.test(value) === true) {
      details[name] = value;
    }
  }
}

/** The requested order, if it is a valid id. */
export function orderIdOf(request: FastifyRequest): string | null {
  const { order_id: orderId } = paramsOf(request);
  return orderId !== undefined && isUuid(orderId) ? orderId.toLowerCase() : null;
}

function paramsOf(request: FastifyRequest): Readonly<Partial<Record<string, string>>> {
  return (request.params ?? {}) as Partial<Record<string, string>>;
}
