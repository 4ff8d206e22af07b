import type {
  AuditDecision,
  AuditEvent,
  AuditEventsPage,
  AuditExportFormat,
  AuditLogState,
  DeskEvent,
  DeskEventRecorded,
  Disclosure,
  DisclosureList,
} from '@caregate/domain';
import type { ApiPromise } from '../api-promise.ts';
import { routeOf, type CallOptions, type Connection } from '../call.ts';
import { throwIfAborted } from '../deadline.ts';
import { InvalidResponseError } from '../errors/call-errors.ts';
import type { Expected } from '../read-response.ts';
import { SERVICE_ROUTES } from '../service-route.ts';
import { call, plainText, type Call } from './calls.ts';

/** Which events; all conditions must match. */
export interface EventFilter {
  /** User id: data of this user was returned. */
  readonly patient?: string | undefined;
  /** The same by the user's id in the team's own system; not beside `patient`. */
  readonly clientUserId?: string | undefined;
  /** Staff id or key id. With `decision: 'allowed'`: what this person saw. */
  readonly actorId?: string | undefined;
  readonly operation?: string | undefined;
  readonly decision?: AuditDecision | undefined;
  /** A date (00:00:00 UTC) or an ISO 8601 date-time. */
  readonly from?: string | undefined;
  /** A date (23:59:59 UTC) or an ISO 8601 date-time. */
  readonly to?: string | undefined;
}

export interface EventsQuery extends EventFilter {
  /** Id of one record (`x-audit-record-id`). */
  readonly record?: string | undefined;
  readonly log?: string | undefined;
  /** `next_cursor` of the previous page. */
  readonly cursor?: string | undefined;
}

export interface ExportQuery extends EventFilter {
  readonly format: AuditExportFormat;
  /** Events of a part, 1 to 5,000; default 1,000. */
  readonly limit?: number | undefined;
  /** `x-next-cursor` of the previous part. */
  readonly cursor?: string | undefined;
}

export interface DisclosuresAsked {
  /** A date (00:00:00 UTC) or an ISO 8601 date-time. */
  readonly startDate?: string | undefined;
  /** A date (23:59:59 UTC) or an ISO 8601 date-time. */
  readonly endDate?: string | undefined;
  /** Disclosures of a page, 1 to 500; default 100. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/**
 * `GET /audit/events`: one page, newest first. It may have fewer events than others, or none, and not be the last.
 *
 * @example
 * const { events, next_cursor } = await listAuditEvents(connection, { patient: userId });
 */
export const listAuditEvents: Call<AuditEventsPage, [query?: EventsQuery]> = /* @__PURE__ */ call(
  'listAuditEvents',
  { events: 'array' },
  (query) => ({ query }),
);

/**
 * All events of the query, newest first; a snapshot as of the first page.
 *
 * @example
 * for await (const event of eachAuditEvent(connection, { actorId, decision: 'allowed' })) {
 *   console.log(event.occurred_at, event.record_id);
 * }
 */
export function eachAuditEvent(
  connection: Connection,
  query: Omit<EventsQuery, 'cursor'> = {},
  options?: CallOptions,
): AsyncGenerator<AuditEvent, void, undefined> {
  return eachItem('listAuditEvents', options, async (cursor) => {
    const page = await listAuditEvents(connection, { ...query, cursor }, options);
    return [page.events, page.next_cursor];
  });
}

/**
 * `GET /audit/alarms`: one page, newest first.
 *
 * @example
 * const { events } = await listAuditAlarms(connection);
 */
export const listAuditAlarms: Call<AuditEventsPage, [query?: { cursor?: string | undefined }]> =
  /* @__PURE__ */ call('listAuditAlarms', { events: 'array' }, (query) => ({ query }));

/**
 * All alarms of the team, newest first.
 *
 * @example
 * for await (const alarm of eachAuditAlarm(connection)) console.log(alarm.occurred_at);
 */
export function eachAuditAlarm(
  connection: Connection,
  options?: CallOptions,
): AsyncGenerator<AuditEvent, void, undefined> {
  return eachItem('listAuditAlarms', options, async (cursor) => {
    const page = await listAuditAlarms(connection, { cursor }, options);
    return [page.events, page.next_cursor];
  });
}

/**
 * `GET /audit/patients/{user_id}/disclosures`: one page of who was shown data of a user, newest first.
 *
 * @example
 * const { disclosures } = await listDisclosures(connection, userId, { limit: 50 });
 */
export const listDisclosures: Call<DisclosureList, [userId: string, query?: DisclosuresAsked]> =
  /* @__PURE__ */ call('listDisclosures', { disclosures: 'array' }, (userId, query) => ({
    ...{ ids: { user_id: userId }, query },
  }));

/**
 * All disclosures of a user's data, newest first.
 *
 * @example
 * for await (const { occurred_at, actor, how } of eachDisclosure(connection, userId)) {
 *   console.log(occurred_at, actor.name, how);
 * }
 */
export function eachDisclosure(
  connection: Connection,
  userId: string,
  query: Omit<DisclosuresAsked, 'cursor'> = {},
  options?: CallOptions,
): AsyncGenerator<Disclosure, void, undefined> {
  return eachItem('listDisclosures', options, async (cursor) => {
    const page = await listDisclosures(connection, userId, { ...query, cursor }, options);
    return [page.disclosures, page.next_cursor];
  });
}

/**
 * `POST /audit/desk-events`. Await it before a document is printed, copied, saved or exported: its record is then durable.
 * Sent once; if it rejects, nothing may leave the desk.
 *
 * @example
 * await recordDeskEvent(connection, {
 *   kind: 'print',
 *   document: 'lab_report',
 *   pages: 1,
 *   record_ids: [recordId],
 * });
 */
export const recordDeskEvent: Call<DeskEventRecorded, [event: DeskEvent]> = /* @__PURE__ */ call(
  'recordDeskEvent',
  { record_id: 'string' },
  (body) => ({ body }),
);

/**
 * `GET /audit/log`: the state of the log.
 *
 * @example
 * const { checkpoint, verified } = await auditLogState(connection);
 */
export const auditLogState: Call<AuditLogState> = /* @__PURE__ */ call('auditLogState', {
  ...{ log_id: 'string', checkpoint: 'object', verified: 'object' },
});

const exportForms: Readonly<Record<AuditExportFormat, Expected>> = {
  csv: { form: 'text', accept: 'text/csv' },
  fhir: { form: 'text', accept: 'application/fhir+ndjson' },
};

/**
 * `GET /audit/export`: one part. `(await …withResponse()).headers['x-next-cursor']` is the cursor of the next.
 *
 * @example
 * const csv = await exportAuditEvents(connection, { format: 'csv', from: '2026-03-01' });
 */
export function exportAuditEvents(
  connection: Connection,
  query: ExportQuery,
  options?: CallOptions,
): ApiPromise<string> {
  const expected = exportForms[query.format];
  const name = 'exportAuditEvents';
  return connection({ name, ...SERVICE_ROUTES[name] }, expected, () => ({ query }), options);
}

/**
 * All parts of an export, which put together are one file.
 *
 * @example
 * for await (const part of eachExportPart(connection, { format: 'csv' })) process.stdout.write(part);
 */
export function eachExportPart(
  connection: Connection,
  query: Omit<ExportQuery, 'cursor'>,
  options?: CallOptions,
): AsyncGenerator<string, void, undefined> {
  return eachItem('exportAuditEvents', options, async (cursor) => {
    const part = exportAuditEvents(connection, { ...query, cursor }, options);
    const { data, headers } = await part.withResponse();
    return [[data], headers['x-next-cursor']];
  });
}

/**
 * `GET /audit/checkpoint`: the signed checkpoint of the log (C2SP tlog-checkpoint).
 *
 * @example
 * const note = await auditCheckpoint(connection);
 */
export const auditCheckpoint: Call<string> = /* @__PURE__ */ call('auditCheckpoint', plainText);

/**
 * `GET /audit/key`: the public key that verifies checkpoints, with a line break at its end.
 *
 * @example
 * const key = await auditKey(connection);
 */
export const auditKey: Call<string> = /* @__PURE__ */ call('auditKey', plainText);

/** The last page has no cursor. */
type ItemsAndCursor<Item> = readonly [items: readonly Item[], next: string | null | undefined];

/** Pages are requested on demand. Throws InvalidResponseError if a cursor repeats. */
async function* eachItem<Item>(
  name: keyof typeof SERVICE_ROUTES,
  options: CallOptions | undefined,
  page: (cursor: string | undefined) => Promise<ItemsAndCursor<Item>>,
): AsyncGenerator<Item, void, undefined> {
  const route = routeOf(SERVICE_ROUTES[name]);
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (;;) {
    const [items, next] = await page(cursor);
    for (const item of items) {
      throwIfAborted(options?.signal, route);
      yield item;
    }
    if (next === null || next === undefined) return;
    if (seen.has(next)) throw new InvalidResponseError(route, 'response repeats a cursor', 200);
    seen.add(next);
    cursor = next;
  }
}
