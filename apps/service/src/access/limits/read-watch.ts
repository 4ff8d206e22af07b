import type { FastifyInstance } from 'fastify';
import { OPERATIONS } from '../../operations/operations.ts';
import type { AccessEvents } from '../access-events.ts';
import type { Principal } from '../principal.ts';

const hourMs = 3_600_000;

/** Records per hour that a person does not reach by normal work. */
export const BULK_READ_RECORDS = 5000;
export const RESOLVE_MISSES = 100;

interface Hour {
  readonly beganMs: number;
  records: number;
  misses: number;
}

/**
 * Counts reads and misses by key, and raises each alarm at most once an hour: for bulk reads, and for enumeration of client
 * user ids. It never blocks anything.
 */
export class ReadWatch {
  readonly #events: AccessEvents;
  readonly #now: () => number;
  readonly #hours = new Map<string, Hour>();

  constructor(events: AccessEvents, now: () => number = Date.now) {
    this.#events = events;
    this.#now = now;
  }

  /** @param records number of patients in the response, counted every time */
  read(principal: Pick<Principal, 'keyId' | 'teamId'>, records: number): void {
    const hour = this.#hourOf(principal.keyId);
    const before = hour.records;
    hour.records += records;
    if (before < BULK_READ_RECORDS && hour.records >= BULK_READ_RECORDS) {
      const { keyId, teamId } = principal;
      this.#events.emit('bulk-read', { keyId, teamId, records: hour.records });
    }
  }

  resolveMissed(principal: Pick<Principal, 'keyId' | 'teamId'>): void {
    const hour = this.#hourOf(principal.keyId);
    hour.misses += 1;
    if (hour.misses === RESOLVE_MISSES) {
      const { keyId, teamId } = principal;
      this.#events.emit('resolve-enumeration', { keyId, teamId, misses: hour.misses });
    }
  }

  /** The map has at most one entry per valid key. */
  #hourOf(keyId: string): Hour {
    const now = this.#now();
    const known = this.#hours.get(keyId);
    if (known !== undefined && now - known.beganMs < hourMs) {
      return known;
    }
    const hour = { beganMs: now, records: 0, misses: 0 };
    this.#hours.set(keyId, hour);
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
      } else if (
        reply.statusCode === 404 &&
        OPERATIONS[principal.operation].subject === 'client_user_id'
      ) {
        watch.resolveMissed(principal);
      }
    }
    done(null, payload);
  });
}
