import { randomBytes, type KeyObject } from 'node:crypto';
import { APPROVE_CUT, CUT, HOLD_OPERATIONS, PROPOSE_CUT } from '../../entry/log-operations.ts';
import type { LogSource } from '../../log-source.ts';
import { parseVerifierKey, verifierKey } from '../../note/checkpoint.ts';
import { consistencyProof, rootAt } from '../../tree/tree.ts';
import { isSignedBy, type Approver } from '../approvers.ts';
import { checkCut, PROPOSAL_DAYS, signatureDetails } from '../check-cut.ts';
import type { CutRecord } from '../cut-records.ts';
import {
  cutText,
  parseTerms,
  signCut,
  termsDetails,
  type CutSignature,
  type CutTerms,
} from '../cut-statement.ts';
import { holdDetails } from '../legal-holds.ts';
import type { Month } from '../months.ts';
import { planCut, requireNotHeld, type CutPlan, type CutTimes } from './plan-cut.ts';
import { RetentionError } from './retention-error.ts';
import { surveyLog, withNodesOf, type LogSurvey } from './survey.ts';

/** An act to record, in this order, before anything is erased. */
export interface CutAct {
  readonly operation: string;
  readonly details: Readonly<Record<string, string | number>>;
}

export interface Proposed {
  readonly id: string;
  readonly by: string;
  readonly plan: CutPlan;
  readonly acts: readonly CutAct[];
}

/** What an approval leads to. */
export interface Approved {
  readonly plan: CutPlan;
  readonly by: string;
  readonly acts: readonly CutAct[];
  /** Whether the records may be erased once the acts are recorded; otherwise a second approval is missing. */
  readonly isComplete: boolean;
}

/**
 * Proposes a cut. Nothing is erased yet.
 *
 * @throws RetentionError
 */
export async function proposeCut(
  source: LogSource,
  key: KeyObject,
  until: Month,
  times: CutTimes,
): Promise<Proposed> {
  const survey = await surveyLog(source);
  const { name: by } = requireApprover(survey, key);
  const plan = planCut(survey, until, times);
  await requireNotHeld(source, survey, plan);
  const checkpoint = await source.checkpoint();
  if (Number(checkpoint.split('\n')[1]) < plan.beforeSeq) {
    throw new RetentionError(
      'changed',
      'The newest checkpoint does not cover these records yet. Try again in a few seconds.',
    );
  }
  const id = randomBytes(4).toString('hex');
  const terms: CutTerms = {
    origin: survey.origin,
    proposal: id,
    since: plan.since,
    until,
    beforeSeq: plan.beforeSeq,
    checkpoint,
    years: times.years,
    proposedAt: new Date(times.nowMs).toISOString(),
    approvers: survey.approvers.text(),
    holds: survey.holds.text(),
  };
  const { proposedAt: at } = terms;
  const signature = { by, at, signature: signCut(terms, 'proposal', at, key) };
  const details = { ...termsDetails(terms), ...signatureDetails('proposed', signature) };
  return { id, by, plan, acts: [{ operation: PROPOSE_CUT, details }] };
}

/**
 * Approves a proposal. With the second approval the cut is complete. A cut that was interrupted is continued by approving
 * the same proposal again: then there are no acts.
 *
 * @throws RetentionError
 */
export async function approveCut(
  source: LogSource,
  key: KeyObject,
  proposalId: string,
  times: CutTimes,
): Promise<Approved> {
  const survey = await surveyLog(source);
  const proposal = proposalOf(survey, proposalId);
  const { name: by } = requireApprover(survey, key);
  const [underWay] = recordsOf(survey, CUT, proposalId);
  const isUnderWay = underWay !== undefined;
  if (isUnderWay && survey.erased >= proposal.terms.beforeSeq) {
    throw new RetentionError('done', 'This cut is already done.');
  }
  const others = isUnderWay ? [] : approvalsOf(survey, proposal.terms);
  if (!isUnderWay) {
    requireApprovable(survey, proposal, others, { by, nowMs: times.nowMs });
  }
  const plan = planCut(survey, proposal.terms.until, times);
  if (plan.beforeSeq !== proposal.terms.beforeSeq) {
    throw changed('The records to cut have changed since the proposal.');
  }
  await requireNotHeld(source, survey, plan);
  if (isUnderWay) {
    await requireValid(source, survey, survey.records, underWay);
    return { plan, by, acts: [], isComplete: true };
  }
  requireUnchanged(survey, plan, proposal.terms);
  const at = new Date(times.nowMs).toISOString();
  const own = { by, at, signature: signCut(proposal.terms, 'approval', at, key) };
  const approval = {
    operation: APPROVE_CUT,
    details: { proposal: proposalId, ...signatureDetails('approved', own) },
  };
  const [other] = others;
  if (other === undefined) {
    return { plan, by, acts: [approval], isComplete: false };
  }
  const cut = {
    operation: CUT,
    details: {
      ...proposal.record.details,
      ...signatureDetails('approved', other),
      ...signatureDetails('approved_2', own),
      consistency: await consistencyOf(source, proposal),
      records: plan.records,
    },
  };
  const acts = [...carriedHolds(survey, plan.beforeSeq), approval, cut];
  const { size } = survey;
  const added = acts.map((act, n): CutRecord => ({ ...act, seq: size + n, atMs: times.nowMs }));
  await requireValid(source, survey, [...survey.records, ...added], added.at(-1) as CutRecord);
  return { plan, by, acts, isComplete: true };
}

interface Proposal {
  readonly record: CutRecord;
  readonly terms: CutTerms;
  readonly by: string;
}

/** The approver whose key this is. @throws RetentionError */
export function requireApprover({ origin, approvers }: LogSurvey, key: KeyObject): Approver {
  const { bytes } = verifierKey(origin, key);
  const known = approvers.all.find((one) => one.key.bytes.equals(bytes));
  if (known === undefined || known.isPending || known.revoked !== undefined) {
    const why =
      known === undefined
        ? 'is not enrolled in this log'
        : known.isPending
          ? 'still waits for endorsements'
          : 'was revoked';
    throw new RetentionError('unauthorized', `This key of an approver ${why}.`);
  }
  return known;
}

function proposalOf(survey: LogSurvey, id: string): Proposal {
  const [record] = recordsOf(survey, PROPOSE_CUT, id);
  const terms = record && parseTerms(survey.origin, record.details);
  if (record === undefined || terms === undefined) {
    throw new RetentionError('not_found', 'No proposal has this id.');
  }
  return { record, terms, by: String(record.details['proposed_by']) };
}

function requireApprovable(
  { approvers }: LogSurvey,
  { terms, by: proposer }: Proposal,
  others: readonly CutSignature[],
  { by, nowMs }: { readonly by: string; readonly nowMs: number },
): void {
  if (others.some((other) => other.by === by)) {
    throw new RetentionError(
      'same_person',
      `A cut takes two people: ${by} has approved it already.`,
    );
  }
  if (approvers.inForce(proposer) === undefined) {
    throw new RetentionError(
      'expired',
      'The key that proposed this cut was revoked. Propose the cut again.',
    );
  }
  if (nowMs - Date.parse(terms.proposedAt) > PROPOSAL_DAYS * 86_400_000) {
    throw new RetentionError(
      'expired',
      `The proposal has expired: it was valid for ${PROPOSAL_DAYS} days. Propose the cut again.`,
    );
  }
}

/** What else stands in the signatures. */
function requireUnchanged(
  { approvers, holds }: LogSurvey,
  { since }: CutPlan,
  terms: CutTerms,
): void {
  if (since !== terms.since) {
    throw changed('The records to cut have changed since the proposal.');
  }
  if (approvers.text() !== terms.approvers || holds.text() !== terms.holds) {
    throw changed('Approvers or legal holds have changed since the proposal.');
  }
}

function changed(what: string): RetentionError {
  return new RetentionError('changed', `${what} Propose the cut again.`);
}

/** Valid approvals in the log by approvers who are still in force, one each. */
function approvalsOf(survey: LogSurvey, terms: CutTerms): CutSignature[] {
  const found = new Map<string, CutSignature>();
  for (const { details } of recordsOf(survey, APPROVE_CUT, terms.proposal)) {
    const [by, at, signature] = ['by', 'at', 'signature'].map((part) =>
      String(details[`approved_${part}`]),
    ) as [string, string, string];
    const approver = survey.approvers.inForce(by);
    if (
      approver !== undefined &&
      isSignedBy(approver.key, cutText(terms, 'approval', at), signature)
    ) {
      found.set(approver.name, { by: approver.name, at, signature });
    }
  }
  return [...found.values()];
}

/** A hold must outlive its record, so it is recorded again before that is erased. */
function carriedHolds({ holds }: LogSurvey, beforeSeq: number): CutAct[] {
  return holds.inForce
    .filter(({ seq }) => seq < beforeSeq)
    .map((hold) => ({
      operation: HOLD_OPERATIONS.add,
      details: { ...holdDetails(hold), since: hold.since },
    }));
}

/** Shows, to whoever reads the log in order, that the tree of the checkpoint is that in front of the proposal. */
async function consistencyOf(
  source: LogSource,
  { terms: { checkpoint }, record: { seq } }: Proposal,
): Promise<string> {
  const size = Number(checkpoint.split('\n')[1]);
  const proof = await withNodesOf(source, (read) => consistencyProof(size, seq, read));
  return Buffer.concat(proof).toString('base64');
}

/** What every verifier will check, before and after the records are erased. */
async function requireValid(
  source: LogSource,
  { erased }: LogSurvey,
  records: readonly CutRecord[],
  cut: CutRecord,
): Promise<void> {
  const roots = new Map<number, Buffer>();
  for (const { seq, operation } of records) {
    if (operation === PROPOSE_CUT) {
      roots.set(seq, await withNodesOf(source, (read) => rootAt(seq, read)));
    }
  }
  const keys = [parseVerifierKey(source.identity().verifierKey)];
  for (const gone of [erased, Number(cut.details['before_seq'])]) {
    const before = records.filter(({ seq }) => seq >= gone && seq < cut.seq);
    const outcome = checkCut(cut, { keys, nowMs: cut.atMs, erased: gone, before, roots });
    if (typeof outcome === 'string') {
      throw new RetentionError('changed', `This cut would not be valid: ${outcome}.`);
    }
  }
}

function recordsOf({ records }: LogSurvey, operation: string, proposal: string): CutRecord[] {
  return records.filter(
    (record) => record.operation === operation && record.details['proposal'] === proposal,
  );
}
