import { sign, type KeyObject } from 'node:crypto';
import { openCheckpoint, type Checkpoint, type VerifierKey } from '../note/checkpoint.ts';
import { BadCheckpointError } from '../errors.ts';
import { isMonth, type Month } from './months.ts';

/** What is to be erased, of which log, and on what grounds: all that proposer and approvers sign. */
export interface CutTerms {
  /** Name of the log, `<host>/audit/<log id>`. */
  readonly origin: string;
  readonly proposal: string;
  /** Months of the oldest and of the newest record that goes. */
  readonly since: Month;
  readonly until: Month;
  /** The first record that is kept. */
  readonly beforeSeq: number;
  /** A signed checkpoint (the whole note) with all that goes. */
  readonly checkpoint: string;
  /** How long records are kept. */
  readonly years: number;
  /** ISO 8601 instant. */
  readonly proposedAt: string;
  /** `Approvers.text()` */
  readonly approvers: string;
  /** `HoldsInForce.text()` */
  readonly holds: string;
}

/** A signature under the terms. */
export interface CutSignature {
  readonly by: string;
  /** ISO 8601 instant. Of a proposal: `proposedAt`. */
  readonly at: string;
  /** Base64 of 64 bytes, Ed25519. */
  readonly signature: string;
}

export type CutRole = 'proposal' | 'approval';

const label = 'caregate audit cut v1';

/** The text that is signed: one line for each of its parts, none of which has a line break. */
export function cutText(terms: CutTerms, role: CutRole, at: string): Buffer {
  const [, size = '', root = ''] = terms.checkpoint.split('\n');
  const lines = [
    label,
    role,
    terms.origin,
    terms.proposal,
    terms.since,
    terms.until,
    String(terms.beforeSeq),
    size,
    root,
    String(terms.years),
    terms.proposedAt,
    at,
    terms.approvers,
    terms.holds,
  ];
  return Buffer.from(`${lines.join('\n')}\n`);
}

export function signCut(terms: CutTerms, role: CutRole, at: string, key: KeyObject): string {
  return sign(null, cutText(terms, role, at), key).toString('base64');
}

/** The terms in the details of a record. */
export function termsDetails(terms: CutTerms): Record<string, string | number> {
  return {
    proposal: terms.proposal,
    since: terms.since,
    until: terms.until,
    before_seq: terms.beforeSeq,
    checkpoint: terms.checkpoint,
    years: terms.years,
    proposed_at: terms.proposedAt,
    approvers: terms.approvers,
    holds: terms.holds,
  };
}

/** The terms that a record names; undefined if it has not all of them, each in its one form. */
export function parseTerms(
  origin: string,
  details: Readonly<Record<string, string | number>>,
): CutTerms | undefined {
  const { proposal, since, until, checkpoint, years, approvers, holds } = details;
  const { before_seq: beforeSeq, proposed_at: proposedAt } = details;
  const texts = [proposal, proposedAt, approvers, holds];
  return typeof since === 'string' &&
    typeof until === 'string' &&
    isMonth(since) &&
    isMonth(until) &&
    isCount(beforeSeq) &&
    isCount(years) &&
    typeof checkpoint === 'string' &&
    texts.every((text) => typeof text === 'string' && text !== '' && !text.includes('\n')) &&
    isInstant(proposedAt)
    ? {
        origin,
        proposal: String(proposal),
        since,
        until,
        beforeSeq,
        checkpoint,
        years,
        proposedAt,
        approvers: String(approvers),
        holds: String(holds),
      }
    : undefined;
}

/** The checkpoint of the terms, if one of the log's keys signed it. */
export function checkpointOf(
  { checkpoint }: CutTerms,
  keys: readonly VerifierKey[],
): Checkpoint | undefined {
  for (const key of keys) {
    try {
      return openCheckpoint(checkpoint, key);
    } catch (error) {
      if (!(error instanceof BadCheckpointError)) {
        throw error;
      }
    }
  }
  return undefined;
}

/** An ISO 8601 instant in the one form that JavaScript writes. */
export function isInstant(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    !Number.isNaN(Date.parse(value)) &&
    new Date(value).toISOString() === value
  );
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
