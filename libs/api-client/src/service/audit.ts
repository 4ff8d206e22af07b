import type {
  AuditDecision,
  AuditEvent,
  AuditEventsPage,
  AuditExportFormat,
  AuditLogState,
  DeskEvent,
  DeskEventRecorded,
  Disclosure,
  DisclosureLanguage,
  DisclosureList,
} from '@caregate/domain';
import type { ApiPromise } from '../api-promise.ts';
import { objectWith } from '../shape.ts';
import { eachItem } from './pages.ts';
import type { CallOptions, CallParts, Connection } from '../call.ts';
import type { Expected } from '../read-response.ts';
import { SERVICE_ROUTES } from '../service-route.ts';

const eventsPage: Expected = { form: 'json', fault: objectWith({ events: 'array' }) };
const disclosuresPage: Expected = { form: 'json', fault: objectWith({ disclosures: 'array' }) };
const recorded: Expected = { form: 'json', fault: objectWith({ record_id: 'string' }) };
const logState: Expected = {
  form: 'json',
  fault: objectWith({ log_id: 'string', checkpoint: 'object', verified: 'object' }),
};
const plainText: Expected = { form: 'text', accept: 'text/plain' };
const exportForms: Readonly<Record<AuditExportFormat, Expected>> = {
  csv: { form: 'text', accept: 'text/csv' },
  fhir: { form: 'text', accept: 'application/fhir+ndjson' },
};

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
  /** Language of the words. */
  readonly lang?: DisclosureLanguage | undefined;
  /** Disclosures of a page, 1 to 500; default 100. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

function filterQuery({
  actorId,
  clientUserId,
  ...others
}: EventFilter): CallParts['query'] & object {
  return { ...others, actor_id: actorId, client_user_id: clientUserId };
}

function rangeQuery(query: DisclosuresAsked): CallParts['query'] & object {
  const { startDate, endDate, ...others } = query;
  return { ...others, start_date: startDate, end_date: endDate };
}

/** `GET /audit/events`: one page, newest first. It may have fewer events than others, or none, and not be the last. */
export function listAuditEvents(
  connection: Connection,
  query: EventsQuery = {},
  options?: CallOptions,
): ApiPromise<AuditEventsPage> {
  const parts = (): CallParts => ({ query: filterQuery(query) });
  return connection(SERVICE_ROUTES.listAuditEvents, eventsPage, parts, options);
}

/** All events of the query, newest first; a snapshot as of the first page. */
export function eachAuditEvent(
  connection: Connection,
  query: Omit<EventsQuery, 'cursor'> = {},
  options?: CallOptions,
): AsyncGenerator<AuditEvent, void, undefined> {
  return eachItem(
    'GET /audit/events',
    async (cursor) => {
      const page = await listAuditEvents(connection, { ...query, cursor }, options);
      return { items: page.events, next: page.next_cursor };
    },
    options,
  );
}

/** `GET /audit/alarms`: one page, newest first. */
export function listAuditAlarms(
  connection: Connection,
  query: { readonly cursor?: string | undefined } = {},
  options?: CallOptions,
): ApiPromise<AuditEventsPage> {
  const { cursor } = query;
  return connection(
    SERVICE_ROUTES.listAuditAlarms,
    eventsPage,
    () => ({ query: { cursor } }),
    options,
  );
}

/** All alarms of the team, newest first. */
export function eachAuditAlarm(
  connection: Connection,
  options?: CallOptions,
): AsyncGenerator<AuditEvent, void, undefined> {
  return eachItem(
    'GET /audit/alarms',
    async (cursor) => {
      const page = await listAuditAlarms(connection, { cursor }, options);
      return { items: page.events, next: page.next_cursor };
    },
    options,
  );
}

/** `GET /audit/patients/{user_id}/disclosures`: one page of who was shown data of a user, newest first. */
export function listDisclosures(
  connection: Connection,
  userId: string,
  query: DisclosuresAsked = {},
  options?: CallOptions,
): ApiPromise<DisclosureList> {
  const parts = (): CallParts => ({ ids: { user_id: userId }, query: rangeQuery(query) });
  return connection(SERVICE_ROUTES.listDisclosures, disclosuresPage, parts, options);
}

/** All disclosures of a user's data, newest first. */
export function eachDisclosure(
  connection: Connection,
  userId: string,
  query: Omit<DisclosuresAsked, 'cursor'> = {},
  options?: CallOptions,
): AsyncGenerator<Disclosure, void, undefined> {
  return eachItem(
    'GET /audit/patients/{user_id}/disclosures',
    async (cursor) => {
      const page = await listDisclosures(connection, userId, { ...query, cursor }, options);
      return { items: page.disclosures, next: page.next_cursor };
    },
    options,
  );
}

/**
 * `POST /audit/desk-events`. Await it before the document is printed, copied, saved or exported: then its record is
 * durable. Sent once; if it rejects, nothing may leave the desk.
 */
export function recordDeskEvent(
  connection: Connection,
  event: DeskEvent,
  options?: CallOptions,
): ApiPromise<DeskEventRecorded> {
  return connection(SERVICE_ROUTES.recordDeskEvent, recorded, () => ({ body: event }), options);
}

/** `GET /audit/log`: the state of the log and of its witnesses. */
export function auditLogState(
  connection: Connection,
  options?: CallOptions,
): ApiPromise<AuditLogState> {
  return connection(SERVICE_ROUTES.auditLogState, logState, () => ({}), options);
}

/** `GET /audit/export`: one part. `(await …withResponse()).headers['x-next-cursor']` is the cursor of the next. */
export function exportAuditEvents(
  connection: Connection,
  query: ExportQuery,
  options?: CallOptions,
): ApiPromise<string> {
  const { format } = query;
  const parts = (): CallParts => ({ query: { ...filterQuery(query), format } });
  return connection(SERVICE_ROUTES.exportAuditEvents, exportForms[format], parts, options);
}

/** All parts of an export, which put together are one file. */
export function eachExportPart(
  connection: Connection,
  query: Omit<ExportQuery, 'cursor'>,
  options?: CallOptions,
): AsyncGenerator<string, void, undefined> {
  return eachItem(
    'GET /audit/export',
    async (cursor) => {
      const part = exportAuditEvents(connection, { ...query, cursor }, options);
      const { data, headers } = await part.withResponse();
      return { items: [data], next: headers['x-next-cursor'] };
    },
    options,
  );
}

/** `GET /audit/checkpoint`: the signed checkpoint of the log (C2SP tlog-checkpoint). */
export function auditCheckpoint(connection: Connection, options?: CallOptions): ApiPromise<string> {
  return connection(SERVICE_ROUTES.auditCheckpoint, plainText, () => ({}), options);
}

/** `GET /audit/key`: the public key that verifies checkpoints, with a line break at its end. */
export function auditKey(connection: Connection, options?: CallOptions): ApiPromise<string> {
  return connection(SERVICE_ROUTES.auditKey, plainText, () => ({}), options);
}
