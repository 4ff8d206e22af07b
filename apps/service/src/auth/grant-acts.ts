import type { BreakGlassReason, ReviewOutcome } from '@caregate/domain';
import { ACCESS_ACTS, saltedHash, type AccessAct } from './access-acts.ts';
import type { Actor } from './principal.ts';

export interface GrantFacts {
  readonly grantId: string;
  readonly teamId: string;
  readonly userId: string;
  readonly reasonCode: string;
  readonly text: string;
  readonly granted: Date;
  readonly expires: Date;
}

export function grantAct(
  by: Actor,
  grant: GrantFacts & { readonly reasonCode: BreakGlassReason },
  salt: Uint8Array,
): AccessAct {
  const { grantId, teamId, userId } = grant;
  return {
    operation: ACCESS_ACTS.grant,
    teamId,
    by,
    keyId: keyIdOf(by),
    grantId,
    patients: [userId],
    details: grantDetails(grant, salt),
  };
}

export function grantDetails(
  grant: Pick<GrantFacts, 'reasonCode' | 'text' | 'granted' | 'expires'>,
  salt: Uint8Array,
): Readonly<Record<'reason' | 'granted' | 'expires' | 'text_sha256', string>> {
  const { reasonCode, text, granted, expires } = grant;
  return {
    reason: reasonCode,
    granted: granted.toISOString(),
    expires: expires.toISOString(),
    text_sha256: saltedHash(salt, text),
  };
}

export interface ReviewFacts {
  readonly outcome: string;
  readonly reviewedBy: string;
  readonly note: string | undefined;
}

export function reviewAct(
  by: Actor | undefined,
  { grantId, teamId, userId }: Pick<GrantFacts, 'grantId' | 'teamId' | 'userId'>,
  review: ReviewFacts & { readonly outcome: ReviewOutcome },
  salt: Uint8Array,
): AccessAct {
  return {
    operation: ACCESS_ACTS.review,
    teamId,
    by,
    keyId: keyIdOf(by),
    grantId,
    patients: [userId],
    details: reviewDetails(review, salt),
  };
}

/** `review_sha256` is of the JSON array `[outcome, reviewed by, note or null]`. */
export function reviewDetails(
  { outcome, reviewedBy, note }: ReviewFacts,
  salt: Uint8Array,
): { readonly outcome: string; readonly review_sha256: string } {
  const text = JSON.stringify([outcome, reviewedBy, note ?? null]);
  return { outcome, review_sha256: saltedHash(salt, text) };
}

function keyIdOf(by: Actor | undefined): string | null {
  return by !== undefined && 'keyId' in by ? by.keyId : null;
}

export function endGrantAct(
  by: Actor,
  { grantId, teamId, userId }: Pick<GrantFacts, 'grantId' | 'teamId' | 'userId'>,
): AccessAct {
  const operation = ACCESS_ACTS.endGrant;
  return { operation, teamId, by, keyId: keyIdOf(by), grantId, patients: [userId], details: {} };
}
