import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import { PEOPLE } from './people.ts';

const path = /^\/people\/[\w-]+$/u;

/**
 * Serves the page with one button for each person, or signs in the person of `login_hint`. Returns false for any
 * other request.
 */
export async function serveSignInPage(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  if (!path.test(request.url ?? '')) return false;
  try {
    const { params } = await provider.interactionDetails(request, response);
    const { login_hint: hint } = params;
    const isHinted = PEOPLE.some((one) => one.subject === hint);
    if (request.method !== 'POST' && !isHinted) {
      show(response, 200, page());
      return true;
    }
    const subject = isHinted ? hint : new URLSearchParams(await readBody(request)).get('subject');
    const person = PEOPLE.find((one) => one.subject === subject);
    await provider.interactionFinished(
      request,
      response,
      person === undefined
        ? { error: 'access_denied', error_description: 'Nobody was chosen.' }
        : {
            login: {
              accountId: person.subject,
              // Desks are shared, so the provider must not remember the user.
              remember: false,
              amr: ['pwd'],
            },
            // oidc-provider always asks for consent for native clients.
            consent: {},
          },
    );
  } catch {
    show(response, 400, '<p>This sign-in is over. Begin again in Caregate.</p>');
  }
  return true;
}

function page(): string {
  const buttons = PEOPLE.map(
    ({ subject, name, role }) =>
      `<button name="subject" value="${subject}"><b>${name}</b><br>${role.replace('_', ' ')}</button>`,
  );
  return `<h1>Who are you?</h1>
<p>These people are fictional. One click signs in.</p>
<form method="post">${buttons.join('\n')}<button name="subject" value="">Cancel</button></form>`;
}

function show(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  });
  response.end(`<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
<title>Sign in</title><style>
body { font: 1.1rem system-ui; max-width: 26rem; margin: 10vh auto; padding: 0 1rem }
button { display: block; width: 100%; margin: .6rem 0; padding: .8rem; font: inherit; text-align: start }
</style>${body}</html>`);
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) {
    body += String(chunk);
    if (body.length > 10_000) break;
  }
  return body;
}
