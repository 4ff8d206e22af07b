import { Controller, Get, Header, Inject, Query } from '@nestjs/common';
import {
  instantOfQueryDate,
  type AuditAlarmsQuery,
  type AuditEvent,
  type AuditEventsPage,
  type AuditEventsQuery,
} from '@caregate/domain';
import { validateAuditAlarmsQuery, validateAuditEventsQuery } from '@caregate/domain/validate';
import { Operation } from '../../access/operation.decorator.ts';
import { CurrentPrincipal, type AllowedPrincipal } from '../../access/principal.ts';
import { invalidParameters } from '../../problem/problem-error.ts';
import { JSON_MEDIA_TYPE } from '../../http/media-type.ts';
import { ALARM_OPERATIONS, parseBody, type AuditReceipt } from '@caregate/audit-log';
import { RecordIds } from '../record-ids.ts';
import { AuditAlarms } from './audit-alarms.ts';
import { AuditTrail, trailProblem, type TrailEvent } from '../trail/audit-trail.ts';
import { EventCursors } from './event-cursors.ts';
import type { EventsFilter } from '../trail/events-filter.ts';
import { CurrentDisclosure, type Disclose } from '../../http/disclosure.ts';

const PAGE = 100;
/** Longer than any position: the length of a cursor must not reveal the number of digits. */
const CURSOR_LENGTH = 120;
/** Position for unknown ids; belongs to no log. */
const NOWHERE: AuditReceipt = { logId: '', seq: 0 };

/** Audit events of the auditor's team, newest first. */
@Controller('audit')
export class AuditEventsController {
  readonly #trail: AuditTrail;
  readonly #alarms: AuditAlarms;
  readonly #cursors: EventCursors;
  readonly #recordIds: RecordIds;

  constructor(
    @Inject(AuditTrail) trail: AuditTrail,
    @Inject(AuditAlarms) alarms: AuditAlarms,
    @Inject(EventCursors) cursors: EventCursors,
    @Inject(RecordIds) recordIds: RecordIds,
  ) {
    this.#trail = trail;
    this.#alarms = alarms;
    this.#cursors = cursors;
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
    const { log, record, patient, actor, operation, decision, from, to } = query;
    const fromUs = from === undefined ? undefined : instantOfQueryDate(from, 'start');
    const toUs = to === undefined ? undefined : instantOfQueryDate(to, 'end');
    if (fromUs !== undefined && toUs !== undefined && toUs < fromUs) {
      throw invalidParameters({ parameter: 'to', reason: 'is before from' });
    }
    return {
      log,
      record: record === undefined ? undefined : (this.#recordIds.receiptOf(record) ?? NOWHERE),
      patient: patient?.toLowerCase(),
      actor,
      operations: operation === undefined ? undefined : [operation],
      decision,
      fromUs,
      toUs,
    };
  }

  async #page(
    filter: EventsFilter,
    cursor: string | undefined,
    disclose: Disclose,
  ): Promise<AuditEventsPage> {
    const binding = JSON.stringify(['audit events 3', filter]);
    const from = this.#opened(cursor, binding);
    const page = await this.#trail.page({ filter, from, limit: PAGE }).catch((error: unknown) =>
      trailProblem(error, () => {
        this.#alarms.raise('proof-failed');
      }),
    );
    // Reading events does not count as disclosing their patients, or the log would grow with every read.
    disclose({ patients: [], recordCount: page.events.length });
    return {
      log_id: page.logId,
      events: page.events.map((event) => this.#eventOf(event)),
      next_cursor:
        page.next === undefined
          ? null
          : this.#cursors.seal(page.next.padEnd(CURSOR_LENGTH), binding),
    };
  }

  /** Position where a page begins: `next` of the previous page. */
  #opened(cursor: string | undefined, binding: string): string | undefined {
    if (cursor === undefined) {
      return undefined;
    }
    const text = this.#cursors.open(cursor, binding);
    if (text === undefined) {
      throw invalidParameters({
        parameter: 'cursor',
        reason: 'is not a valid cursor for this query',
      });
    }
    return text;
  }

  /** The event without its position, which would reveal the number of records of all teams; proofs include it. */
  #eventOf({ logId, seq, body, salt }: TrailEvent): AuditEvent {
    const fields = Object.entries(JSON.parse(body) as object).filter(([name]) => name !== 'seq');
    const { patients } = parseBody(body);
    return {
      record_id: this.#recordIds.idOf({ logId, seq }),
      salt: salt.toString('base64'),
      patients: [...patients],
      body: Object.fromEntries(fields),
    };
  }
}
