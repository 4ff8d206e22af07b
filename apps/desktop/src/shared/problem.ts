import type { OperationName } from '@caregate/domain/operations';

/** Each has a text in the catalogues (`problem.<kind>`). */
export const PROBLEM_KINDS = [
  'offline',
  /** The host name can't be resolved. */
  'addressNotFound',
  'timeout',
  'untrustedCertificate',
  'insecureAddress',
  'invalidAddress',
  'fixedAddress',
  /** 401: unknown, expired or revoked. */
  'expired',
  'forbidden',
  'notFound',
  /** 400, 422, or refused before it was sent. */
  'invalid',
  /** 405 or 501: not supported by the service or its upstream. */
  'notOffered',
  'busy',
  /** 5xx, HTML, a truncated answer, a redirect, or an answer that violates the interface. */
  'serverBroken',
  'cancelled',
  'locked',
  'signedOut',
  /** A call from another sender, or of another shape. */
  'refused',
  /** With `interfaces`. */
  'serviceTooOld',
  'deskTooOld',
  'notEnrolled',
  'deskRevoked',
  /** Unknown, used, expired or tried too often; the service doesn't say which. */
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
  /** 401: this computer's clock is off by more than a minute. */
  'clockWrong',
  'proofRefused',
  'wrongPin',
  'pinTriedOut',
  'noPin',
  'weakPin',
  'tooLateForPin',
  'unknownBadge',
  /** The client id can't be a barcode, or doesn't fit on this label. */
  'noLabel',
] as const;
export type ProblemKind = (typeof PROBLEM_KINDS)[number];

export const UNREACHABLE_KINDS: readonly ProblemKind[] = ['offline', 'addressNotFound', 'timeout'];

/** Why the service refused a sign-in; texts in the catalogues (`signIn.refused.<reason>`). */
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
  /** What a 404 is about if the patient exists. */
  readonly missing?: 'insurance' | 'result' | undefined;
  readonly orderStatus?: string | undefined;
  readonly reason?: SignInRefusal | undefined;
  /** Of `serviceTooOld` and `deskTooOld`: version needed by one side, offered by the other. */
  readonly interfaces?: { readonly needed: number; readonly offered: number } | undefined;
  readonly triesLeft?: number | undefined;
}

export type Outcome<T> = { ok: true; value: T } | { ok: false; problem: Problem };

export const succeed = <T>(value: T): { ok: true; value: T } => ({ ok: true, value });

export const fail = (kind: ProblemKind): { ok: false; problem: { kind: ProblemKind } } => ({
  ok: false,
  problem: { kind },
});
