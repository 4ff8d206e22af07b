import { OperatorError } from '@caregate/data-store/errors';
import { ERASURE_OPERATIONS } from '../../audit/audit-entries.ts';
import { formatRecordTime, type AuditRecord } from '../../audit/audit-record.ts';

const DAY_MS = 86_400_000;
const VALID_DAYS = 30;

/** Grounds for erasure, in the order of article 17 (1) GDPR. Coded, since a record in the audit log can't be erased. */
export const ERASURE_REASONS = [
  'no-longer-needed',
  'consent-withdrawn',
  'objection',
  'unlawful',
  'legal-obligation',
] as const;

export interface Erasure {
  readonly id: string;
  readonly teamId: string;
  readonly userId: string;
  readonly reason: string;
  /** Staff ID of the proposer. `approvedBy` is a staff ID, too; `proposed` and `erased` are ISO 8601 date-times. */
  readonly proposedBy: string;
  readonly proposed: string;
  readonly approvedBy?: string;
  readonly erased?: string;
}

/** @param records oldest first; records of other operations are ignored */
export function readErasures(records: readonly AuditRecord[]): Erasure[] {
  const erasures = new Map<string, Erasure>();
  for (const record of records) {
    const { operation, details, team_id: teamId, patients, decision } = record;
    const id = String(details['proposal']);
    const by = String(details['staff_id']);
    const at = formatRecordTime(record);
    const isAllowed = decision === 'allowed';
    const erasure = erasures.get(id);
    if (operation === ERASURE_OPERATIONS.propose && isAllowed) {
      const [userId = ''] = patients;
      erasures.set(id, {
        ...{ id, teamId: teamId ?? '', userId, reason: String(details['reason']) },
        ...{ proposedBy: by, proposed: at },
      });
    } else if (operation === ERASURE_OPERATIONS.erase && erasure !== undefined) {
      const { approvedBy: _approvedBy, erased: _erased, ...proposed } = erasure;
      if (!isAllowed) {
        // The erasure was recorded, but failed.
        erasures.set(id, proposed);
      } else if (details['again'] === undefined) {
        erasures.set(id, { ...proposed, approvedBy: by, erased: at });
      }
    }
  }
  return [...erasures.values()];
}

/** @throws OperatorError with the reason why this staff member may not approve the erasure now */
export function requireApprovable(
  erasure: Erasure,
  by: { readonly staffId: string },
  now: number,
): void {
  if (erasure.proposedBy === by.staffId) {
    throw new OperatorError(
      'You proposed this erasure yourself: another person must approve it.',
      2,
    );
  }
  if (now - Date.parse(erasure.proposed) > VALID_DAYS * DAY_MS) {
    const day = erasure.proposed.slice(0, 10);
    throw new OperatorError(
      `This erasure was proposed on ${day}, more than ${VALID_DAYS} days ago: propose it again.`,
      2,
    );
  }
}
