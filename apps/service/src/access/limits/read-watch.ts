import type { FastifyInstance } from 'fastify';
import { subjectOf } from '../../operations/operations.ts';
import { whoOf, type AccessEvents } from '../access-events.ts';
import { actorIdOf, type KeyPrincipal, type StaffPrincipal } from '../principal.ts';

const hourMs = 3_600_000;

/** Records per hour that a person does not reach by normal work. */
export const BULK_READ_RECORDS = 5000;
export const RESOLVE_MISSES = 100;

/** A key, or a person at any desk. */
type Watched = Pick<KeyPrincipal, 'keyId' | 'teamId'> | Pick<StaffPrincipal, 'staffId' | 'teamId'>;

interface Hour {
  readonly beganMs: number;
  records: number;
  misses: number;
  /** Those who were listed. */
  readonly people: Set<string>;
}

/**
 * Counts reads and misses by key or person, and raises each alarm at most once an hour: for bulk reads, for many people in
 * lists, and for enumeration of client user ids. It never blocks anything.
 */
export class ReadWatch {
  readonly #events: AccessEvents;
  readonly #mostListed: number;
  readonly #now: () => number;
  readonly #hours = new Map<string, Hour>();

  /** @param mostListed different people an hour whom one person may be shown in lists without an alarm */
  constructor(events: AccessEvents, mostListed: number, now: () => number = Date.now) {
    this.#events = events;
    this.#mostListed = mostListed;
    this.#now = now;
  }

  /** @param records number of patients in the response, counted every time */
  read(principal: Watched, records: number): void {
    const hour = this.#hourOf(actorIdOf(principal));
    const before = hour.records;
    hour.records += records;
    if (before < BULK_READ_RECORDS && hour.records >= BULK_READ_RECORDS) {
      const { teamId } = principal;
      this.#events.emit('bulk-read', { ...whoOf(principal), teamId, records: hour.records });
    }
  }

  /** A caller was shown these people in a list; pages and repeated searches for the same people count once. */
  listed(principal: Watched, people: readonly string[]): void {
    const hour = this.#hourOf(actorIdOf(principal));
    const before = hour.people.size;
    for (const person of people) {
      // Beyond the limit nothing more is counted.
      if (hour.people.size <= this.#mostListed) {
        hour.people.add(person);
      }
    }
    if (before <= this.#mostListed && hour.people.size > this.#mostListed) {
      const { teamId } = principal;
      this.#events.emit('many-people', { ...whoOf(principal), teamId, people: hour.people.size });
    }
  }

  resolveMissed(principal: Watched): void {
    const hour = this.#hourOf(actorIdOf(principal));
    hour.misses += 1;
    if (hour.misses === RESOLVE_MISSES) {
      const { teamId } = principal;
      const who = whoOf(principal);
      this.#events.emit('resolve-enumeration', { ...who, teamId, misses: hour.misses });
    }
  }

  /** The map has at most one entry per valid key or person. */
  #hourOf(actorId: string): Hour {
    const now = this.#now();
    const known = this.#hours.get(actorId);
    if (known !== undefined && now - known.beganMs < hourMs) {
      return known;
    }
    const hour = { beganMs: now, records: 0, misses: 0, people: new Set<string>() };
    this.#hours.set(actorId, hour);
    return hour;
  }
}

/** Reports each permitted read to the watch, when its response is complete and before it is recorded and sent. */
export function watchReads(fastify: FastifyInstance, watch: ReadWatch): void {
  fastify.addHook('onSend', ({ principal, disclosure }, reply, payload, done) => {
    if (principal !== undefined) {
      if (reply.statusCode < 400) {
        // A response without a disclosure counts as one patient.
        const { patients, unnamedPatients = 0 } = disclosure ?? {
          patients: [],
          unnamedPatients: 1,
        };
        watch.read(principal, patients.length + unnamedPatients);
        // Programs list people as a matter of course.
        if (disclosure?.shown === 'listed' && principal.role !== 'integration') {
          watch.listed(principal, patients);
        }
      } else if (reply.statusCode === 404 && subjectOf(principal.operation) === 'client_user_id') {
        watch.resolveMissed(principal);
      }
    }
    done(null, payload);
  });
}
