import type { FastifyRequest } from 'fastify';
import { subjectOf } from '../../operations/operations.ts';
import { whoOf, type AccessEvents } from '../access-events.ts';
import { actorIdOf, type KeyPrincipal, type StaffPrincipal } from '../principal.ts';

const hourMs = 3_600_000;

/** Per hour. */
export const BULK_READ_RECORDS = 5000;
export const RESOLVE_MISSES = 100;

type Watched = Pick<KeyPrincipal, 'keyId' | 'teamId'> | Pick<StaffPrincipal, 'staffId' | 'teamId'>;

interface Hour {
  readonly beganMs: number;
  records: number;
  misses: number;
  readonly people: Set<string>;
}

/** Raises each alarm at most once an hour per key or person; never blocks. */
export class ReadWatch {
  readonly #events: AccessEvents;
  readonly #mostListed: number;
  readonly #now: () => number;
  readonly #hours = new Map<string, Hour>();

  /** @param mostListed different people an hour, by person */
  constructor(events: AccessEvents, mostListed: number, now: () => number = Date.now) {
    this.#events = events;
    this.#mostListed = mostListed;
    this.#now = now;
  }

  read(principal: Watched, records: number): void {
    const hour = this.#hourOf(actorIdOf(principal));
    const before = hour.records;
    hour.records += records;
    if (before < BULK_READ_RECORDS && hour.records >= BULK_READ_RECORDS) {
      const { teamId } = principal;
      this.#events.emit('bulk-read', { ...whoOf(principal), teamId, records: hour.records });
    }
  }

  listed(principal: Watched, people: readonly string[]): void {
    const hour = this.#hourOf(actorIdOf(principal));
    const before = hour.people.size;
    for (const person of people) {
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

/** Before the response is recorded and sent. */
export function watchRead(
  watch: ReadWatch,
  { principal, disclosure }: FastifyRequest,
  status: number,
): void {
  if (principal === undefined) {
    return;
  }
  if (status < 400) {
    // A response without a disclosure counts as one patient.
    const { patients, unnamedPatients = 0 } = disclosure ?? { patients: [], unnamedPatients: 1 };
    watch.read(principal, patients.length + unnamedPatients);
    // Programs list people routinely.
    if (disclosure?.shown === 'listed' && principal.role !== 'integration') {
      watch.listed(principal, patients);
    }
  } else if (status === 404 && subjectOf(principal.operation) === 'client_user_id') {
    watch.resolveMissed(principal);
  }
}
