import { Controller, Get, Header, Inject, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Operation } from '../../access/operation.decorator.ts';
import { principalOf } from '../../access/principal.ts';
import type { SealedText } from '../../crypto/sealed-text.ts';
import { invalidParameters } from '../../problem/problem-error.ts';
import { JSON_MEDIA_TYPE } from '../../http/media-type.ts';
import type { AuditReceipt } from '../audit-entry.ts';
import { RecordIds } from '../record-ids.ts';
import { ALARM_OPERATIONS } from './audit-alarms.ts';
import { alarmsQueryOf, eventsQueryOf } from './audit-parameters.ts';
import { AuditTrail, type TrailEvent } from './audit-trail.ts';
import type { EventsFilter } from './events-query.ts';
import { noSuchLog } from './no-such-log.ts';
import { recordDisclosure } from '../../http/disclosure.ts';

/** Injection token: seals the cursors. */
export const EVENTS_CURSORS = Symbol('EventsCursors');

const PAGE = 100;
/** Longer than any place of any trail: the length of a cursor must not tell how many digits a position has. */
const CURSOR_LENGTH = 120;
/** Of no log: what an id that was not made here stands for. */
const NOWHERE: AuditReceipt = { logId: '', seq: 0 };

/** What was recorded of the auditor's own team, newest first. */
@Controller('audit')
export class AuditEventsController {
  readonly #trail: AuditTrail;
  readonly #cursors: SealedText;

  readonly #recordIds: RecordIds;

  constructor(
    @Inject(AuditTrail) trail: AuditTrail,
    @Inject(EVENTS_CURSORS) cursors: SealedText,
    @Inject(RecordIds) recordIds: RecordIds,
  ) {
    this.#trail = trail;
    this.#cursors = cursors;
    this.#recordIds = recordIds;
  }

  @Get('events')
  @Operation('listAuditEvents')
  @Header('content-type', JSON_MEDIA_TYPE)
  async events(@Req() request: FastifyRequest): Promise<string> {
    const { teamId } = principalOf(request);
    const { cursor, record, ...filter } = eventsQueryOf(request);
    const named =
      record === undefined ? {} : { record: this.#recordIds.receiptOf(record) ?? NOWHERE };
    return await this.#page(request, { teamId, ...filter, ...named }, cursor);
  }

  /** Of the own team. What concerns the service as a whole is for `caregate audit alarms`. */
  @Get('alarms')
  @Operation('listAuditAlarms')
  @Header('content-type', JSON_MEDIA_TYPE)
  async alarms(@Req() request: FastifyRequest): Promise<string> {
    const { teamId } = principalOf(request);
    const { cursor } = alarmsQueryOf(request);
    const filter = { teamId, operations: ALARM_OPERATIONS };
    return await this.#page(request, filter, cursor);
  }

  async #page(request: FastifyRequest, filter: EventsFilter, cursor?: string): Promise<string> {
    const binding = JSON.stringify(['audit events 3', filter]);
    const from = this.#opened(cursor, binding);
    const page = await this.#trail.page({ filter, from, limit: PAGE }).catch(noSuchLog);
    const next =
      page.next === undefined ? null : this.#cursors.seal(page.next.padEnd(CURSOR_LENGTH), binding);
    // Whose reads an auditor sees is not what was read: no patient counts as seen, or the log would feed on itself.
    recordDisclosure(request, { patients: [], recordCount: page.events.length });
    const events = page.events.map((event) => this.#eventJson(event)).join(',');
    return `{"log_id":${JSON.stringify(page.logId)},"events":[${events}],"next_cursor":${JSON.stringify(next)}}`;
  }

  /** Where a page begins, as the trail said it at the end of the one before. */
  #opened(cursor: string | undefined, binding: string): string | undefined {
    if (cursor === undefined) {
      return undefined;
    }
    const text = this.#cursors.open(cursor, binding);
    if (text === undefined) {
      throw invalidParameters({
        parameter: 'cursor',
        reason: 'is not a cursor that this service gave for this query',
      });
    }
    return text;
  }

  /** The record without its position, which would count all teams' records: a proof has that, where it is asked for. */
  #eventJson({ logId, seq, body, salt }: TrailEvent): string {
    const fields = Object.entries(JSON.parse(body) as object).filter(([name]) => name !== 'seq');
    return JSON.stringify({
      record_id: this.#recordIds.idOf({ logId, seq }),
      salt: salt.toString('base64'),
      body: Object.fromEntries(fields),
    });
  }
}
