import { ALARM_OPERATIONS, instantOfRecord } from '../system-record.ts';
import { Controller, Get, Header, Inject, Query, Req } from '@nestjs/common';
import type {
  AuditAlarmsQuery,
  AuditEvent,
  AuditEventsPage,
  AuditEventsQuery,
} from '@caregate/domain';
import { validateAuditAlarmsQuery, validateAuditEventsQuery } from '@caregate/domain/validate';
import type { FastifyRequest } from 'fastify';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Operation } from '../../access/operation.decorator.ts';
import { CurrentPrincipal } from '../../access/current-principal.decorator.ts';
import type { AllowedPrincipal } from '../../access/principal.ts';
import type { AccessNames } from '../../access/access-names.ts';
import { JSON_MEDIA_TYPE } from '../../http/media-types.ts';
import { type AuditReceipt } from '@caregate/audit-log';
import { RecordIds } from '../record-ids.ts';
import { PatientFinder } from './patient-finder.ts';
import {
  actorOf,
  deviceOf,
  EventPages,
  PAGE_WEIGHT,
  rangeOf,
  type ReadEvent,
} from './event-pages.ts';
import type { EventsFilter } from '../trail/audit-trail.ts';
import { CurrentDisclosure, type Disclose } from '../../http/disclosure.ts';

const PAGE = 100;
const NOWHERE: AuditReceipt = { logId: '', seq: 0 };

@Controller('audit')
export class AuditEventsController {
  readonly #pages: EventPages;
  readonly #patients: PatientFinder;
  readonly #recordIds: RecordIds;

  constructor(
    @Inject(EventPages) pages: EventPages,
    @Inject(PatientFinder) patients: PatientFinder,
    @Inject(RecordIds) recordIds: RecordIds,
  ) {
    this.#pages = pages;
    this.#patients = patients;
    this.#recordIds = recordIds;
  }

  @Get('events')
  @Operation('listAuditEvents')
  @Header('content-type', JSON_MEDIA_TYPE)
  async events(
    @CurrentPrincipal() { teamId }: AllowedPrincipal,
    @Query({ schema: validateAuditEventsQuery }) query: AuditEventsQuery,
    @Req() request: FastifyRequest,
    @CurrentDisclosure() disclose: Disclose,
  ): Promise<AuditEventsPage> {
    const { cursor, client_user_id: clientUserId } = query;
    const patient = await this.#patients.userIdOf(teamId, query, request);
    const filter = { team: teamId, ...this.#filterOf(query), patient };
    const userId = clientUserId === undefined ? undefined : patient;
    const page = await this.#page(filter, cursor, disclose, { aboutUserId: userId });
    return { ...page, ...(userId !== undefined && { user_id: userId }) };
  }

  /** Alarms of the team; those of the service: `caregate audit alarms`. */
  @Get('alarms')
  @Operation('listAuditAlarms')
  @Header('content-type', JSON_MEDIA_TYPE)
  async alarms(
    @CurrentPrincipal() { teamId }: AllowedPrincipal,
    @Query({ schema: validateAuditAlarmsQuery }) { cursor }: AuditAlarmsQuery,
    @CurrentDisclosure() disclose: Disclose,
  ): Promise<AuditEventsPage> {
    const filter = { team: teamId, operations: ALARM_OPERATIONS };
    return await this.#page(filter, cursor, disclose, { isComplete: true });
  }

  #filterOf(query: AuditEventsQuery): Omit<EventsFilter, 'team' | 'patient'> {
    const { log, record, operation, decision, from, to } = query;
    return {
      log,
      records: record === undefined ? undefined : [this.#recordIds.receiptOf(record) ?? NOWHERE],
      actor: auditActorId(query.actor_id),
      operations: operation === undefined ? undefined : [operation],
      decision,
      ...rangeOf(from, to, 'to'),
    };
  }

  async #page(
    filter: EventsFilter,
    cursor: string | undefined,
    disclose: Disclose,
    {
      aboutUserId,
      isComplete = false,
    }: { readonly aboutUserId?: string | undefined; readonly isComplete?: boolean },
  ): Promise<AuditEventsPage> {
    const page = await this.#pages.page({
      ...{ kind: 'audit events', filter, cursor },
      ...{ limit: PAGE, weight: PAGE_WEIGHT, isComplete },
    });
    // Reading events discloses no patients, or the log would grow with every read.
    disclose({
      patients: [],
      recordCount: page.events.length,
      ...(aboutUserId !== undefined && { aboutUserId }),
    });
    const events: AuditEvent[] = [];
    for (const event of page.events) {
      await yieldToEventLoop();
      events.push(eventOf(event, page.names));
    }
    return {
      log_id: page.logId,
      events,
      next_cursor: page.nextCursor,
    };
  }
}

/** Staff ids are lower-case UUIDs; the case of a key id matters. */
export function auditActorId(actorId: string | undefined): string | undefined {
  return actorId?.includes('-') === true ? actorId.toLowerCase() : actorId;
}

/** Without the position, which would reveal the number of records of all teams; proofs include it. */
function eventOf(
  { recordId, logId, record, body, salt }: ReadEvent,
  names: AccessNames,
): AuditEvent {
  return {
    record_id: recordId,
    log_id: logId,
    salt: salt.toString('base64'),
    patients: [...record.patients],
    occurred_at: instantOfRecord(record),
    actor: actorOf(record, names),
    session_id: record.session_id,
    device: deviceOf(record, names),
    body: JSON.parse(body) as Record<string, unknown>,
  };
}
