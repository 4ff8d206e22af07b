/**
 * All problem types (RFC 9457). The name is the last part of `type` and stable; `title` is constant; `detail` is the default
 * if a problem has no specific one. `meaning` (when it is returned) and `remedy` (what the caller can do) are on its page.
 * If a status has several types, the first is the default.
 */
export const PROBLEMS = {
  'malformed-request': {
    status: 400,
    title: 'Malformed request',
    detail: 'The request could not be read.',
    meaning:
      'The request is malformed: invalid percent-encoding, a GET request with a body, a body that is not JSON, a missing Host header, or more than one API key header.',
    remedy:
      'Correct the request; sending it again unchanged will fail. If the document has errors, they say what is wrong.',
  },
  unauthorized: {
    status: 401,
    title: 'Unauthorized',
    detail: 'A valid team API key is required in the header x-service-api-key.',
    meaning:
      'The API key is missing or invalid: unknown, expired, revoked, or used from a network that it is not allowed for. The response is the same in each case.',
    remedy:
      'Send a valid API key in the header x-service-api-key. If the key worked before, ask the operator of the service whether it has expired or was revoked.',
  },
  'session-ended': {
    status: 401,
    title: 'Session ended',
    detail: 'There is no such session, or it has ended. Sign in again.',
    meaning:
      'The session does not exist or has ended: it expired, or the person signed out or was disabled. The response is the same in each case.',
    remedy: 'Sign in again at this desk. If that is refused, ask the operator of the service.',
  },
  'desk-revoked': {
    status: 401,
    title: 'Desk revoked',
    detail: 'This desk was revoked. Enrol it again with a new enrolment code.',
    meaning:
      'The desk of the session was revoked. Told to the desk itself alone, whose proof is checked first.',
    remedy: 'Enrol the desk again with a new enrolment code, made by caregate desks enrol.',
  },
  'session-locked': {
    status: 401,
    title: 'Session locked',
    detail: 'This session is locked. Unlock it first.',
    meaning:
      'The session is suspended, because the desk was locked. It reads nothing until it is unlocked.',
    remedy: 'Unlock it with the PIN, or sign in again.',
  },
  'invalid-proof': {
    status: 401,
    title: 'Invalid proof',
    detail: "The proof of the desk's key is missing or wrong.",
    meaning:
      "The request lacks a valid proof of the desk's key (header DPoP, RFC 9449): it is malformed, was used before, is for another request or address, is signed with another key, or the clock of the desk is wrong. The detail says which.",
    remedy:
      'Set the clock of the desk, or correct what the detail names. An address that differs is corrected with CAREGATE_PUBLIC_URL.',
  },
  'sign-in-refused': {
    status: 401,
    title: 'Sign-in refused',
    detail: 'The sign-in was refused; see reason.',
    meaning:
      'The ID token or key does not sign anybody in at this desk. The member reason says why: the token has expired, is not yet valid, is of another issuer, for another audience or desk, has a wrong algorithm or signature, is not an ID token, was used before, or the person or desk is unknown or disabled.',
    remedy:
      'Sign in at the identity provider again. If the reason is unknown-person or disabled, ask the operator of the service.',
  },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    detail: 'This API key does not have permission for this operation.',
    meaning:
      'The API key is valid, but its role, its scopes or the configuration of this deployment do not permit the operation.',
    remedy:
      'Use a key with a role that is permitted, or have the scope added. In an emergency, some roles can request access to one patient (break-glass).',
  },
  'enrolment-refused': {
    status: 403,
    title: 'Enrolment refused',
    detail: 'This enrolment code enrols no desk. Ask for a new one.',
    meaning:
      'The enrolment code is unknown, was used, has expired (after 10 minutes) or was tried five times. The response is the same in each case.',
    remedy: 'Ask the operator of the service for a new enrolment code.',
  },
  'wrong-pin': {
    status: 403,
    title: 'Wrong PIN',
    detail: 'This is not the PIN; see tries_left.',
    meaning: 'The PIN is not that of the person. Five wrong ones at a desk end the session.',
    remedy: 'Try again, or sign in again at the identity provider.',
  },
  'pin-tried-out': {
    status: 403,
    title: 'PIN tried out',
    detail: 'There are no tries left for the PIN at this desk. Sign in again.',
    meaning: 'The PIN was wrong five times at this desk. The session has ended.',
    remedy: 'Sign in again at the identity provider, or with the key.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    detail: 'The resource does not exist.',
    meaning:
      'The route does not exist, or the team of the API key has no such record. The response for a record of another team and for one that does not exist is the same.',
    remedy: 'Check the path, the id, and that the API key belongs to the right team.',
  },
  'no-result': {
    status: 404,
    title: 'No result yet',
    detail: 'This order has no result yet; see order_status.',
    meaning:
      'The order belongs to the team of the API key, but no result was imported. The member order_status says where it is, if that is known.',
    remedy:
      'Ask again later, unless order_status begins with cancelled or failed. This is not an error: a laboratory takes days.',
  },
  'no-insurance': {
    status: 404,
    title: 'No such insurance',
    detail: 'This user has no such insurance on record.',
    meaning:
      'The user belongs to the team of the API key, but has no insurance of the requested kind (primary or secondary).',
    remedy:
      'Request the other kind with is_primary. This is not necessarily an error: a user may have no insurance.',
  },
  'no-user-info': {
    status: 404,
    title: 'No user info',
    detail: 'Nothing is recorded of who this user is.',
    meaning:
      'The user belongs to the team of the API key, but no info (name, birth date, contact, address) was imported.',
    remedy:
      'This is not necessarily an error: import the info of the user, or use what the insurance and lab reports say.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    detail: 'Use one of the methods in the Allow header.',
    meaning:
      'The path does not support this method. All reads are GET, but for the search of people, which is POST; HEAD and OPTIONS are not supported.',
    remedy: 'Use one of the methods in the Allow header.',
  },
  'request-timeout': {
    status: 408,
    title: 'Request timeout',
    detail: 'The request was not received completely in time.',
    meaning: 'The request was not received completely in time.',
    remedy:
      'Send the request again. If this happens often, check the network and any proxy in between.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    detail: 'The request conflicts with the current state.',
    meaning:
      'The request conflicts with the current state: the emergency access is already active, or was already reviewed.',
    remedy: 'Fetch the current state before you decide. Sending the same request again will fail.',
  },
  'no-pin': {
    status: 409,
    title: 'No PIN',
    detail: 'No PIN has been set. Sign in again.',
    meaning: 'The person has not set a PIN, so that there is nothing to unlock the session with.',
    remedy: 'Sign in again at the identity provider, or with the key, and set one.',
  },
  'payload-too-large': {
    status: 413,
    title: 'Payload too large',
    detail: 'The request body is larger than this service accepts.',
    meaning: 'The request body is larger than this service accepts.',
    remedy: 'Send a smaller body. No operation needs one of this size.',
  },
  'uri-too-long': {
    status: 414,
    title: 'URI too long',
    detail: 'The URL, or one segment of its path, is longer than this service accepts.',
    meaning:
      'The URL, or one segment of its path such as a client user id, is longer than this service accepts.',
    remedy: 'Check the id: a segment has at most 1,024 characters.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    detail: 'The request body must be application/json.',
    meaning:
      'The media type of the request body is not supported. Only application/json is accepted.',
    remedy: 'Send JSON with content-type: application/json.',
  },
  'invalid-parameter': {
    status: 422,
    title: 'Invalid parameter',
    detail: 'One or more parameters are missing or invalid; see errors.',
    meaning:
      'A parameter or a member of the body is missing, unknown, repeated or invalid, or a cursor belongs to another query.',
    remedy:
      'Correct the parameters listed in errors, each with its reason. Sending the request again unchanged will fail.',
  },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests',
    detail: 'Retry after the number of seconds in the Retry-After header.',
    meaning:
      "This API key or session, or its team, has used more of the service's time or bytes within a minute than allowed, or this client address sent more requests.",
    remedy:
      'Wait for the number of seconds in the Retry-After header, and send fewer or smaller requests at a time.',
  },
  'headers-too-large': {
    status: 431,
    title: 'Request header fields too large',
    detail: 'The request line and headers are larger than this service accepts.',
    meaning: 'The request line and headers are larger than this service accepts.',
    remedy: 'Send fewer or shorter headers. This service does not use cookies.',
  },
  internal: {
    status: 500,
    title: 'Internal server error',
    detail:
      'An unexpected error occurred. Find the details in the log of the service by the request_id.',
    meaning:
      'An unexpected error occurred in the service, not caused by the request. No data was returned.',
    remedy:
      'Try again once. If the problem persists, report the request_id to the operator of the service, whose log has the details.',
  },
  'not-offered': {
    status: 501,
    title: 'Not offered by the upstream',
    detail: 'The upstream service of this team has no list of lab orders (GET /v3/orders).',
    meaning:
      'The data of this team comes from an upstream service that has no list of lab orders (GET /v3/orders). The list of orders, the history of a result and the search for people need it.',
    remedy:
      'Work by id, which is not affected: the id of the user, and the id of the order. Sending the request again will fail.',
  },
  'bad-upstream': {
    status: 502,
    title: 'Bad gateway',
    detail: 'The upstream service returned an invalid response.',
    meaning:
      'The data of this team is read from an upstream service, which returned an invalid response. No data was returned.',
    remedy:
      'Try again in a moment. If the problem persists, report the request_id to the operator of the service.',
  },
  unavailable: {
    status: 503,
    title: 'Service unavailable',
    detail: 'The service is temporarily unavailable. Try again in a moment.',
    meaning:
      'The data or the audit log (without which no data is returned) is temporarily unavailable, too many requests are waiting, or this instance is shutting down.',
    remedy: 'Wait for the number of seconds in the Retry-After header, then try again.',
  },
  'provider-unreachable': {
    status: 503,
    title: 'Identity provider unreachable',
    detail: 'The identity provider of the clinic does not answer. Try again in a moment.',
    meaning:
      'The signature of the ID token cannot be checked, because the identity provider does not answer with its keys.',
    remedy:
      'Try again in a moment. If the problem persists, ask the operator whether the service reaches the provider.',
  },
  timeout: {
    status: 504,
    title: 'Timeout',
    detail: 'The response was not ready in time.',
    meaning:
      'The response was not ready in time, in this service or in the upstream service. No data was returned.',
    remedy:
      'Try again in a moment. If possible request less data, such as a smaller page or a shorter period.',
  },
} as const;

export type ProblemType = keyof typeof PROBLEMS;

const byStatus = new Map<number, ProblemType>(
  (Object.keys(PROBLEMS) as ProblemType[])
    .toReversed()
    .map((type) => [PROBLEMS[type].status, type]),
);

/** Other 4xx are malformed requests, anything else is an internal error. */
export function problemTypeOfStatus(status: number): ProblemType {
  return byStatus.get(status) ?? (status >= 400 && status < 500 ? 'malformed-request' : 'internal');
}

export function isProblemType(name: string): name is ProblemType {
  return Object.hasOwn(PROBLEMS, name);
}
