import { PROBLEMS, type ProblemType } from './problems.ts';

interface Explanation {
  /** When it is answered. */
  readonly meaning: string;
  /** What whoever called can do about it. */
  readonly remedy: string;
}

const EXPLANATIONS: Readonly<Record<ProblemType, Explanation>> = {
  'malformed-request': {
    meaning:
      'The request is no proper HTTP for this service: percent-encoding that is no UTF-8, a body with GET, a body that is no JSON, the Host header missing, the key header sent twice.',
    remedy:
      'Mend the request; the same one will fail again. Where errors is there, it says what is wrong.',
  },
  unauthorized: {
    meaning:
      'The key is missing or not valid: unknown, expired, revoked, or used from a network that it is not for. The answer is the same for each.',
    remedy:
      'Send one key in the header x-service-api-key. Where it was good before, ask whoever runs the service whether it has expired or was revoked.',
  },
  forbidden: {
    meaning:
      "The key is good, but its role or scopes, or this deployment, don't allow the operation.",
    remedy:
      'Use a key of a role that may, or have the scope added. In an emergency some roles may ask for access to one patient (break-glass).',
  },
  'not-found': {
    meaning:
      'There is no such route, or no such record in the team of the key. A record of another team and one that does not exist are answered alike.',
    remedy: 'Check the path and the id, and that the key is of the right team.',
  },
  'no-insurance': {
    meaning:
      'The user is in the team of the key and has no insurance of the kind that was asked for, primary or secondary.',
    remedy:
      'Ask for the other kind with is_primary. Nothing has to be mended: the user may have none at all.',
  },
  'method-not-allowed': {
    meaning:
      'The path exists, but not with this method. All reads are GET; HEAD and OPTIONS are not offered.',
    remedy: 'Use one of the methods that the header Allow names.',
  },
  'request-timeout': {
    meaning: 'The request did not arrive completely in time.',
    remedy: 'Send it again; where it happens often, look at the network or at a proxy in between.',
  },
  conflict: {
    meaning:
      'The state does not allow it: an emergency access that is in force already, or one reviewed before.',
    remedy: 'Read the state anew and decide by it. The same request will fail again.',
  },
  'payload-too-large': {
    meaning: 'The body of the request is larger than this service takes.',
    remedy: 'Send less. No operation needs a body as large.',
  },
  'uri-too-long': {
    meaning:
      'The address, or one part of its path such as a client user id, is longer than this service takes.',
    remedy: 'Check the id. Whoever runs the service can allow longer ones.',
  },
  'unsupported-media-type': {
    meaning: 'The body of the request is of another type than JSON.',
    remedy: 'Send JSON with content-type: application/json.',
  },
  'invalid-parameter': {
    meaning:
      'A parameter, or a member of the body, is missing, unknown, given twice or not valid, or a cursor belongs to another query.',
    remedy: 'Mend what errors names, each with its reason. The same request will fail again.',
  },
  'too-many-requests': {
    meaning:
      'This key, or this address, sent more requests within a minute than the service takes.',
    remedy: 'Wait as many seconds as the header Retry-After says, and send fewer at a time.',
  },
  'headers-too-large': {
    meaning:
      'All headers of the request together, with the address, are larger than this service takes.',
    remedy: 'Send fewer or shorter headers. Cookies are of no use here.',
  },
  internal: {
    meaning:
      'Something failed within the service that is not the fault of the request. Nothing was shown.',
    remedy:
      'Try once more. If it stays, tell whoever runs the service the request_id: its log has more under it.',
  },
  'bad-upstream': {
    meaning:
      "The team's data is read from another service, which gave no answer that can be used. Nothing was shown.",
    remedy:
      'Try again in a moment. If it stays, tell whoever runs the service the request_id: the cause is behind it.',
  },
  unavailable: {
    meaning:
      'The data, or the audit log without which nothing is shown, is not available at the moment, or this instance is about to stop.',
    remedy: 'Wait as many seconds as the header Retry-After says, then try again.',
  },
  timeout: {
    meaning:
      'The answer was not ready in time, here or in the service behind this one. Nothing was shown.',
    remedy:
      'Try again in a moment, and ask for less where you can: a smaller page, a shorter time.',
  },
};

export function isProblemType(name: string): name is ProblemType {
  return Object.hasOwn(PROBLEMS, name);
}

/**
 * What a problem's `type` leads to (RFC 9457, 3.1.1): its title and status, what it means and what to do, as a page
 * that needs no script. The same text each time; nothing of any request.
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
