import {
  toQueryInstant,
  type AuditActor,
  type AuditDevice,
  type AuditExportQuery,
} from '@caregate/domain';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AuditBrokenError, AuditUnavailableError } from '@caregate/audit-log';
import { HealthDataSource } from '@caregate/data-store';
import type { AccessNames } from '../../auth/repositories/name.repository.ts';
import { AccessStore } from '../../auth/access-store.ts';
import {
  createInvalidParameterError,
  requireFound,
  ProblemError,
} from '../../problem/problem-error.ts';
import { AuditAlarms } from '../audit-alarms.ts';
import type { AuditRecord } from '../audit-record.ts';
import { RecordIds } from '../record-ids.ts';
import { formatRetryAfter } from '../service-acts.ts';
import { AuditTrail } from '../trail/audit-trail.ts';
import {
  UnknownLogError,
  type EventsFilter,
  type PageRequest,
  type TrailEvent,
} from '../trail/trail-reader.ts';

/** Longer than any position, so that the length of a cursor doesn't reveal the number of digits. */
const CURSOR_LENGTH = 120;

export interface NamedEvent extends TrailEvent {
  readonly recordId: string;
}

export interface EventPage {
  readonly logId: string | null;
  readonly events: readonly NamedEvent[];
  readonly names: AccessNames;
  readonly nextCursor: string | null;
}

type EventsQuery = Pick<
  AuditExportQuery,
  'actor_id' | 'operation' | 'decision' | 'from' | 'to' | 'patient' | 'client_user_id'
>;

@Injectable()
export class EventPages {
  constructor(
    private readonly trail: AuditTrail,
    private readonly alarms: AuditAlarms,
    private readonly recordIds: RecordIds,
    private readonly access: AccessStore,
    private readonly source: HealthDataSource,
  ) {}

  /**
   * @param kind binds the cursor to its route @throws ProblemError 422 for a cursor of another query, or an unknown
   * log
   */
  async readPage(
    kind: string,
    cursor: string | undefined,
    request: Omit<PageRequest, 'from'>,
  ): Promise<EventPage> {
    const { filter } = request;
    const binding = JSON.stringify([kind, filter]);
    const from = await this.#openCursor(cursor, binding);
    const page = await this.trail.readPage({ ...request, from }).catch(this.throwProblem);
    const { next, logId } = page;
    const names = await this.access.names.findNames(filter.team, {
      actors: page.events.map(({ record }) => record.actor_id),
      desks: page.events.map(({ record }) => record.device_id),
      grants: page.events.map(({ record }) => record.break_glass_id),
    });
    const events = page.events.map((one) => ({ ...one, recordId: this.recordIds.encrypt(one) }));
    const nextCursor =
      next === undefined
        ? null
        : await this.access.cursorSeal.seal(next.padEnd(CURSOR_LENGTH), binding);
    return { logId, events, names, nextCursor };
  }

  readonly throwProblem = (error: unknown): never => {
    if (error instanceof AuditUnavailableError) {
      const detail = `${error.message}. Try again in a moment.`;
      const problem = { type: 'unavailable', detail, headers: formatRetryAfter(error) } as const;
      throw new ProblemError(problem, { cause: error });
    }
    if (error instanceof UnknownLogError) {
      throw createInvalidParameterError({
        parameter: 'log',
        reason: 'is not a log of this service',
      });
    }
    if (error instanceof AuditBrokenError) {
      this.alarms.raise('proof-failed');
    }
    throw error;
  };

  /** @throws ProblemError as `findPatient`, and 422 for a range that ends before it begins */
  async readFilter(
    team: string,
    query: EventsQuery,
    request: FastifyRequest,
  ): Promise<EventsFilter> {
    const { operation, decision, actor_id: actor, from, to } = query;
    return {
      team,
      patient: await this.#findPatient(team, query, request),
      // Staff IDs are lower-case UUIDs. API key IDs are case-sensitive.
      actor: actor?.includes('-') === true ? actor.toLowerCase() : actor,
      operations: operation === undefined ? undefined : [operation],
      decision,
      ...readRange(from, to),
    };
  }

  /**
   * Resolves the team's own ID of a patient to the user ID, which is the only one in the audit log.
   *
   * @throws ProblemError 422 if both IDs are given; 404 if the team has no such user
   */
  async #findPatient(
    team: string,
    { patient, client_user_id: clientUserId }: EventsQuery,
    { id: requestId, timeout, signal }: FastifyRequest,
  ): Promise<string | undefined> {
    if (clientUserId === undefined) {
      return patient?.toLowerCase();
    }
    if (patient !== undefined) {
      const reason = 'must not be given beside patient';
      throw createInvalidParameterError({ parameter: 'client_user_id', reason });
    }
    const call = { requestId, signal: timeout?.signal ?? signal };
    return requireFound(await this.source.findUserByClientId(team, clientUserId, call)).userId;
  }

  async #openCursor(cursor: string | undefined, binding: string): Promise<string | undefined> {
    const text = cursor === undefined ? '' : await this.access.cursorSeal.open(cursor, binding);
    if (text === undefined) {
      throw createInvalidParameterError({
        parameter: 'cursor',
        reason: 'is not a valid cursor for this query, or no longer; start again without it',
      });
    }
    return text === '' ? undefined : text;
  }
}

export function describeActor(record: AuditRecord, names: AccessNames): AuditActor {
  const { actor_type: type, actor_id: id, role } = record;
  return { type, id, name: names.actors.get(id ?? '') ?? null, role };
}

export function describeDevice(
  { device_id: id }: AuditRecord,
  names: AccessNames,
): AuditDevice | null {
  return id === null ? null : { id, name: names.desks.get(id) ?? null };
}

/** @param names names of the two parameters @throws ProblemError 422 if the range ends before it begins */
export function readRange(
  from: string | undefined,
  to: string | undefined,
  names = ['from', 'to'],
): Pick<EventsFilter, 'fromUs' | 'toUs'> {
  const fromUs = from === undefined ? undefined : toQueryInstant(from, 'start');
  const toUs = to === undefined ? undefined : toQueryInstant(to, 'end');
  if (fromUs !== undefined && toUs !== undefined && toUs < fromUs) {
    throw createInvalidParameterError({
      parameter: names[1] ?? '',
      reason: `is before ${names[0]}`,
    });
  }
  return { fromUs, toUs };
}
