import { OPERATION_NAMES } from '@caregate/domain/operations';
import { array, boolean, integer, object, oneOf, optional, text } from './schema.ts';
import type { Schema, TypeOf } from './schema.ts';

/** What went wrong, in kinds that each have a sentence in the catalogues (`problem.<kind>`). */
export const PROBLEM_KINDS = [
  /** No answer from the service's address. */
  'offline',
  /** No whole answer in time. */
  'timeout',
  /** The service's certificate isn't trusted by this computer. */
  'untrustedCertificate',
  /** The address is http and not this computer. */
  'insecureAddress',
  /** The address or the key can't be one. */
  'invalidAddress',
  /** Another address than the one that the computer's policy fixes. */
  'fixedAddress',
  'invalidKey',
  /** 401: the key is unknown, expired or revoked. */
  'expired',
  /** 403 */
  'forbidden',
  /** 404 */
  'notFound',
  /** 400, 422, or refused before it was sent. */
  'invalid',
  /** 405 or 501: the service, or the upstream behind it, hasn't this at all. */
  'notOffered',
  /** 429 */
  'busy',
  /** 5xx, HTML, half an answer, a redirect, an answer that breaks the interface. */
  'serverBroken',
  /** The person asked for it to stop. */
  'cancelled',
  'locked',
  'signedOut',
  /** The call came from somewhere it mustn't, or in a shape it mustn't have. */
  'refused',
  /** The service speaks no interface for desks as new as this program needs, or none as old; with `interfaces`. */
  'serviceTooOld',
  'deskTooOld',
  /** This desk has no key that the service knows: it is enrolled with an enrolment code first. */
  'notEnrolled',
  /** The service knows this desk no more: it was revoked. */
  'deskRevoked',
  /** The enrolment code is unknown, used, expired or tried out; the service says no more. */
  'enrolmentRefused',
  /** The clinic has no identity provider. */
  'noProvider',
  'browserNotOpened',
  /** Nobody came back from the browser in time. */
  'signInTimedOut',
  /** The provider refused, or somebody cancelled on its page. */
  'signInDenied',
  /** What came back belongs to no sign-in that was begun here. */
  'wrongState',
  /** No port of this computer could be listened on. */
  'portTaken',
  'providerOffline',
  /** The provider's answers are not those of an OpenID provider, or don't fit together. */
  'providerBroken',
  /** The provider doesn't take its own code: used before, or too late. */
  'codeRefused',
  /** The service doesn't take the provider's ID token, for a `reason`. */
  'signInRefused',
  /** 401: this computer's clock and the service's differ by more than a minute. */
  'clockWrong',
  /** 401: the service doesn't take the proof of this desk. */
  'proofRefused',
  /** With `triesLeft`. */
  'wrongPin',
  'pinTriedOut',
  'noPin',
  /** Not of the length that the clinic asks for, or too easily guessed. */
  'weakPin',
  /** A PIN is set within ten minutes of a sign-in. */
  'tooLateForPin',
  /** The badge names nobody who is signed in at this desk. */
  'unknownBadge',
  /** The client id has a character that no barcode carries, or doesn't fit on this label. */
  'noLabel',
] as const;
export type ProblemKind = (typeof PROBLEM_KINDS)[number];

/** Why the service refused a sign-in; each has a sentence in the catalogues (`signIn.refused.<reason>`). */
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
  /** The service's id of the request, to quote to support. */
  requestId: optional(text(1, 200)),
  /** Which of the reads it was. */
  operation: optional(oneOf(OPERATION_NAMES)),
  /** Of a 404: the person is there, and only this isn't. */
  missing: optional(oneOf(['insurance', 'result'])),
  /** Of a result that is missing: where the order is, as `order_status` of the service. */
  orderStatus: optional(text(1, 100)),
  /** Seconds to wait. */
  retryAfter: optional(integer(0, 86_400)),
  /** Names of the parameters at fault, never their values. */
  parameters: optional(array(text(1, 100), 20)),
  /** Of `signInRefused`. */
  reason: optional(oneOf(SIGN_IN_REFUSALS)),
  /** Of `serviceTooOld` and `deskTooOld`: the number that one side needs, and that of the other. */
  interfaces: optional(object({ needed: integer(1, 1_000_000), offered: integer(1, 1_000_000) })),
  /** Of `wrongPin`. */
  triesLeft: optional(integer(0, 100)),
});
export type Problem = TypeOf<typeof problemSchema>;

/** What every call answers: the value, or why there is none. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; problem: Problem };

export const failed = (kind: ProblemKind): { ok: false; problem: { kind: ProblemKind } } => ({
  ok: false,
  problem: { kind },
});

export function outcome<T>(value: Schema<T>): Schema<Outcome<T>> {
  const refused = object({ ok: boolean, problem: problemSchema });
  const done = object({ ok: boolean, value });
  return (given) => {
    const isDone = (given as { ok?: unknown } | null | undefined)?.ok === true;
    return (isDone ? done(given) : refused(given)) as ReturnType<Schema<Outcome<T>>>;
  };
}
