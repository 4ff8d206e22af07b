import { generateKeyPairSync, hash, randomUUID, sign } from 'node:crypto';
import { command } from './service.ts';

export interface AtDesk {
  /** The key that they signed in with: it reads the same without a session. */
  readonly key: string;
  /** With a proof of the desk's key (RFC 9449) for one request. */
  headers(method: string, url: string): Record<string, string>;
}

export async function signIn(data: string, baseUrl: string, teamId: string): Promise<AtDesk> {
  const run = async <T>(...args: string[]): Promise<T> =>
    JSON.parse(await command([...args, '--data', data, '--json'])) as T;
  const inTeam = ['--team', teamId, '--name'];
  const who = ['staff', 'add', ...inTeam, 'Ines Example', '--role', 'clinician'];
  const { staff_id: staffId } = await run<{ staff_id: string }>(...who);
  const { key } = await run<{ key: string }>('keys', 'create', '--staff', staffId);
  const { code } = await run<{ code: string }>('desks', 'enrol', ...inTeam, 'Desk of the bench');
  const proof = proofs();
  const post = async <T>(path: string, body: object, headers = {}): Promise<T> => {
    const url = baseUrl + path;
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', dpop: proof('POST', url), ...headers },
      body: JSON.stringify(body),
    });
    if (!answer.ok) {
      throw new Error(`${path}: the service answered ${answer.status}: ${await answer.text()}`);
    }
    return (await answer.json()) as T;
  };
  const { desk_id: deskId } = await post<{ desk_id: string }>('/access/desks', { code });
  const { session } = await post<{ session: string }>(
    '/access/sessions',
    { desk_id: deskId },
    { 'x-service-api-key': key },
  );
  return {
    key,
    headers: (method, url) => ({
      authorization: `DPoP ${session}`,
      dpop: proof(method, url, session),
    }),
  };
}

function proofs(): (htm: string, htu: string, token?: string) => string {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { crv, kty, x } = publicKey.export({ format: 'jwk' });
  const header = encoded({ typ: 'dpop+jwt', alg: 'EdDSA', jwk: { crv, kty, x } });
  return (htm, htu, token) => {
    const iat = Math.floor(Date.now() / 1000);
    const ath = token === undefined ? {} : { ath: hash('sha256', token, 'base64url') };
    const text = `${header}.${encoded({ htm, htu, iat, jti: randomUUID(), ...ath })}`;
    return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`;
  };
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
