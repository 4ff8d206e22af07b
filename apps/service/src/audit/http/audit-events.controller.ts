import { Controller, Get, Header, Inject, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Operation } from '../../access/operation.decorator.ts';
import { principalOf } from '../../access/principal.ts';
import type { SealedText } from '../../http/sealed-text.ts';
import { invalidParameters } from '../../problem/problem-error.ts';
import { JSON_MEDIA_TYPE } from '../../reads/media-type.ts';
import { ALARM_OPERATIONS, CARE_OF_THE_LOG } from './audit-alarms.ts';
import { alarmsQueryOf, eventsQueryOf } from './audit-parameters.ts';
import { AuditTrail, type TrailEvent } from './audit-trail.ts';
import type { EventsFilter } from './events-query.ts';
import { noSuchLog } from './no-such-log.ts';
import { saw } from './seen.ts';

/** Injection token: seals the cursors. */
export const EVENTS_CURSORS = Symbol('EventsCursors');

const PAGE = 100;

/** What was recorded of the auditor's own team, newest first. */
@Controller('audit')
export class AuditEventsController {
  readonly #trail: AuditTrail;
  readonly #cursors: SealedText;

  constructor(@Inject(AuditTrail) trail: AuditTrail, @Inject(EVENTS_CURSORS) cursors: SealedText) {
    this.#trail = trail;
    this.#cursors = cursors;
  }

  @Get('events')
  @Operation('listAuditEvents')
  @Header('content-type', JSON_MEDIA_TYPE)
  async events(@Req() request: FastifyRequest): Promise<string> {
    const { teamId } = principalOf(request);
    const { cursor, ...filter } = eventsQueryOf(request);
    return await this.#page(request, { teamId, ...filter }, cursor);
  }

  /** The service's own too (its clock, its log and what is done to it), which belong to no team. */
  @Get('alarms')
  @Operation('listAuditAlarms')
  @Header('content-type', JSON_MEDIA_TYPE)
  async alarms(@Req() request: FastifyRequest): Promise<string> {
    const { teamId } = principalOf(request);
    const { cursor } = alarmsQueryOf(request);
    const filter = {
      teamId,
      alsoService: true,
      operations: [...ALARM_OPERATIONS, ...CARE_OF_THE_LOG],
    };
    return await this.#page(request, filter, cursor);
  }

  async #page(request: FastifyRequest, filter: EventsFilter, cursor?: string): Promise<string> {
    const binding = JSON.stringify(['audit events 2', filter]);
    const from = this.#opened(cursor, binding);
    const page = await this.#trail.page({ filter, from, limit: PAGE }).catch(noSuchLog);
    const next = page.next === undefined ? null : this.#cursors.seal(page.next, binding);
    // Whose reads an auditor sees is not what was read: no patient counts as seen, or the log would feed on itself.
    saw(request, { patients: [], recordCount: page.events.length });
    const events = page.events.map(eventJson).join(',');
    return `{"log_id":${JSON.stringify(page.logId)},"size":${page.size},"events":[${events}],"next_cursor":${JSON.stringify(next)}}`;
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
}

/** The record's own text, with what it takes to compute its leaf. */
function eventJson({ seq, body, salt, leafHash }: TrailEvent): string {
  return `{"seq":${seq},"leaf_hash":"${leafHash.toString('base64')}","salt":"${salt.toString('base64')}","body":${body}}`;
}
