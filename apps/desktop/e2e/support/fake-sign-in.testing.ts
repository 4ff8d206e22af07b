import type { RequestListener } from 'node:http';
import { json } from './json.testing.ts';

/** The only user of a fake service. */
export const staff = { staff_id: 'staff-1', name: 'Ines Example', role: 'clinician' };
/** The PIN that unlocks the user's session. */
export const PIN = '493827';
export const ENROLMENT_CODE = 'ABCDE23456';

/** Answers the requests to enroll a desk, to sign in and to unlock, and those to the clinic's provider. */
export function fakeSignIn(address: string): RequestListener {
  const issuer = `${address}/oidc`;
  let nonce = '';
  const session = (): object => {
    const inMinutes = (minutes: number): string =>
      new Date(Date.now() + minutes * 60_000).toISOString();
    return {
      ...{ session_id: 's-1', session: 'cg_sess_test', pin_set: true, staff },
      ...{ expires_at: inMinutes(10), ends_at: inMinutes(12 * 60) },
      desk: { desk_id: 'd-1', name: 'Desk 1' },
    };
  };
  return (request, response) => {
    const url = new URL(request.url ?? '/', address);
    switch (`${request.method ?? ''} ${url.pathname}`) {
      case 'GET /access/sign-in':
        json(response, 200, {
          clinic_name: 'Harbourside Clinic',
          provider: { issuer, client_id: 'c', name: 'Harbourside' },
          pin: { min: 6, max: 12 },
        });
        return;
      case 'POST /access/desks':
        json(response, 200, { desk_id: 'd-1', name: 'Desk 1' });
        return;
      case 'POST /access/sessions':
      case 'POST /access/sessions/current/renew':
        json(response, 200, session());
        return;
      case 'POST /access/sessions/current/unlock':
        readBody(request, (body) => {
          const isRight = (JSON.parse(body) as { pin?: unknown }).pin === PIN;
          if (isRight) json(response, 200, session());
          else json(response, 403, { type: '/problems/wrong-pin', status: 403, tries_left: 4 });
        });
        return;
      case 'GET /oidc/.well-known/openid-configuration':
        json(response, 200, {
          ...{ issuer, jwks_uri: `${issuer}/jwks` },
          ...{ authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` },
        });
        return;
      case 'GET /oidc/auth': {
        nonce = url.searchParams.get('nonce') ?? '';
        const back = new URL(url.searchParams.get('redirect_uri') ?? '');
        back.searchParams.set('code', 'code');
        back.searchParams.set('state', url.searchParams.get('state') ?? '');
        response.writeHead(302, { location: back.href }).end();
        return;
      }
      case 'POST /oidc/token':
        json(response, 200, {
          ...{ access_token: 'access', token_type: 'bearer', id_token: idToken(issuer, nonce) },
        });
        return;
      default:
        // These requests lock or end a session.
        response.writeHead(204).end();
    }
  };
}

/** The signature is not a real one, since only the service checks it, and that is a fake too. */
function idToken(issuer: string, nonce: string): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: issuer, aud: 'c', sub: 'ines', nonce, iat: now, exp: now + 300 };
  const parts = [{ alg: 'RS256' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return `${parts.join('.')}.c2lnbmF0dXJl`;
}

function readBody(request: Parameters<RequestListener>[0], use: (body: string) => void): void {
  let body = '';
  request.setEncoding('utf8').on('data', (part: string) => (body += part));
  request.on('end', () => {
    use(body);
  });
}
