import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { openRawSqlite } from '../../database/sqlite/open-sqlite.ts';
import type { AuditEntry } from '../audit-entry.ts';
import { appendNow } from '../offline/append-now.ts';
import { commandEntry } from '../system-record.ts';
import type { RecordBody } from '../record-body.ts';
import { AuditReader } from '../log/audit-reader.ts';
import { auditFile } from '../log/audit-schema.ts';
import { parseVerifierKey } from '../log/checkpoint.ts';
import { APPROVE_CUT, CUT, HOLD_OPERATIONS, PROPOSE_CUT } from '../log-operations.ts';
import { verifyLog } from '../verify.ts';
import { adminOf, isSamePerson, type Admin } from './admin-key.ts';
import { firstUncut, planCut, requireNotHeld, type CutPlan } from './cut-plan.ts';
import { eraseRecords } from './erase-records.ts';
import {
  holdDetails,
  holdsInForce,
  legalHolds,
  type LegalHold,
  type ListedHold,
} from './legal-holds.ts';
import type { Month } from './months.ts';
import { RetentionError } from './retention-error.ts';

export interface RetentionTerms {
  readonly dataDir: string;
  readonly years: number;
  /** Milliseconds since 1970, for tests. */
  readonly nowMs?: number;
}

/** Validity of a proposal. */
const PROPOSAL_DAYS = 7;

/** Places a legal hold, recorded in the log. Returns its id. */
export function addHold(dataDir: string, hold: Omit<LegalHold, 'id'>): string {
  const id = newId();
  appendNow(dataDir, [commandEntry(HOLD_OPERATIONS.add, holdDetails({ ...hold, id }))]);
  return id;
}

/** @throws RetentionError if there is no such active hold */
export function releaseHold(dataDir: string, id: string): void {
  if (!read(dataDir, holdsInForce).some((hold) => hold.id === id)) {
    throw new RetentionError('not_found', 'No active hold has this id.');
  }
  appendNow(dataDir, [commandEntry(HOLD_OPERATIONS.release, { hold: id })]);
}

export function listHolds(dataDir: string): ListedHold[] {
  return read(dataDir, legalHolds);
}

/**
 * Proposes a cut, by the first person. Nothing is erased yet.
 *
 * @throws RetentionError, which is also recorded
 */
export async function proposeCut(
  terms: RetentionTerms,
  key: string,
  until: Month,
): Promise<CutPlan & { readonly id: string }> {
  return await refusalsRecorded(terms.dataDir, PROPOSE_CUT, async (named) => {
    const { principal } = await named(key);
    const plan = read(terms.dataDir, (db) => planCut(db, until, atTimeOf(terms)));
    const id = newId();
    const details = { proposal: id, until, before_seq: plan.beforeSeq };
    appendNow(terms.dataDir, [adminEntry(principal, PROPOSE_CUT, details)]);
    return { ...plan, id };
  });
}

/**
 * Approves a cut, by the second person: verifies the log, records the cut and erases the records. An interrupted cut is
 * continued by approving the same proposal again.
 *
 * @throws RetentionError, which is also recorded
 * @throws AuditBrokenError if the log fails verification; nothing is erased
 */
export async function approveCut(
  terms: RetentionTerms,
  key: string,
  proposalId: string,
): Promise<CutPlan> {
  const { dataDir } = terms;
  return await refusalsRecorded(dataDir, APPROVE_CUT, async (named) => {
    const admin = await named(key);
    const { plan, proposal, isUnderWay } = read(dataDir, (db) => {
      const found = proposalOf(db, proposalId);
      return { ...found, plan: approvable(db, terms, admin, found) };
    });
    // Cutting a log that fails verification would destroy evidence.
    read(dataDir, (db, reader) => {
      verifyLog(db, { key: parseVerifierKey(reader.identity().verifierKey) });
    });
    if (!isUnderWay) {
      const { until, beforeSeq, records } = plan;
      const cut = adminEntry(admin.principal, CUT, {
        proposal: proposalId,
        proposed_by: String(proposal.key_id),
        until,
        before_seq: beforeSeq,
        records,
      });
      const carried = read(dataDir, holdsInForce)
        .filter(({ seq }) => seq < beforeSeq)
        .map((hold) =>
          commandEntry(HOLD_OPERATIONS.add, { ...holdDetails(hold), since: hold.since }),
        );
      // A hold must outlive its record, so it is recorded again before that is erased.
      appendNow(dataDir, [...carried, cut]);
    }
    const db = openRawSqlite(join(dataDir, auditFile));
    try {
      await eraseRecords(db, plan.beforeSeq);
    } finally {
      db.close();
    }
    return plan;
  });
}

interface Proposal {
  readonly proposal: RecordBody;
  /** Whether the log already has the record of this cut. */
  readonly isUnderWay: boolean;
}

/** @throws RetentionError if it must not be approved, by this person or at all */
function approvable(
  db: DatabaseSync,
  terms: RetentionTerms,
  { principal, keys }: Admin,
  { proposal, isUnderWay }: Proposal,
): CutPlan {
  const { details, key_id: proposer, recorded_at_us: proposedAtUs } = proposal;
  if (isSamePerson(keys, principal.keyId, String(proposer))) {
    throw new RetentionError(
      'same_person',
      'A cut takes two people: this key belongs to, or is labelled like that of, the person who proposed it.',
    );
  }
  if (keys.find(({ keyId }) => keyId === proposer)?.state === 'revoked') {
    throw new RetentionError(
      'expired',
      'The key that proposed this cut was revoked. Propose the cut again.',
    );
  }
  const { nowMs, years } = atTimeOf(terms);
  const beforeSeq = Number(details['before_seq']);
  if (isUnderWay && firstUncut(db) >= beforeSeq) {
    throw new RetentionError('done', 'This cut is already done.');
  }
  if (!isUnderWay && nowMs - proposedAtUs / 1000 > PROPOSAL_DAYS * 86_400_000) {
    throw new RetentionError(
      'expired',
      `The proposal has expired: it was valid for ${PROPOSAL_DAYS} days. Propose the cut again.`,
    );
  }
  const plan = planCut(db, String(details['until']) as Month, { nowMs, years });
  if (plan.beforeSeq !== beforeSeq) {
    throw new RetentionError(
      'changed',
      'The records to cut have changed since the proposal. Propose the cut again.',
    );
  }
  requireNotHeld(db, plan.fromSeq, plan.beforeSeq);
  return plan;
}

function proposalOf(db: DatabaseSync, id: string): Proposal {
  const found = db
    .prepare(
      `select operation, body from audit_event
       where operation in (?, ?) and decision = 'allowed'
         and json_extract(body, '$.details.proposal') = ? order by seq`,
    )
    .all(PROPOSE_CUT, CUT, id);
  const proposal = found.find(({ operation }) => operation === PROPOSE_CUT);
  if (proposal === undefined) {
    throw new RetentionError('not_found', 'No proposal has this id.');
  }
  return {
    proposal: JSON.parse(proposal['body'] as string) as RecordBody,
    isUnderWay: found.some(({ operation }) => operation === CUT),
  };
}

/** Runs a step of a cut, and records refusals with the admin key, or the user name if there is none. */
async function refusalsRecorded<T>(
  dataDir: string,
  operation: string,
  half: (named: (key: string) => Promise<Admin>) => Promise<T>,
): Promise<T> {
  // A mistyped folder must not be created.
  new AuditReader(dataDir).close();
  let admin: Admin | undefined;
  try {
    return await half(async (key) => (admin = await adminOf(dataDir, key)));
  } catch (error) {
    if (error instanceof RetentionError) {
      const entry =
        admin === undefined
          ? commandEntry(operation, {})
          : adminEntry(admin.principal, operation, {});
      appendNow(dataDir, [{ ...entry, decision: 'denied', reasonCode: error.refusal }]);
    }
    throw error;
  }
}

function adminEntry(
  { keyId, role }: Admin['principal'],
  operation: string,
  details: Readonly<Record<string, string | number>>,
): AuditEntry {
  const entry = commandEntry(operation, details);
  const { actorId: at } = entry;
  return {
    ...entry,
    actorType: 'key',
    actorId: keyId,
    keyId,
    role,
    details: { ...details, ...(at !== null && { at }) },
  };
}

function read<T>(dataDir: string, what: (db: DatabaseSync, reader: AuditReader) => T): T {
  const reader = new AuditReader(dataDir);
  try {
    return what(reader.db, reader);
  } finally {
    reader.close();
  }
}

function atTimeOf({ nowMs, years }: RetentionTerms): { nowMs: number; years: number } {
  return { nowMs: nowMs ?? Date.now(), years };
}

function newId(): string {
  return randomBytes(4).toString('hex');
}
