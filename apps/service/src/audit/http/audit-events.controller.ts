import { Controller, Get, Header, Inject, Query } from '@nestjs/common';
import type {
  AuditAlarmsQuery,
  AuditEvent,
  AuditEventsPage,
  AuditEventsQuery,
} from '@caregate/domain';
import { validateAuditAlarmsQuery, validateAuditEventsQuery } from '@caregate/domain/validate';
import { Operation } from '../../access/operation.decorator.ts';
import { CurrentPrincipal, type AllowedPrincipal } from '../../access/principal.ts';
import type { AccessNames } from '../../access/access-names.ts';
import { JSON_MEDIA_TYPE } from '../../http/media-type.ts';
import { ALARM_OPERATIONS, instantOfRecord, type AuditReceipt } from '@caregate/audit-log';
import { invalidParameters } from '../../problem/problem-error.ts';
import { RecordIds } from '../record-ids.ts';
import { actorOf, deviceOf, EventPages, rangeOf, type ReadEvent } from './event-pages.ts';
import type { EventsFilter } from '../trail/events-filter.ts';
import { CurrentDisclosure, type Disclose } from '../../http/disclosure.ts';

const PAGE = 100;
/** Position for unknown ids; belongs to no log. */
const NOWHERE: AuditReceipt = { logId: '', seq: 0 };

/** Audit events of the auditor's team, newest first. */
@Controller('audit')
export class AuditEventsController {
  readonly #pages: EventPages;
  readonly #recordIds: RecordIds;

  constructor(@Inject(EventPages) pages: EventPages, @Inject(RecordIds) recordIds: RecordIds) {
    this.#pages = pages;
    this.#recordIds = recordIds;
  }

  @Get('events')
  @Operation('listAuditEvents')
  @Header('content-type', JSON_MEDIA_TYPE)
  async events(
    @CurrentPrincipal() { teamId }: AllowedPrincipal,
    @Query({ schema: validateAuditEventsQuery }) query: AuditEventsQuery,
    @CurrentDisclosure() disclose: Disclose,
  ): Promise<AuditEventsPage> {
    return await this.#page({ teamId, ...this.#filterOf(query) }, query.cursor, disclose);
  }

  /** Alarms of the team. Those of the service are available with `caregate audit alarms`. */
  @Get('alarms')
  @Operation('listAuditAlarms')
  @Header('content-type', JSON_MEDIA_TYPE)
  async alarms(
    @CurrentPrincipal() { teamId }: AllowedPrincipal,
    @Query({ schema: validateAuditAlarmsQuery }) { cursor }: AuditAlarmsQuery,
    @CurrentDisclosure() disclose: Disclose,
  ): Promise<AuditEventsPage> {
    return await this.#page({ teamId, operations: ALARM_OPERATIONS }, cursor, disclose);
  }

  #filterOf(query: AuditEventsQuery): Omit<EventsFilter, 'teamId'> {
    const { log, record, patient, operation, decision, from, to } = query;
    return {
      log,
      record: record === undefined ? undefined : (this.#recordIds.receiptOf(record) ?? NOWHERE),
      patient: patient?.toLowerCase(),
      actor: actorAsked(query),
      operations: operation === undefined ? undefined : [operation],
      decision,
      ...rangeOf(from, to, 'to'),
    };
  }

  async #page(
    filter: EventsFilter,
    cursor: string | undefined,
    disclose: Disclose,
  ): Promise<AuditEventsPage> {
    const page = await this.#pages.page({ kind: 'audit events 3', filter, cursor, limit: PAGE });
    // Reading events does not count as disclosing their patients, or the log would grow with every read.
    disclose({ patients: [], recordCount: page.events.length });
    return {
      log_id: page.logId,
      events: page.events.map((event) => eventOf(event, page.names)),
      next_cursor: page.nextCursor,
    };
  }
}

/** `actor` is the older name of `actor_id`. @throws ProblemError 422 if both are given */
function actorAsked({ actor, actor_id: actorId }: AuditEventsQuery): string | undefined {
  if (actor !== undefined && actorId !== undefined) {
    throw invalidParameters({ parameter: 'actor', reason: 'must not be given beside actor_id' });
  }
  return actor ?? actorIdAsked(actorId);
}

/** Ids of staff members are lower-case uuids; the case of a key id matters. */
export function actorIdAsked(actorId: string | undefined): string | undefined {
  return actorId?.includes('-') === true ? actorId.toLowerCase() : actorId;
}

/** The event without its position, which would reveal the number of records of all teams; proofs include it. */
function eventOf({ recordId, record, event }: ReadEvent, names: AccessNames): AuditEvent {
  const fields = Object.entries(JSON.parse(event.body) as object).filter(
    ([name]) => name !== 'seq',
  );
  return {
    record_id: recordId,
    salt: event.salt.toString('base64'),
    patients: [...record.patients],
    occurred_at: instantOfRecord(record),
    actor: actorOf(record, names),
    session_id: record.session_id,
    device: deviceOf(record, names),
    body: Object.fromEntries(fields),
  };
}
