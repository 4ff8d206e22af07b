import type { OperationName } from '@caregate/domain/operations';

/** Each kind has a text in the catalogs (`problem.<kind>`). */
export const PROBLEM_KINDS = [
  'offline',
  /** The host name can't be resolved. */
  'addressNotFound',
  'timeout',
  'untrustedCertificate',
  'insecureAddress',
  'invalidAddress',
  'fixedAddress',
  /** Status 401: the credential is unknown, expired or revoked. */
  'expired',
  'forbidden',
  'notFound',
  /** Status 400 or 422, or the client rejected the request before sending it. */
  'invalid',
  /** Status 405 or 501: the service or its upstream doesn't support the request. */
  'notOffered',
  'busy',
  /** Status 5xx, HTML, a truncated response, a redirect, or a response that violates the interface. */
  'serverBroken',
  'cancelled',
  'locked',
  'signedOut',
  /** The call has another sender or an invalid request. */
  'refused',
  /** The problem has `interfaces`. */
  'serviceTooOld',
  'deskTooOld',
  'notEnrolled',
  'deskRevoked',
  /** The code is unknown, used, expired or was tried too often. The service doesn't tell which. */
  'enrolmentRefused',
  /** The address doesn't belong to a Caregate service. */
  'notCaregate',
  'noProvider',
  'browserNotOpened',
  'signInTimedOut',
  'signInDenied',
  'wrongState',
  'portTaken',
  'providerOffline',
  'providerNotFound',
  'providerUntrusted',
  'providerBroken',
  'codeRefused',
  'signInRefused',
  /** Status 401: this computer's clock is off by more than a minute. */
  'clockWrong',
  'proofRefused',
  'wrongPin',
  'pinTriedOut',
  'noPin',
  'weakPin',
  'tooLateForPin',
  'unknownBadge',
  /** The MRN can't be encoded as a barcode, or doesn't fit on this label. */
  'noLabel',
] as const;
export type ProblemKind = (typeof PROBLEM_KINDS)[number];

export const UNREACHABLE_KINDS: readonly ProblemKind[] = ['offline', 'addressNotFound', 'timeout'];

/**
 * Why the service refused a sign-in. Each refusal has a text in the catalogs (`signIn.refused.<reason>`) or shares a
 * general one.
 */
export const SIGN_IN_REFUSALS = [
  'expired',
  'notYetValid',
  'wrongIssuer',
  'wrongAudience',
  'wrongNonce',
  'wrongAlgorithm',
  'badSignature',
  'unknownKey',
  'notAnIdToken',
  'used',
  'unknownPerson',
  'disabled',
  'providerUnreachable',
  'other',
] as const;
export type SignInRefusal = (typeof SIGN_IN_REFUSALS)[number];

export interface Problem {
  readonly kind: ProblemKind;
  readonly requestId?: string | undefined;
  readonly operation?: OperationName | undefined;
  /** What a 404 response says is missing; the patient exists. */
  readonly missing?: 'insurance' | 'result' | undefined;
  readonly orderStatus?: string | undefined;
  readonly reason?: SignInRefusal | undefined;
  /** For `serviceTooOld` and `deskTooOld`: the version that one side needs and the one that the other offers. */
  readonly interfaces?: { readonly needed: number; readonly offered: number } | undefined;
  readonly triesLeft?: number | undefined;
}

export type Outcome<T> = { ok: true; value: T } | { ok: false; problem: Problem };

export const succeed = <T>(value: T): { ok: true; value: T } => ({ ok: true, value });

export const fail = (kind: ProblemKind): { ok: false; problem: { kind: ProblemKind } } => ({
  ok: false,
  problem: { kind },
});
