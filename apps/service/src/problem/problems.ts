/**
 * Every kind of problem the service answers with (RFC 9457). The name is the stable end of `type`, which programs may
 * rely on; `title` is the same words each time; `detail` is said where an answer has nothing better to say. Where a status
 * has several, the first stands for all of which no more is known.
 */
export const PROBLEMS = {
  'malformed-request': {
    status: 400,
    title: 'Malformed request',
    detail: 'The request could not be read.',
  },
  unauthorized: {
    status: 401,
    title: 'No valid key',
    detail: 'Send one valid team API key in the header x-service-api-key.',
  },
  forbidden: {
    status: 403,
    title: 'Not allowed',
    detail: 'This key may not use this operation.',
  },
  'not-found': { status: 404, title: 'Not found', detail: 'There is nothing here.' },
  'no-insurance': {
    status: 404,
    title: 'No such insurance',
    detail: 'This user has no such insurance on record.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    detail: 'Use one of the methods that the header Allow names.',
  },
  'request-timeout': {
    status: 408,
    title: 'Request took too long',
    detail: 'The request did not arrive completely in time.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    detail: 'The request does not fit the present state.',
  },
  'payload-too-large': {
    status: 413,
    title: 'Body too large',
    detail: 'The body is larger than this service takes.',
  },
  'uri-too-long': {
    status: 414,
    title: 'Address too long',
    detail: 'The address, or one part of its path, is longer than this service takes.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    detail: 'A body must be application/json.',
  },
  'invalid-parameter': {
    status: 422,
    title: 'Invalid parameter',
    detail: 'A parameter is missing or not valid; errors names each one.',
  },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests',
    detail: 'Wait as long as the header Retry-After says.',
  },
  'headers-too-large': {
    status: 431,
    title: 'Headers too large',
    detail: 'The headers together, with the address, are larger than this service takes.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    detail: 'Something failed in the service. Its log has more under this request_id.',
  },
  'bad-upstream': {
    status: 502,
    title: 'Bad upstream answer',
    detail: 'The service behind this one gave an answer that cannot be used.',
  },
  unavailable: {
    status: 503,
    title: 'Not available now',
    detail: 'Try again in a moment.',
  },
  timeout: {
    status: 504,
    title: 'No answer in time',
    detail: 'The answer was not ready in time.',
  },
} as const;

export type ProblemType = keyof typeof PROBLEMS;

const byStatus = new Map<number, ProblemType>(
  (Object.keys(PROBLEMS) as ProblemType[])
    .toReversed()
    .map((type) => [PROBLEMS[type].status, type]),
);

/** The problem that goes with a status; another 4xx is a malformed request, and the rest an internal error. */
export function problemTypeOfStatus(status: number): ProblemType {
  return byStatus.get(status) ?? (status >= 400 && status < 500 ? 'malformed-request' : 'internal');
}
