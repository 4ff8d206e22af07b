import {
  AbortError,
  HealthDataApiError,
  InvalidArgumentError,
  InvalidResponseError,
  NetworkError,
  TimeoutError,
} from '@caregate/api-client';
import { NO_INSURANCE, NO_RESULT } from '@caregate/domain';
import type { OperationName } from '@caregate/domain/operations';
import { SIGN_IN_REFUSALS } from '../../shared/problem.ts';
import type { Problem, ProblemKind, SignInRefusal } from '../../shared/problem.ts';

/** Maps an error to a problem without the server's own text. `body` is the body of the error response. */
export function toProblem(
  error: unknown,
  { body = '', operation }: { body?: string; operation?: OperationName | undefined } = {},
): Problem {
  const operationInfo = operation !== undefined && { operation };
  if (error instanceof InvalidResponseError) {
    return {
      kind: 'serverBroken',
      ...operationInfo,
      ...(isValidRequestId(error.requestId) && { requestId: error.requestId }),
    };
  }
  if (!(error instanceof HealthDataApiError)) return { kind: classify(error), ...operationInfo };
  const { type, orderStatus, requestId } = error;
  const { reason, tries_left: triesLeft } = parseObject(body);
  const kind = reason === 'unknown-desk' ? 'deskRevoked' : classifyApiError(error, Date.now());
  return {
    kind,
    ...operationInfo,
    ...(type === NO_INSURANCE && { missing: 'insurance' as const }),
    ...(type === NO_RESULT && { missing: 'result' as const }),
    ...(/^.{1,100}$/u.test(orderStatus ?? '') && { orderStatus }),
    ...(isValidRequestId(requestId) && { requestId }),
    ...(kind === 'signInRefused' && { reason: toSignInRefusal(reason) }),
    ...(kind === 'wrongPin' && { triesLeft: typeof triesLeft === 'number' ? triesLeft : 0 }),
  };
}

/** The service accepts a DPoP proof whose time is within a minute of its own. */
const clockTolerance = 45_000;

const kindByType = new Map<string, ProblemKind>([
  ['desk-revoked', 'deskRevoked'],
  ['session-locked', 'locked'],
  ['sign-in-refused', 'signInRefused'],
  ['enrolment-refused', 'enrolmentRefused'],
  ['wrong-pin', 'wrongPin'],
  ['pin-tried-out', 'pinTriedOut'],
  ['no-pin', 'noPin'],
]);

const kindByStatus = new Map<number, ProblemKind>([
  [400, 'invalid'],
  [401, 'expired'],
  [403, 'forbidden'],
  [404, 'notFound'],
  [405, 'notOffered'],
  [422, 'invalid'],
  [429, 'busy'],
  [501, 'notOffered'],
]);

function classifyApiError({ status, type, headers }: HealthDataApiError, now: number): ProblemKind {
  const name = type?.replace(/^.*\//u, '') ?? '';
  if (name === 'invalid-proof') {
    const isOurClock = Math.abs(Date.parse(headers['date'] ?? '') - now) > clockTolerance;
    return isOurClock ? 'clockWrong' : 'proofRefused';
  }
  return kindByType.get(name) ?? kindByStatus.get(status) ?? 'serverBroken';
}

function toSignInRefusal(reason: unknown): SignInRefusal {
  const name = String(reason).replace(/-([a-z])/gu, (_all, letter: string) => letter.toUpperCase());
  return SIGN_IN_REFUSALS.find((reason) => reason === name) ?? 'other';
}

function parseObject(body: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(body) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function classify(error: unknown): ProblemKind {
  if (error instanceof AbortError) return 'cancelled';
  if (error instanceof TimeoutError) return 'timeout';
  if (error instanceof InvalidArgumentError) return 'invalid';
  if (error instanceof NetworkError) return classifyNetworkCode(error.code);
  return 'serverBroken';
}

/** Chromium's error names are listed in https://chromium.googlesource.com/chromium/src/+/main/net/base/net_error_list.h */
export function classifyNetworkCode(code: string | undefined): ProblemKind {
  if (code === undefined) return 'offline';
  if (code === 'ERR_NAME_NOT_RESOLVED') return 'addressNotFound';
  if (
    code.startsWith('ERR_CERT_') ||
    code.startsWith('ERR_SSL_') ||
    code === 'ERR_BAD_SSL_CLIENT_AUTH_CERT'
  ) {
    return 'untrustedCertificate';
  }
  if (code === 'ERR_TIMED_OUT' || code === 'ERR_CONNECTION_TIMED_OUT') return 'timeout';
  const brokenCodes = [
    'REDIRECT_NOT_FOLLOWED',
    'ERR_INVALID_HTTP_RESPONSE',
    'ERR_INVALID_CHUNKED_ENCODING',
    'ERR_INCOMPLETE_CHUNKED_ENCODING',
    'ERR_CONTENT_LENGTH_MISMATCH',
    'ERR_CONTENT_DECODING_FAILED',
    'ERR_RESPONSE_HEADERS_TOO_BIG',
    'ERR_EMPTY_RESPONSE',
    'ERR_TOO_MANY_REDIRECTS',
  ];
  return brokenCodes.includes(code) ? 'serverBroken' : 'offline';
}

function isValidRequestId(requestId: string | undefined): requestId is string {
  return requestId !== undefined && requestId.length >= 1 && requestId.length <= 200;
}
