import { HOLD_OPERATIONS } from '../system-record.ts';
import { randomBytes } from 'node:crypto';
import { type LogSource } from '@caregate/audit-log';
import { recordsOf } from '../export/records.ts';
import type { RecordBody } from '../record/record-body.ts';

export interface LegalHold {
  readonly id: string;
  /** Case number; must not identify a patient. */
  readonly reference: string;
  readonly patient?: string;
  /** Months, `2019-05`. */
  readonly from?: string;
  readonly to?: string;
}

export interface ListedHold extends LegalHold {
  readonly since: string;
  readonly released?: string;
}

export function newHold(hold: Omit<LegalHold, 'id'>): {
  readonly id: string;
  readonly details: Readonly<Record<string, string>>;
} {
  const id = randomBytes(4).toString('hex');
  return { id, details: { hold: id, ...hold } };
}

/** All holds, released ones too, from the log. @throws AuditBrokenError */
export async function listHolds(logs: readonly LogSource[]): Promise<ListedHold[]> {
  const operations = Object.values(HOLD_OPERATIONS);
  return holdsOf(await recordsOf(logs, { operations, decision: 'allowed' }));
}

/** @param records allowed ones, oldest first; those of other operations are left out */
export function holdsOf(records: readonly RecordBody[]): ListedHold[] {
  const holds = new Map<string, ListedHold>();
  for (const record of records) {
    const { hold, ...details } = record.details;
    const id = String(hold);
    const at = new Date(record.recorded_at_us / 1000).toISOString();
    const known = holds.get(id);
    if (record.operation === HOLD_OPERATIONS.add) {
      holds.set(id, { ...(details as unknown as Omit<LegalHold, 'id'>), id, since: at });
    } else if (record.operation === HOLD_OPERATIONS.release && known !== undefined) {
      holds.set(id, { ...known, released: at });
    }
  }
  return [...holds.values()];
}
