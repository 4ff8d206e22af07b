/**
 * All problem types (RFC 9457). The name is the last part of `type` and stable; `title` is constant; `detail` is the default
 * if a problem has no specific one. If a status has several types, the first is the default.
 */
export const PROBLEMS = {
  'malformed-request': {
    status: 400,
    title: 'Malformed request',
    detail: 'The request could not be read.',
  },
  unauthorized: {
    status: 401,
    title: 'Unauthorized',
    detail: 'A valid team API key is required in the header x-service-api-key.',
  },
  'session-ended': {
    status: 401,
    title: 'Session ended',
    detail: 'There is no such session, or it has ended. Sign in again.',
  },
  'desk-revoked': {
    status: 401,
    title: 'Desk revoked',
    detail: 'This desk was revoked. Enrol it again with a new enrolment code.',
  },
  'session-locked': {
    status: 401,
    title: 'Session locked',
    detail: 'This session is locked. Unlock it first.',
  },
  'invalid-proof': {
    status: 401,
    title: 'Invalid proof',
    detail: "The proof of the desk's key is missing or wrong.",
  },
  'sign-in-refused': {
    status: 401,
    title: 'Sign-in refused',
    detail: 'The sign-in was refused; see reason.',
  },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    detail: 'This API key does not have permission for this operation.',
  },
  'enrolment-refused': {
    status: 403,
    title: 'Enrolment refused',
    detail: 'This enrolment code enrols no desk. Ask for a new one.',
  },
  'wrong-pin': { status: 403, title: 'Wrong PIN', detail: 'This is not the PIN; see tries_left.' },
  'pin-tried-out': {
    status: 403,
    title: 'PIN tried out',
    detail: 'There are no tries left for the PIN at this desk. Sign in again.',
  },
  'not-found': { status: 404, title: 'Not found', detail: 'The resource does not exist.' },
  'no-result': {
    status: 404,
    title: 'No result yet',
    detail: 'This order has no result yet; see order_status.',
  },
  'no-insurance': {
    status: 404,
    title: 'No such insurance',
    detail: 'This user has no such insurance on record.',
  },
  'no-user-info': {
    status: 404,
    title: 'No user info',
    detail: 'Nothing is recorded of who this user is.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    detail: 'Use one of the methods in the Allow header.',
  },
  'request-timeout': {
    status: 408,
    title: 'Request timeout',
    detail: 'The request was not received completely in time.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    detail: 'The request conflicts with the current state.',
  },
  'no-pin': { status: 409, title: 'No PIN', detail: 'No PIN has been set. Sign in again.' },
  'payload-too-large': {
    status: 413,
    title: 'Payload too large',
    detail: 'The request body is larger than this service accepts.',
  },
  'uri-too-long': {
    status: 414,
    title: 'URI too long',
    detail: 'The URL, or one segment of its path, is longer than this service accepts.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    detail: 'The request body must be application/json.',
  },
  'invalid-parameter': {
    status: 422,
    title: 'Invalid parameter',
    detail: 'One or more parameters are missing or invalid; see errors.',
  },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests',
    detail: 'Retry after the number of seconds in the Retry-After header.',
  },
  'headers-too-large': {
    status: 431,
    title: 'Request header fields too large',
    detail: 'The request line and headers are larger than this service accepts.',
  },
  internal: {
    status: 500,
    title: 'Internal server error',
    detail:
      'An unexpected error occurred. Find the details in the log of the service by the request_id.',
  },
  'not-offered': {
    status: 501,
    title: 'Not offered by the upstream',
    detail: 'The upstream service of this team has no list of lab orders (GET /v3/orders).',
  },
  'bad-upstream': {
    status: 502,
    title: 'Bad gateway',
    detail: 'The upstream service returned an invalid response.',
  },
  unavailable: {
    status: 503,
    title: 'Service unavailable',
    detail: 'The service is temporarily unavailable. Try again in a moment.',
  },
  'provider-unreachable': {
    status: 503,
    title: 'Identity provider unreachable',
    detail: 'The identity provider of the clinic does not answer. Try again in a moment.',
  },
  timeout: {
    status: 504,
    title: 'Timeout',
    detail: 'The response was not ready in time.',
  },
} as const;

export type ProblemType = keyof typeof PROBLEMS;

const byStatus = new Map<number, ProblemType>(
  (Object.keys(PROBLEMS) as ProblemType[])
    .toReversed()
    .map((type) => [PROBLEMS[type].status, type]),
);

/** The problem type of a status; other 4xx are malformed requests, anything else is an internal error. */
export function problemTypeOfStatus(status: number): ProblemType {
  return byStatus.get(status) ?? (status >= 400 && status < 500 ? 'malformed-request' : 'internal');
}
