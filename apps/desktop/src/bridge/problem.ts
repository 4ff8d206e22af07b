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
] as const;
export type ProblemKind = (typeof PROBLEM_KINDS)[number];

const problemSchema = object({
  kind: oneOf(PROBLEM_KINDS),
  /** The service's id of the request, to quote to support. */
  requestId: optional(text(1, 200)),
  /** Which of the reads it was. */
  operation: optional(oneOf(OPERATION_NAMES)),
  /** Of a 404: the person is there, and only this isn't. */
  missing: optional(oneOf(['insurance'])),
  /** Seconds to wait. */
  retryAfter: optional(integer(0, 86_400)),
  /** Names of the parameters at fault, never their values. */
  parameters: optional(array(text(1, 100), 20)),
});
export type Problem = TypeOf<typeof problemSchema>;

/** What every call answers: the value, or why there is none. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; problem: Problem };

export function outcome<T>(value: Schema<T>): Schema<Outcome<T>> {
  const failed = object({ ok: boolean, problem: problemSchema });
  const done = object({ ok: boolean, value });
  return (given) => {
    const isDone = (given as { ok?: unknown } | null | undefined)?.ok === true;
    return (isDone ? done(given) : failed(given)) as ReturnType<Schema<Outcome<T>>>;
  };
}
