import { PROBLEMS, type ProblemType } from './problems.ts';

interface Explanation {
  /** When this problem is returned. */
  readonly meaning: string;
  /** What the caller can do. */
  readonly remedy: string;
}

const EXPLANATIONS: Readonly<Record<ProblemType, Explanation>> = {
  'malformed-request': {
    meaning:
      'The request is malformed: invalid percent-encoding, a GET request with a body, a body that is not JSON, a missing Host header, or more than one API key header.',
    remedy:
      'Correct the request; sending it again unchanged will fail. If the document has errors, they say what is wrong.',
  },
  unauthorized: {
    meaning:
      'The API key is missing or invalid: unknown, expired, revoked, or used from a network that it is not allowed for. The response is the same in each case.',
    remedy:
      'Send a valid API key in the header x-service-api-key. If the key worked before, ask the operator of the service whether it has expired or was revoked.',
  },
  'session-ended': {
    meaning:
      'The session does not exist or has ended: it expired, or the person signed out or was disabled. The response is the same in each case.',
    remedy: 'Sign in again at this desk. If that is refused, ask the operator of the service.',
  },
  'desk-revoked': {
    meaning:
      'The desk of the session was revoked. Told to the desk itself alone, whose proof is checked first.',
    remedy: 'Enrol the desk again with a new enrolment code, made by caregate desks enrol.',
  },
  'session-locked': {
    meaning:
      'The session is suspended, because the desk was locked. It reads nothing until it is unlocked.',
    remedy: 'Unlock it with the PIN, or sign in again.',
  },
  'invalid-proof': {
    meaning:
      "The request lacks a valid proof of the desk's key (header DPoP, RFC 9449): it is malformed, was used before, is for another request or address, is signed with another key, or the clock of the desk is wrong. The detail says which.",
    remedy:
      'Set the clock of the desk, or correct what the detail names. An address that differs is corrected with CAREGATE_PUBLIC_URL.',
  },
  'sign-in-refused': {
    meaning:
      'The ID token or key does not sign anybody in at this desk. The member reason says why: the token has expired, is not yet valid, is of another issuer, for another audience or desk, has a wrong algorithm or signature, is not an ID token, was used before, or the person or desk is unknown or disabled.',
    remedy:
      'Sign in at the identity provider again. If the reason is unknown-person or disabled, ask the operator of the service.',
  },
  forbidden: {
    meaning:
      'The API key is valid, but its role, its scopes or the configuration of this deployment do not permit the operation.',
    remedy:
      'Use a key with a role that is permitted, or have the scope added. In an emergency, some roles can request access to one patient (break-glass).',
  },
  'enrolment-refused': {
    meaning:
      'The enrolment code is unknown, was used, has expired (after 10 minutes) or was tried five times. The response is the same in each case.',
    remedy: 'Ask the operator of the service for a new enrolment code.',
  },
  'wrong-pin': {
    meaning: 'The PIN is not that of the person. Five wrong ones at a desk end the session.',
    remedy: 'Try again, or sign in again at the identity provider.',
  },
  'pin-tried-out': {
    meaning: 'The PIN was wrong five times at this desk. The session has ended.',
    remedy: 'Sign in again at the identity provider, or with the key.',
  },
  'not-found': {
    meaning:
      'The route does not exist, or the team of the API key has no such record. The response for a record of another team and for one that does not exist is the same.',
    remedy: 'Check the path, the id, and that the API key belongs to the right team.',
  },
  'no-result': {
    meaning:
      'The order belongs to the team of the API key, but no result was imported. The member order_status says where it is, if that is known.',
    remedy:
      'Ask again later, unless order_status begins with cancelled or failed. This is not an error: a laboratory takes days.',
  },
  'no-insurance': {
    meaning:
      'The user belongs to the team of the API key, but has no insurance of the requested kind (primary or secondary).',
    remedy:
      'Request the other kind with is_primary. This is not necessarily an error: a user may have no insurance.',
  },
  'no-user-info': {
    meaning:
      'The user belongs to the team of the API key, but no info (name, birth date, contact, address) was imported.',
    remedy:
      'This is not necessarily an error: import the info of the user, or use what the insurance and lab reports say.',
  },
  'method-not-allowed': {
    meaning:
      'The path does not support this method. All reads are GET, but for the search of people, which is POST; HEAD and OPTIONS are not supported.',
    remedy: 'Use one of the methods in the Allow header.',
  },
  'request-timeout': {
    meaning: 'The request was not received completely in time.',
    remedy:
      'Send the request again. If this happens often, check the network and any proxy in between.',
  },
  conflict: {
    meaning:
      'The request conflicts with the current state: the emergency access is already active, or was already reviewed.',
    remedy: 'Fetch the current state before you decide. Sending the same request again will fail.',
  },
  'no-pin': {
    meaning: 'The person has not set a PIN, so that there is nothing to unlock the session with.',
    remedy: 'Sign in again at the identity provider, or with the key, and set one.',
  },
  'payload-too-large': {
    meaning: 'The request body is larger than this service accepts.',
    remedy: 'Send a smaller body. No operation needs one of this size.',
  },
  'uri-too-long': {
    meaning:
      'The URL, or one segment of its path such as a client user id, is longer than this service accepts.',
    remedy: 'Check the id: a segment has at most 1,024 characters.',
  },
  'unsupported-media-type': {
    meaning:
      'The media type of the request body is not supported. Only application/json is accepted.',
    remedy: 'Send JSON with content-type: application/json.',
  },
  'invalid-parameter': {
    meaning:
      'A parameter or a member of the body is missing, unknown, repeated or invalid, or a cursor belongs to another query.',
    remedy:
      'Correct the parameters listed in errors, each with its reason. Sending the request again unchanged will fail.',
  },
  'too-many-requests': {
    meaning:
      'This API key, or this client address, sent more requests within a minute than allowed.',
    remedy:
      'Wait for the number of seconds in the Retry-After header, and send fewer requests at a time.',
  },
  'headers-too-large': {
    meaning: 'The request line and headers are larger than this service accepts.',
    remedy: 'Send fewer or shorter headers. This service does not use cookies.',
  },
  internal: {
    meaning:
      'An unexpected error occurred in the service, not caused by the request. No data was returned.',
    remedy:
      'Try again once. If the problem persists, report the request_id to the operator of the service, whose log has the details.',
  },
  'not-offered': {
    meaning:
      'The data of this team comes from an upstream service that has no list of lab orders (GET /v3/orders). The list of orders, the history of a result and the search for people need it.',
    remedy:
      'Work by id, which is not affected: the id of the user, and the id of the order. Sending the request again will fail.',
  },
  'bad-upstream': {
    meaning:
      'The data of this team is read from an upstream service, which returned an invalid response. No data was returned.',
    remedy:
      'Try again in a moment. If the problem persists, report the request_id to the operator of the service.',
  },
  unavailable: {
    meaning:
      'The data or the audit log (without which no data is returned) is temporarily unavailable, or this instance is shutting down.',
    remedy: 'Wait for the number of seconds in the Retry-After header, then try again.',
  },
  'provider-unreachable': {
    meaning:
      'The signature of the ID token cannot be checked, because the identity provider does not answer with its keys.',
    remedy:
      'Try again in a moment. If the problem persists, ask the operator whether the service reaches the provider.',
  },
  timeout: {
    meaning:
      'The response was not ready in time, in this service or in the upstream service. No data was returned.',
    remedy:
      'Try again in a moment. If possible request less data, such as a smaller page or a shorter period.',
  },
};

export function isProblemType(name: string): name is ProblemType {
  return Object.hasOwn(PROBLEMS, name);
}

/**
 * The HTML page of a problem `type` (RFC 9457, 3.1.1): title, status, explanation and remedy, without scripts. Static;
 * contains nothing of a request.
 */
export function problemPage(type: ProblemType): string {
  const { status, title } = PROBLEMS[type];
  const { meaning, remedy } = EXPLANATIONS[type];
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title} - Caregate</title>
  <link rel="stylesheet" href="../docs/page.css">
  <link rel="icon" type="image/png" href="../docs/favicon-32x32.png">
</head>
<body>
  <main class="problem">
    <h1>${title}</h1>
    <p>Status <strong>${status}</strong>, type <code>/problems/${type}</code></p>
    <h2>What it means</h2>
    <p>${meaning}</p>
    <h2>What to do</h2>
    <p>${remedy}</p>
    <p><a href="../docs">All operations and problems</a></p>
  </main>
</body>
</html>
`;
}
