import { randomBytes, type KeyObject } from 'node:crypto';
import {
  APPROVE_CUT,
  approveCut as approve,
  type AuditEntry,
  type CutAct,
  type CutPlan,
  HOLD_OPERATIONS,
  holdDetails,
  type LegalHold,
  type ListedHold,
  type Month,
  newHoldsSince,
  PROPOSE_CUT,
  proposeCut as propose,
  requireNotHeld,
  RetentionError,
  type Segment,
  segments,
  surveyLog,
} from '@caregate/audit-log';
import { commandEntry } from '../system-record.ts';
import type { CutStore } from './cut-store.ts';

/** The retention in force. */
export interface RetentionTerms {
  readonly years: number;
  /** Milliseconds since 1970, for tests. */
  readonly nowMs?: number;
}

/** What an approval led to. */
export interface CutOutcome {
  readonly plan: CutPlan;
  readonly by: string;
  /** Otherwise a second approval is missing. */
  readonly isDone: boolean;
}

/** Places a legal hold, recorded in the log. Returns its id. */
export async function addHold(store: CutStore, hold: Omit<LegalHold, 'id'>): Promise<string> {
  const id = randomBytes(4).toString('hex');
  await store.record([commandEntry(HOLD_OPERATIONS.add, holdDetails({ ...hold, id }))]);
  return id;
}

/** @throws RetentionError if there is no such active hold */
export async function releaseHold(store: CutStore, id: string): Promise<void> {
  const { holds } = await surveyLog(store.source);
  if (!holds.inForce.some((hold) => hold.id === id)) {
    throw new RetentionError('not_found', 'No active hold has this id.');
  }
  await store.record([commandEntry(HOLD_OPERATIONS.release, { hold: id })]);
}

export async function listHolds(store: CutStore): Promise<ListedHold[]> {
  return (await surveyLog(store.source)).holds.all;
}

/** The months that are not erased, oldest first. */
export async function listSegments(store: CutStore, terms: RetentionTerms): Promise<Segment[]> {
  return await segments(store.source, await surveyLog(store.source), atTimeOf(terms));
}

/**
 * Proposes a cut, signed with the key of an approver. Nothing is erased yet.
 *
 * @throws RetentionError, which is also recorded
 */
export async function proposeCut(
  store: CutStore,
  key: KeyObject,
  until: Month,
  terms: RetentionTerms,
): Promise<CutPlan & { readonly id: string }> {
  return await refusalsRecorded(store, PROPOSE_CUT, async () => {
    const { id, by, plan, acts } = await propose(store.source, key, until, atTimeOf(terms));
    await store.record(actsOf(acts, by));
    return { ...plan, id };
  });
}

/**
 * Approves a cut, signed with the key of an approver. The first approval verifies and records; with the second the cut is
 * recorded and the records are erased. An interrupted cut is continued by approving the same proposal again.
 *
 * @throws RetentionError, which is also recorded
 * @throws AuditBrokenError if the log fails verification; nothing is erased
 */
export async function approveCut(
  store: CutStore,
  key: KeyObject,
  proposalId: string,
  terms: RetentionTerms,
): Promise<CutOutcome> {
  return await refusalsRecorded(store, APPROVE_CUT, async () => {
    // Cutting a log that fails verification would destroy evidence.
    await store.verify();
    const times = atTimeOf(terms);
    const { plan, by, acts, isComplete } = await approve(store.source, key, proposalId, times);
    if (acts.length > 0) {
      await store.record(actsOf(acts, by));
    }
    if (isComplete) {
      await store.erase(plan.beforeSeq, holdsWatch(store, plan, await store.source.size()));
    }
    return { plan, by, isDone: isComplete };
  });
}

/** A hold that is placed while records are erased stops it. */
function holdsWatch(store: CutStore, plan: CutPlan, from: number): () => Promise<void> {
  let seen = from;
  return async () => {
    const { isPlaced, size } = await newHoldsSince(store.source, seen);
    seen = size;
    if (isPlaced) {
      const survey = await surveyLog(store.source);
      await requireNotHeld(store.source, survey, { ...plan, fromSeq: survey.erased });
    }
  };
}

/** Runs a step of a cut, and records refusals. */
async function refusalsRecorded<T>(
  store: CutStore,
  operation: string,
  half: () => Promise<T>,
): Promise<T> {
  try {
    return await half();
  } catch (error) {
    if (error instanceof RetentionError) {
      await store.record([deniedEntry(operation, error)]);
    }
    throw error;
  }
}

export function deniedEntry(operation: string, { refusal }: RetentionError): AuditEntry {
  return { ...commandEntry(operation, {}), decision: 'denied', reasonCode: refusal };
}

/** The records of what an approver signed, with the user name on this machine beside theirs. */
function actsOf(acts: readonly CutAct[], by: string): AuditEntry[] {
  return acts.map(({ operation, details }) => {
    const entry = commandEntry(operation, details);
    const at = entry.actorId === null ? {} : { at: entry.actorId };
    return { ...entry, actorType: 'person', actorId: by, details: { ...details, ...at } };
  });
}

function atTimeOf({ nowMs, years }: RetentionTerms): { nowMs: number; years: number } {
  return { nowMs: nowMs ?? Date.now(), years };
}
