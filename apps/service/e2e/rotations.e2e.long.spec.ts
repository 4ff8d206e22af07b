import { CertificateAuthority } from '@caregate/certificates';
import { signIn, startIdentityProvider, type IdentityProvider } from '@caregate/identity-provider';
import { startPostgres, type PostgresServer } from '@caregate/postgres';
import { personas, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { Agent, request as send } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TestDesk } from '../src/auth/sessions/desk.testing.ts';
import { caregateIn } from '../src/cli/caregate.testing.ts';
import {
  kill,
  newFolder,
  noLimits,
  removeFolder,
  start,
  withLimits,
  type Running,
} from './caregate.testing.ts';

const publicUrl = 'https://caregate.clinic.example';
const envelopes = [...sampleEnvelopes({ users: 4 })];
const order = envelopes.find((envelope) => envelope.kind === 'lab_result')!;
const result = `/v3/order/${order.order_id}/result`;
const minutes = `/v2/timeseries/${personas.wren.userId}/mindfulness_minutes/grouped?start_date=2020-01-01`;

let server: PostgresServer;
let provider: IdentityProvider;
let folder: string;
let authority: CertificateAuthority;
let agent: Agent;
/** Those that clients ask, and all that a failed test has to stop. */
const [instances, started]: [Running[], Running[]] = [[], []];
const atTheEnd = new AbortController();

beforeAll(async () => {
  server = await startPostgres({ fsync: 'off' });
  provider = await startIdentityProvider({ plainHttp: true });
  folder = newFolder();
  authority = await CertificateAuthority.create();
  agent = new Agent({ ca: authority.pem, keepAlive: true });
  await renew();
  const file = join(folder, 'data.ndjson');
  writeFileSync(file, envelopes.map((envelope) => `${JSON.stringify(envelope)}\n`).join(''));
  await told('import', file);
  await instance('one');
  await instance('two');
});

afterAll(async () => {
  atTheEnd.abort();
  agent.destroy();
  started.forEach(kill);
  await provider.stop();
  await server.stop();
  removeFolder(folder);
});

async function told(...words: string[]): Promise<string> {
  const env = { DATABASE_URL: server.url, CAREGATE_DATA: join(folder, 'commands') };
  const { out, ...ended } = await caregateIn(env, words);
  expect([words, ended]).toEqual([words, { code: 0, err: '' }]);
  return out;
}

async function caregate(...words: string[]): Promise<Record<string, string>> {
  return JSON.parse(await told(...words, '--json')) as Record<string, string>;
}

async function renew(): Promise<void> {
  const { key, cert } = await authority.issue({ names: ['127.0.0.1'] });
  writeFileSync(join(folder, 'key.pem'), key);
  writeFileSync(join(folder, 'cert.pem'), cert);
}

async function instance(name: string): Promise<void> {
  const tls = ['--tls-cert', join(folder, 'cert.pem'), '--tls-key', join(folder, 'key.pem')];
  const env = { ...noLimits, ...withLimits({ requestsPerAddress: 1_000_000, pageSize: 30 }) };
  const one = await start(['serve', '--data', join(folder, name), ...tls], newFolder(), {
    ...{ ...env, DATABASE_URL: server.url, CAREGATE_PUBLIC_URL: publicUrl },
    ...{ CAREGATE_OIDC_ISSUER: provider.issuer, CAREGATE_OIDC_CLIENT_ID: provider.clientId },
  });
  started.push(one);
  instances.push(one);
}

interface Asked {
  readonly headers: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly body?: object;
  /** On a new connection, with another handshake. */
  readonly isNew?: boolean;
}

async function ask(
  { ready }: Running,
  path: string,
  { headers, method = 'GET', body, isNew = false }: Asked,
): Promise<{ readonly status: number; readonly text: string }> {
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const type = sent === undefined ? {} : { 'content-type': 'application/json' };
  return await new Promise((resolve, reject) => {
    const through = isNew ? { agent: false as const, ca: authority.pem } : { agent };
    const options = { method, headers: { ...headers, ...type }, ...through };
    send(ready.base_url + path, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, text });
      });
    })
      .on('error', reject)
      .end(sent);
  });
}

/** Asks the instances in turn until stopped. Gives `'fine'` or the problem of each answer. */
class Client {
  readonly answers: string[] = [];
  readonly over: Promise<void>;

  constructor(once: (next: () => Running, isNew: boolean) => Promise<string>) {
    let turn = 0;
    const next = (): Running => {
      turn += 1;
      return instances[turn % instances.length]!;
    };
    this.over = (async () => {
      while (!atTheEnd.signal.aborted) {
        const answer = await once(next, turn % 5 === 0).catch(String);
        this.answers.push(answer);
        await sleep(5);
      }
    })();
  }
}

const fine = ({ status, text }: { status: number; text: string }): string =>
  status === 200 ? 'fine' : `${status} ${text}`;

it('each key turns while requests run on several instances, and none of them fails', async () => {
  const { key: firstKey = '', key_id: keyId = '' } = await caregate(
    ...['keys', 'create', '--team', sampleTeamId, '--role', 'clinician', '--label', 'x'],
  );
  const person = ['--team', sampleTeamId, '--name', 'Ines', '--role', 'clinician'];
  await caregate('staff', 'add', ...person, '--issuer', provider.issuer, '--subject', 'clinician');
  const { code } = await caregate('desks', 'enrol', '--team', sampleTeamId, '--name', 'Desk 1');
  const first = new TestDesk();
  const fromDesk = async (path: string, body: object): Promise<unknown> => {
    const dpop = first.proof('POST', publicUrl + path);
    const asked = { method: 'POST', headers: { dpop }, body };
    return JSON.parse((await ask(instances[0]!, path, asked)).text);
  };
  const { desk_id: deskId } = (await fromDesk('/access/desks', { code })) as { desk_id: string };
  const { nonce, random } = first.nonce();
  const { id_token: idToken } = await signIn(provider, 'clinician', { nonce });
  const { session: token } = (await fromDesk('/access/sessions', {
    ...{ desk_id: deskId, id_token: idToken, nonce_random: random },
  })) as { session: string };

  const now = { key: firstKey, desk: first };
  const byKey = (key: string) => async (next: () => Running, isNew: boolean) =>
    fine(await ask(next(), result, { headers: { 'x-service-api-key': key }, isNew }));
  const byDesk = (desk: TestDesk) => async (next: () => Running, isNew: boolean) => {
    const dpop = desk.proof('GET', publicUrl + result, { token });
    return fine(
      await ask(next(), result, { headers: { authorization: `DPoP ${token}`, dpop }, isNew }),
    );
  };
  /** All pages of a person, each from another instance. */
  const pages = async (next: () => Running): Promise<string> => {
    let [cursor, count] = ['', 0];
    do {
      const headers = { 'x-service-api-key': now.key };
      const answer = await ask(next(), minutes + cursor, { headers });
      if (answer.status !== 200) {
        return fine(answer);
      }
      const page = JSON.parse(answer.text) as { next_cursor: string | null };
      cursor = page.next_cursor === null ? '' : `&next_cursor=${page.next_cursor}`;
      count += answer.text.split('"start":').length - 1;
    } while (cursor !== '');
    return count === points ? 'fine' : `${count} points`;
  };
  const clients = [
    new Client((next, isNew) => byKey(now.key)(next, isNew)),
    new Client((next, isNew) => byDesk(now.desk)(next, isNew)),
    // The instances that have not read it yet.
    new Client(byKey(firstKey)),
    new Client(byDesk(first)),
    new Client(pages),
  ];
  const rounds = async (): Promise<void> => {
    const counts = clients.map(({ answers }) => answers.length);
    while (clients.some(({ answers }, at) => answers.length < counts[at]! + 5)) {
      await sleep(20);
    }
  };

  const turns: Readonly<Record<string, () => Promise<void>>> = {
    'API key': async () => {
      ({ key: now.key = '' } = await caregate('keys', 'rotate', keyId));
    },
    'secret of cursors': async () => {
      await caregate('secrets', 'rotate');
      // It seals with the newest at once; the others open such a cursor at once, too.
      await instance('three');
    },
    'key of a desk': async () => {
      const [next, path] = [new TestDesk(), '/access/desks/key'];
      const proof = next.proof('POST', publicUrl + path, { token: deskId });
      const dpop = first.proof('POST', publicUrl + path, { token: proof });
      const body = { desk_id: deskId, proof };
      const taken = await ask(instances[1]!, path, { method: 'POST', headers: { dpop }, body });
      expect(taken).toEqual({ status: 204, text: '' });
      await rounds();
      now.desk = next;
    },
    certificate: async () => {
      await renew();
      for (const one of instances) {
        while (!one.stdout().includes('certificate renewed')) await sleep(20);
      }
    },
    'signing key of a log': async () => {
      await told('audit', 'rotate-key', '--data', join(folder, 'three'));
    },
  };
  await rounds();
  for (const [name, turn] of Object.entries(turns)) {
    await turn();
    await rounds();
    const wrong = clients.map(({ answers }) => answers.filter((answer) => answer !== 'fine'));
    expect([name, wrong]).toEqual([name, clients.map(() => [])]);
  }
  atTheEnd.abort();
  await Promise.all(clients.map(({ over }) => over));
  const all = clients.flatMap(({ answers }) => answers);
  expect(new Set(all)).toEqual(new Set(['fine']));
  await told('audit', 'verify');
});

const points = envelopes
  .filter((envelope) => envelope.kind === 'mindfulness_minutes')
  .filter(({ user_id: userId }) => userId === personas.wren.userId)
  .reduce((sum, { data }) => sum + data.length, 0);
