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
import { formatRoute, type CallOptions, type Connection } from '../call.ts';
import { throwIfAborted } from '../deadline.ts';
import { InvalidResponseError } from '../errors/call-errors.ts';
import type { Expected } from '../read-response.ts';
import { SERVICE_ROUTES } from '../service-route.ts';
import { call, plainText, type Call } from './calls.ts';

/** Filters of audit events. An event must match all of them. */
export interface EventFilter {
  /** User ID. Only events in which data of this user was returned. */
  readonly patient?: string | undefined;
  /** Like `patient`, by the user's ID in the team's own system. Can't be combined with `patient`. */
  readonly clientUserId?: string | undefined;
  /** ID of a staff member or API key. With `decision: 'allowed'`, only events in which data was returned to them. */
  readonly actorId?: string | undefined;
  readonly operation?: string | undefined;
  readonly decision?: AuditDecision | undefined;
  /** Only events from this date (00:00:00 UTC) or ISO 8601 date-time on. */
  readonly from?: string | undefined;
  /** Only events up to this date (23:59:59 UTC) or ISO 8601 date-time. */
  readonly to?: string | undefined;
}

export interface EventsQuery extends EventFilter {
  /** ID of a record (`x-audit-record-id`). */
  readonly record?: string | undefined;
  readonly log?: string | undefined;
  /** `next_cursor` of the previous page. */
  readonly cursor?: string | undefined;
}

export interface ExportQuery extends EventFilter {
  readonly format: AuditExportFormat;
  /** Maximum number of events in a part, 1 to 5,000; 1,000 by default. */
  readonly limit?: number | undefined;
  /** `x-next-cursor` of the previous part. */
  readonly cursor?: string | undefined;
}

export interface DisclosuresQuery {
  /** Only disclosures from this date (00:00:00 UTC) or ISO 8601 date-time on. */
  readonly startDate?: string | undefined;
  /** Only disclosures up to this date (23:59:59 UTC) or ISO 8601 date-time. */
  readonly endDate?: string | undefined;
  /** Maximum number of disclosures on a page, 1 to 500; 100 by default. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/**
 * `GET /audit/events`: one page, newest first. A page may have few events or none without being the last one.
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
 * Iterates all events that match the query, newest first, as of the request of the first page.
 *
 * @example
 * for await (const event of eachAuditEvent(connection, { actorId, decision: 'allowed' })) {
 * console.log(event.occurred_at, event.record_id);
 * }
 */
export function eachAuditEvent(
  connection: Connection,
  query: Omit<EventsQuery, 'cursor'> = {},
  options?: CallOptions,
): AsyncGenerator<AuditEvent, void, undefined> {
  return iterateItems('listAuditEvents', options, async (cursor) => {
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
 * Iterates all alarms of the team, newest first.
 *
 * @example
 * for await (const alarm of eachAuditAlarm(connection)) console.log(alarm.occurred_at);
 */
export function eachAuditAlarm(
  connection: Connection,
  options?: CallOptions,
): AsyncGenerator<AuditEvent, void, undefined> {
  return iterateItems('listAuditAlarms', options, async (cursor) => {
    const page = await listAuditAlarms(connection, { cursor }, options);
    return [page.events, page.next_cursor];
  });
}

/**
 * `GET /audit/patients/{user_id}/disclosures`: one page of the disclosures of a user's data, newest first.
 *
 * @example
 * const { disclosures } = await listDisclosures(connection, userId, { limit: 50 });
 */
export const listDisclosures: Call<DisclosureList, [userId: string, query?: DisclosuresQuery]> =
  /* @__PURE__ */ call('listDisclosures', { disclosures: 'array' }, (userId, query) => ({
    ...{ ids: { user_id: userId }, query },
  }));

/**
 * Iterates all disclosures of a user's data, newest first.
 *
 * @example
 * for await (const { occurred_at, actor, how } of eachDisclosure(connection, userId)) {
 * console.log(occurred_at, actor.name, how);
 * }
 */
export function eachDisclosure(
  connection: Connection,
  userId: string,
  query: Omit<DisclosuresQuery, 'cursor'> = {},
  options?: CallOptions,
): AsyncGenerator<Disclosure, void, undefined> {
  return iterateItems('listDisclosures', options, async (cursor) => {
    const page = await listDisclosures(connection, userId, { ...query, cursor }, options);
    return [page.disclosures, page.next_cursor];
  });
}

/**
 * `POST /audit/desk-events`: records that a document will be printed, copied, saved or exported. Await it before the
 * action, since the record is durable only then. It is sent once; if it rejects, no data may leave the desk.
 *
 * @example
 * await recordDeskEvent(connection, {
 * kind: 'print',
 * document: 'lab_report',
 * pages: 1,
 * record_ids: [recordId],
 * });
 */
export const recordDeskEvent: Call<DeskEventRecorded, [event: DeskEvent]> = /* @__PURE__ */ call(
  'recordDeskEvent',
  { record_id: 'string' },
  (body) => ({ body }),
);

/**
 * `GET /audit/log`: the state of the audit log.
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
 * `GET /audit/export`: one part of an export. `(await …withResponse()).headers['x-next-cursor']` is the cursor of the
 * next part.
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
 * Iterates all parts of an export. Joined together, they are one file.
 *
 * @example
 * for await (const part of eachExportPart(connection, { format: 'csv' })) process.stdout.write(part);
 */
export function eachExportPart(
  connection: Connection,
  query: Omit<ExportQuery, 'cursor'>,
  options?: CallOptions,
): AsyncGenerator<string, void, undefined> {
  return iterateItems('exportAuditEvents', options, async (cursor) => {
    const part = exportAuditEvents(connection, { ...query, cursor }, options);
    const { data, headers } = await part.withResponse();
    return [[data], headers['x-next-cursor']];
  });
}

/**
 * `GET /audit/checkpoint`: the signed checkpoint of the audit log (C2SP tlog-checkpoint).
 *
 * @example
 * const note = await auditCheckpoint(connection);
 */
export const auditCheckpoint: Call<string> = /* @__PURE__ */ call('auditCheckpoint', plainText);

/**
 * `GET /audit/key`: the public key that verifies checkpoints, followed by a line break.
 *
 * @example
 * const key = await auditKey(connection);
 */
export const auditKey: Call<string> = /* @__PURE__ */ call('auditKey', plainText);

/** The last page has no cursor. */
type ItemsAndCursor<Item> = readonly [items: readonly Item[], next: string | null | undefined];

/** Requests pages on demand. Throws InvalidResponseError if a cursor repeats. */
async function* iterateItems<Item>(
  name: keyof typeof SERVICE_ROUTES,
  options: CallOptions | undefined,
  loadPage: (cursor: string | undefined) => Promise<ItemsAndCursor<Item>>,
): AsyncGenerator<Item, void, undefined> {
  const route = formatRoute(SERVICE_ROUTES[name]);
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (;;) {
    const [items, next] = await loadPage(cursor);
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
