import { instantOfQueryDate, type AuditActor, type AuditDevice } from '@caregate/domain';
import { Inject, Injectable } from '@nestjs/common';
import type { AccessNames } from '../../access/access-names.ts';
import { AccessStore } from '../../access/access-store.ts';
import { invalidParameters } from '../../problem/problem-error.ts';
import { RecordIds } from '../record-ids.ts';
import { AuditAlarms } from './audit-alarms.ts';
import {
  AuditTrail,
  trailProblem,
  type EventsFilter,
  type PageRequest,
  type TrailEvent,
} from '../trail/audit-trail.ts';
import type { RecordBody } from '../record/record-body.ts';

/** Longer than any position: the length of a cursor must not reveal the number of digits. */
const CURSOR_LENGTH = 120;

export interface ReadEvent extends TrailEvent {
  readonly recordId: string;
}

/** Records of lists name hundreds of people each: a page has fewer of them. */
export const PAGE_WEIGHT: NonNullable<PageRequest['weight']> = {
  of: ({ patients }) => 2000 + 40 * patients.length,
  most: 2 ** 19,
};

export interface EventPage {
  readonly logId: string | null;
  readonly events: readonly ReadEvent[];
  readonly names: AccessNames;
  readonly nextCursor: string | null;
}

@Injectable()
export class EventPages {
  readonly #trail: AuditTrail;
  readonly #alarms: AuditAlarms;
  readonly #recordIds: RecordIds;
  readonly #access: AccessStore;

  constructor(
    @Inject(AuditTrail) trail: AuditTrail,
    @Inject(AuditAlarms) alarms: AuditAlarms,
    @Inject(RecordIds) recordIds: RecordIds,
    @Inject(AccessStore) access: AccessStore,
  ) {
    this.#trail = trail;
    this.#alarms = alarms;
    this.#recordIds = recordIds;
    this.#access = access;
  }

  /** @throws ProblemError 422 for a cursor of another query, or an unknown log */
  async page(request: {
    readonly kind: string;
    readonly filter: EventsFilter;
    readonly cursor: string | undefined;
    readonly limit: number;
    readonly weight?: PageRequest['weight'];
    readonly isComplete?: boolean;
  }): Promise<EventPage> {
    const { kind, filter, cursor, limit, weight, isComplete = false } = request;
    const binding = JSON.stringify([kind, filter]);
    const from = await this.#opened(cursor, binding);
    const asked = { filter, from, limit, weight, isComplete };
    const page = await this.#trail.page(asked).catch((error: unknown) =>
      trailProblem(error, () => {
        this.#alarms.raise('proof-failed');
      }),
    );
    const events = page.events.map((event) => ({
      ...event,
      recordId: this.#recordIds.idOf(event),
    }));
    return {
      logId: page.logId,
      events,
      names: await this.#namesOf(filter.team, events),
      nextCursor:
        page.next === undefined
          ? null
          : await this.#access.cursorSeal.seal(page.next.padEnd(CURSOR_LENGTH), binding),
    };
  }

  async #opened(cursor: string | undefined, binding: string): Promise<string | undefined> {
    if (cursor === undefined) {
      return undefined;
    }
    const text = await this.#access.cursorSeal.open(cursor, binding);
    if (text === undefined) {
      throw invalidParameters({
        parameter: 'cursor',
        reason: 'is not a valid cursor for this query, or no longer; start again without it',
      });
    }
    return text;
  }

  async #namesOf(teamId: string, events: readonly ReadEvent[]): Promise<AccessNames> {
    return await this.#access.names.namesOf(teamId, {
      actors: events.map(({ record }) => record.actor_id),
      desks: events.map(({ record }) => record.device_id),
      grants: events.map(({ record }) => record.break_glass_id),
    });
  }
}

export function actorOf(record: RecordBody, names: AccessNames): AuditActor {
  const { actor_type: type, actor_id: id, role } = record;
  return { type, id, name: names.actors.get(id ?? '') ?? null, role };
}

export function deviceOf({ device_id: id }: RecordBody, names: AccessNames): AuditDevice | null {
  return id === null ? null : { id, name: names.desks.get(id) ?? null };
}

/** @throws ProblemError 422 that names the end if it is before the start */
export function rangeOf(
  from: string | undefined,
  to: string | undefined,
  end: 'to' | 'end_date',
): Pick<EventsFilter, 'fromUs' | 'toUs'> {
  const fromUs = from === undefined ? undefined : instantOfQueryDate(from, 'start');
  const toUs = to === undefined ? undefined : instantOfQueryDate(to, 'end');
  if (fromUs !== undefined && toUs !== undefined && toUs < fromUs) {
    const start = end === 'to' ? 'from' : 'start_date';
    throw invalidParameters({ parameter: end, reason: `is before ${start}` });
  }
  return { fromUs, toUs };
}
