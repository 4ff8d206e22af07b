import { generateKeyPairSync, hash, randomUUID, sign, type KeyObject } from 'node:crypto';
import { sampleTeamId } from '@caregate/sample-data';
import { command } from '../service.ts';

/** A person who signed in at a desk: what each of their requests carries. */
export interface AtDesk {
  readonly staffId: string;
  readonly deskId: string;
  /** The key that they signed in with; it reads the same without a session. */
  readonly key: string;
  headers(method: string, url: string): Record<string, string>;
}

/** Adds a clinician, enrols a desk and signs in there with the person's key, at a service that runs on this folder. */
export async function signIn(data: string, baseUrl: string): Promise<AtDesk> {
  const run = async <T>(...arguments_: string[]): Promise<T> =>
    JSON.parse(await command([...arguments_, '--data', data, '--json'])) as T;
  const inTeam = ['--team', sampleTeamId];
  const who = ['--name', 'Ines Example', '--role', 'clinician'];
  const added = await run<{ staff_id: string }>('staff', 'add', ...inTeam, ...who);
  const { key } = await run<{ key: string }>('keys', 'create', '--staff', added.staff_id);
  const desk = new BenchDesk();
  const { code } = await run<{ code: string }>('desks', 'enrol', ...inTeam, '--name', 'Desk 1');
  const post = async <T>(path: string, body: object, headers = {}): Promise<T> => {
    const url = baseUrl + path;
    const own = { 'content-type': 'application/json', dpop: desk.proof('POST', url) };
    const asked = { method: 'POST', headers: { ...own, ...headers }, body: JSON.stringify(body) };
    const answer = await fetch(url, asked);
    if (!answer.ok) {
      throw new Error(`${path}: the service answered ${answer.status}: ${await answer.text()}`);
    }
    return (await answer.json()) as T;
  };
  const { desk_id: deskId } = await post<{ desk_id: string }>('/access/desks', { code });
  const begun = await post<{ session: string }>(
    '/access/sessions',
    { desk_id: deskId },
    { 'x-service-api-key': key },
  );
  return {
    ...{ staffId: added.staff_id, deskId, key },
    headers: (method, url) => ({
      authorization: `DPoP ${begun.session}`,
      dpop: desk.proof(method, url, begun.session),
    }),
  };
}

/** The key pair of a desk, and proofs made with it (RFC 9449). */
class BenchDesk {
  readonly #privateKey: KeyObject;
  readonly #header: string;

  constructor() {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const { crv, kty, x } = publicKey.export({ format: 'jwk' });
    this.#privateKey = privateKey;
    this.#header = encoded({ typ: 'dpop+jwt', alg: 'EdDSA', jwk: { crv, kty, x } });
  }

  proof(htm: string, htu: string, token?: string): string {
    const iat = Math.floor(Date.now() / 1000);
    const ath = token === undefined ? {} : { ath: hash('sha256', token, 'base64url') };
    const text = `${this.#header}.${encoded({ htm, htu, iat, jti: randomUUID(), ...ath })}`;
    return `${text}.${sign(null, Buffer.from(text), this.#privateKey).toString('base64url')}`;
  }
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
