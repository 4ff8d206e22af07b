import { HOLD_OPERATIONS } from '../log-operations.ts';
import type { DatabaseSync } from 'node:sqlite';
import { instantOfRecord, type RecordBody } from '../record-body.ts';
import { monthAfter, startOf, type Month } from './months.ts';

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

/** All holds in log order. They are stored in the log itself, so that none can be removed unnoticed. */
export function legalHolds(db: DatabaseSync): ListedHold[] {
  const rows = db
    .prepare('select body from audit_event where operation in (?, ?) order by seq')
    .all(HOLD_OPERATIONS.add, HOLD_OPERATIONS.release);
  const holds = new Map<string, ListedHold>();
  for (const row of rows) {
    const record = JSON.parse(row['body'] as string) as RecordBody;
    const id = String(record.details['hold']);
    const known = holds.get(id);
    if (record.operation === HOLD_OPERATIONS.add) {
      const since = String(record.details['since'] ?? instantOfRecord(record));
      holds.set(id, { ...holdOf(record, id), seq: record.seq, since });
    } else if (known !== undefined && record.decision === 'allowed') {
      holds.set(id, { ...known, released: instantOfRecord(record) });
    }
  }
  return [...holds.values()];
}

export function holdsInForce(db: DatabaseSync): ListedHold[] {
  return legalHolds(db).filter(({ released }) => released === undefined);
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

function holdOf({ details }: RecordBody, id: string): LegalHold {
  const { reference, patient, from, to } = details as Partial<Record<string, string>>;
  return {
    id,
    reference: reference ?? '',
    ...(patient !== undefined && { patient }),
    ...(from !== undefined && { from: from as Month }),
    ...(to !== undefined && { to: to as Month }),
  };
}

/** The first record from `fromSeq` to before `beforeSeq` that a hold covers, with the hold. */
export function firstHeld(
  db: DatabaseSync,
  fromSeq: number,
  beforeSeq: number,
): { readonly seq: number; readonly hold: LegalHold } | undefined {
  return holdsInForce(db)
    .map((hold) => ({ hold, seq: firstCovered(db, hold, { fromSeq, beforeSeq }) }))
    .filter((found): found is { hold: ListedHold; seq: number } => found.seq !== null)
    .sort((a, b) => a.seq - b.seq)[0];
}

function firstCovered(
  db: DatabaseSync,
  hold: LegalHold,
  { fromSeq, beforeSeq }: { readonly fromSeq: number; readonly beforeSeq: number },
): number | null {
  const { patient = null, from, to } = hold;
  const row = db
    .prepare(
      `select min(seq) as seq from audit_event e
       where seq >= $after and seq < $before and body is not null
         and +recorded_at_us >= $from and +recorded_at_us < $to
         and ($patient is null
           or exists (select 1 from audit_patient p where p.seq = e.seq and p.user_id = $patient)
           or json_extract(body, '$.details.asked_user_id') = $patient)`,
    )
    .get({
      after: fromSeq,
      before: beforeSeq,
      patient,
      from: from === undefined ? 0 : startOf(from) * 1000,
      to: to === undefined ? Number.MAX_SAFE_INTEGER : startOf(monthAfter(to)) * 1000,
    });
  return (row?.['seq'] as number | null | undefined) ?? null;
}
