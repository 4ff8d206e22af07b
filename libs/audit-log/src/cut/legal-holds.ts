import { HOLD_OPERATIONS } from '../entry/log-operations.ts';
import type { CutRecord } from './cut-records.ts';
import { isMonth, type Month } from './months.ts';

/** Records protected from cuts: of all patients or of one, of all months or of some. */
export interface LegalHold {
  readonly id: string;
  /** Case number; must not identify a patient. */
  readonly reference: string;
  readonly patient?: string;
  readonly from?: Month;
  readonly to?: Month;
}

export interface ListedHold extends LegalHold {
  /** Position of its latest record. */
  readonly seq: number;
  /** ISO 8601 instants. */
  readonly since: string;
  readonly released?: string;
}

/** The holds of a log, by its records in order. They are in the log itself, so that none can be removed unnoticed. */
export class LegalHolds {
  readonly #all = new Map<string, ListedHold>();

  get all(): ListedHold[] {
    return [...this.#all.values()];
  }

  get inForce(): ListedHold[] {
    return this.all.filter(({ released }) => released === undefined);
  }

  /** Ids of those in force, as a cut names them; `-` for none. */
  text(): string {
    return (
      this.inForce
        .map(({ id }) => id)
        .sort()
        .join(', ') || '-'
    );
  }

  /** Takes a record into account; nothing if it is not about holds. */
  take({ seq, atMs, operation, details }: CutRecord): void {
    const id = String(details['hold']);
    const at = new Date(atMs).toISOString();
    const known = this.#all.get(id);
    if (operation === HOLD_OPERATIONS.add) {
      const since = String(details['since'] ?? at);
      this.#all.set(id, { ...holdOf(details, id), seq, since });
    } else if (operation === HOLD_OPERATIONS.release && known !== undefined) {
      this.#all.set(id, { ...known, released: at });
    }
  }
}

/** The details of the record of a hold. */
export function holdDetails({ id, ...hold }: LegalHold): Record<string, string> {
  const { reference, patient, from, to } = hold;
  return {
    hold: id,
    reference,
    ...(patient !== undefined && { patient }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

/** Whether a hold covers months from `since` to `until`, for one patient or all. */
export function coversMonths({ from, to }: LegalHold, since: Month, until: Month): boolean {
  return (from === undefined || from <= until) && (to === undefined || to >= since);
}

function holdOf(details: CutRecord['details'], id: string): LegalHold {
  const { patient } = details;
  const from = monthOrUndefined(details['from']);
  const to = monthOrUndefined(details['to']);
  return {
    id,
    reference: String(details['reference'] ?? ''),
    ...(typeof patient === 'string' && { patient }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

function monthOrUndefined(value: unknown): Month | undefined {
  return typeof value === 'string' && isMonth(value) ? value : undefined;
}
