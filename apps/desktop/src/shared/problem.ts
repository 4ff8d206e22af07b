import { OPERATION_NAMES } from '@caregate/domain/operations';
import { array, boolean, integer, object, oneOf, optional, text } from './schema.ts';
import type { Schema, TypeOf } from './schema.ts';

/** Each has a text in the catalogues (`problem.<kind>`). */
export const PROBLEM_KINDS = [
  'offline',
  /** Its name leads to no computer: misspelt, or no name service. */
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
  /** The address is of something else than a Caregate service. */
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

export const UNREACHED: readonly ProblemKind[] = ['offline', 'addressNotFound', 'timeout'];

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

const problemSchema = object({
  kind: oneOf(PROBLEM_KINDS),
  requestId: optional(text(1, 200)),
  operation: optional(oneOf(OPERATION_NAMES)),
  /** Of a 404: the person exists, and only this doesn't. */
  missing: optional(oneOf(['insurance', 'result'])),
  orderStatus: optional(text(1, 100)),
  retryAfter: optional(integer(0, 86_400)),
  /** Names of the rejected parameters, never their values. */
  parameters: optional(array(text(1, 100), 20)),
  reason: optional(oneOf(SIGN_IN_REFUSALS)),
  /** Of `serviceTooOld` and `deskTooOld`: version needed by one side, offered by the other. */
  interfaces: optional(object({ needed: integer(1, 1_000_000), offered: integer(1, 1_000_000) })),
  triesLeft: optional(integer(0, 100)),
});
export type Problem = TypeOf<typeof problemSchema>;

export type Outcome<T> = { ok: true; value: T } | { ok: false; problem: Problem };

export const done = <T>(value: T): { ok: true; value: T } => ({ ok: true, value });

export const failed = (kind: ProblemKind): { ok: false; problem: { kind: ProblemKind } } => ({
  ok: false,
  problem: { kind },
});

export function outcome<T>(value: Schema<T>): Schema<Outcome<T>> {
  const refused = object({ ok: boolean, problem: problemSchema });
  const succeeded = object({ ok: boolean, value });
  return (result) => {
    const isDone = (result as { ok?: unknown } | null | undefined)?.ok === true;
    return (isDone ? succeeded(result) : refused(result)) as ReturnType<Schema<Outcome<T>>>;
  };
}
