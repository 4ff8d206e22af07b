import { PROPOSE_CUT } from '../entry/log-operations.ts';
import type { VerifierKey } from '../note/checkpoint.ts';
import { verifyConsistency } from '../tree/tree.ts';
import { Approvers, isSignedBy, knownBefore } from './approvers.ts';
import type { CutRecord } from './cut-records.ts';
import {
  checkpointOf,
  cutText,
  isInstant,
  parseTerms,
  type CutRole,
  type CutSignature,
  type CutTerms,
} from './cut-statement.ts';
import { coversMonths, LegalHolds } from './legal-holds.ts';
import { monthAfter, RETENTION_FLOOR_YEARS, startOf } from './months.ts';

/** Days from a proposal to the last approval. */
export const PROPOSAL_DAYS = 7;
const dayMs = 86_400_000;

/** What the checks of a cut stand on. */
export interface CutContext {
  /** Every key that signed this log, oldest first; their name is the log's. */
  readonly keys: readonly VerifierKey[];
  /** By the clock of whoever verifies: a cut from the future proves no age. */
  readonly nowMs: number;
  /** Keys of approvers that were kept in another place: where given, none but they count. */
  readonly approvers?: readonly VerifierKey[];
  /** Number of records erased. */
  readonly erased: number;
  /** All records before the cut that decide what may be erased, in order. */
  readonly before: readonly CutRecord[];
  /** Roots of the tree in front of the records of proposals, by their position. */
  readonly roots: ReadonlyMap<number, Buffer>;
}

/** A cut that holds. */
export interface ProvenCut {
  readonly seq: number;
  readonly terms: CutTerms;
  readonly proposedBy: string;
  readonly approvedBy: readonly [string, string];
}

/** Thrown inside the checks of one cut; the message completes "Record 7 is no valid retention cut: ...". */
class InvalidCut extends Error {}

/** Checks a `retentionCut` record against all that came before it. Gives the cut, or why it is none. */
export function checkCut(cut: CutRecord, context: CutContext): ProvenCut | string {
  try {
    return provenCut(cut, context);
  } catch (error) {
    if (error instanceof InvalidCut) {
      return error.message;
    }
    throw error;
  }
}

function provenCut(cut: CutRecord, context: CutContext): ProvenCut {
  const { details, seq } = cut;
  const origin = context.keys[0]?.name ?? '';
  const terms = parseTerms(origin, details) ?? invalid('it carries no proof');
  const proposed = signatureIn(details, 'proposed');
  const approved = [signatureIn(details, 'approved'), signatureIn(details, 'approved_2')] as const;
  requireOldEnough(terms, [cut.atMs, ...approved.map(({ at }) => Date.parse(at))], context.nowMs);
  requireSigned(terms, { cut, proposed, approved }, context);
  requireCheckpoint(terms, details, context);
  requireNotHeld(terms, context);
  return {
    seq,
    terms,
    proposedBy: proposed.by,
    approvedBy: [approved[0].by, approved[1].by],
  };
}

function requireOldEnough(
  { years, until, since, proposedAt }: CutTerms,
  times: readonly number[],
  nowMs: number,
): void {
  const proposedMs = Date.parse(proposedAt);
  const [, ...approvedMs] = times;
  if (years < RETENTION_FLOOR_YEARS) {
    invalid(`records are kept for at least ${RETENTION_FLOOR_YEARS} years`);
  }
  if (since > until) {
    invalid('its months are in the wrong order');
  }
  if (approvedMs.some((at) => at < proposedMs || at > proposedMs + PROPOSAL_DAYS * dayMs)) {
    invalid('it was not approved within the time of its proposal');
  }
  const earliest = new Date(Math.min(...times, proposedMs, nowMs));
  const kept = earliest.setUTCFullYear(earliest.getUTCFullYear() - years);
  // Not the other way round: a date that is none is not old enough.
  if (!(kept >= startOf(monthAfter(until)))) {
    invalid(`its records were younger than ${years} years, or its date lies in the future`);
  }
}

interface Signed {
  readonly cut: CutRecord;
  readonly proposed: CutSignature;
  readonly approved: readonly [CutSignature, CutSignature];
}

function requireSigned(
  terms: CutTerms,
  { cut, proposed, approved }: Signed,
  { before, erased, keys, approvers: kept }: CutContext,
): void {
  // Those whose own records are erased stand in the cut alone, under both signatures.
  const known = knownBefore(erased, terms.approvers);
  const approvers = new Approvers(keys[0]?.name ?? '', known);
  before.forEach((record) => approvers.take(record));
  if (approvers.text() !== terms.approvers) {
    invalid('it does not name the approvers who are enrolled in the log');
  }
  const signer = (signature: CutSignature, role: CutRole): string => {
    const approver = approvers.inForce(signature.by);
    if (approver?.name !== signature.by) {
      invalid(`${signature.by} is no approver`);
    }
    if (kept?.every(({ bytes }) => !bytes.equals(approver.key.bytes)) === true) {
      invalid(`the key of ${signature.by} is none of the given ones`);
    }
    if (!isSignedBy(approver.key, cutText(terms, role, signature.at), signature.signature)) {
      invalid(`the ${role} is not signed by ${signature.by}`);
    }
    return signature.by;
  };
  signer(proposed, 'proposal');
  const [one, other] = approved.map((approval) => signer(approval, 'approval'));
  if (one === other) {
    invalid('it takes two approvers');
  }
  if (proposed.at !== terms.proposedAt || cut.seq < terms.beforeSeq) {
    invalid('its proposal is not its own');
  }
}

function requireCheckpoint(
  terms: CutTerms,
  details: CutRecord['details'],
  { keys, before, roots }: CutContext,
): void {
  const { size, root } = checkpointOf(terms, keys) ?? invalid('its checkpoint is not signed');
  const proposal =
    before.find(
      (record) => record.operation === PROPOSE_CUT && record.details['proposal'] === terms.proposal,
    ) ?? invalid('its proposal is not in the log');
  const proof = hashesIn(details['consistency']);
  const rootThere = roots.get(proposal.seq);
  if (
    size < terms.beforeSeq ||
    rootThere === undefined ||
    !verifyConsistency(size, proposal.seq, proof, root, rootThere)
  ) {
    invalid('its checkpoint is not one of this log');
  }
}

function requireNotHeld({ since, until, holds: named }: CutTerms, { before }: CutContext): void {
  const holds = new LegalHolds();
  before.forEach((record) => {
    holds.take(record);
  });
  const over = holds.inForce.find(
    (hold) => hold.patient === undefined && coversMonths(hold, since, until),
  );
  if (over !== undefined) {
    invalid(`hold ${over.id} (${over.reference}) was in force`);
  }
  if (holds.text() !== named) {
    invalid('it does not name the legal holds in force');
  }
}

/** Signatures in the details of a cut record. */
export function signatureDetails(
  name: 'proposed' | 'approved' | 'approved_2',
  { by, at, signature }: CutSignature,
): Record<string, string> {
  return { [`${name}_by`]: by, [`${name}_at`]: at, [`${name}_signature`]: signature };
}

function signatureIn(details: CutRecord['details'], name: string): CutSignature {
  const { [`${name}_by`]: by, [`${name}_at`]: at, [`${name}_signature`]: signature } = details;
  return typeof by === 'string' && isInstant(at) && typeof signature === 'string'
    ? { by, at, signature }
    : invalid('it is not signed by a proposer and two approvers');
}

function hashesIn(value: unknown): Buffer[] {
  const bytes = Buffer.from(String(value), 'base64');
  return Array.from({ length: Math.floor(bytes.length / 32) }, (_, at) =>
    bytes.subarray(32 * at, 32 * at + 32),
  );
}

function invalid(why: string): never {
  throw new InvalidCut(why);
}
