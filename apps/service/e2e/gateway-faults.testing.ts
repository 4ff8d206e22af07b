import { cast } from '@caregate/sample-data';
import {
  CERTIFICATE,
  CERTIFICATE_KEY,
  FaultProxy,
  NO_FAULT,
  type Fault,
} from '@caregate/fault-proxy';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  caregate,
  kill,
  newFolder,
  removeFolder,
  start,
  type Running,
} from './caregate.testing.ts';

/** How long the gateway gives one read of its upstream: enough for two hundred at once on a slow machine. */
export const UPSTREAM_TIMEOUT_MS = 2500;
/** Of another team, whose upstream is the same one behind TLS. */
const tlsTeam = '9d0a1c52-3f4e-4b6a-8c7d-5e2f1a0b9c8d';

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly retryAfter: string | null;
  readonly requestId: string;
  /** Number of its audit record. */
  readonly record: number;
}

/** A Caregate in front of the proxies in front of a second Caregate. */
export class FaultyGateway {
  readonly proxy: FaultProxy;
  readonly tlsProxy: FaultProxy;
  /** Paths of reads, each with the bytes that the upstream itself answers. */
  readonly right: ReadonlyMap<string, string>;
  /** Every answer of the gateway so far. */
  readonly answers: Answer[] = [];
  readonly #folder: string;
  readonly #upstream: Running;
  readonly #gateway: Running;
  readonly #key: string;
  readonly #tlsKey: string;
  readonly #plans = new Map<string, Fault[]>();

  static async start(): Promise<FaultyGateway> {
    const folder = newFolder();
    mkdirSync(join(folder, 'upstream'));
    const many = {
      CAREGATE_RATE_LIMIT_PER_KEY: '1000000',
      CAREGATE_RATE_LIMIT_PER_ADDRESS: '1000000',
    };
    const upstream = await start(['demo', '--users', '20'], join(folder, 'upstream'), many);
    const { base_url: to, team_id: team, keys } = upstream.ready;
    const upstreamKey = keys['integration'] ?? '';
    const proxy = await FaultProxy.start({ to });
    const tls = { cert: CERTIFICATE, key: CERTIFICATE_KEY };
    const tlsProxy = await FaultProxy.start({ to, tls });
    const certificate = join(folder, 'ca.pem');
    writeFileSync(certificate, CERTIFICATE);
    const upstreams = join(folder, 'upstreams.json');
    writeFileSync(
      upstreams,
      JSON.stringify({
        [team ?? '']: { base_url: proxy.url, api_key: upstreamKey },
        [tlsTeam]: { base_url: tlsProxy.url, api_key: upstreamKey },
      }),
      { mode: 0o600 },
    );
    const data = join(folder, 'data');
    const ownKeys = [team ?? '', tlsTeam].map((id) => newKey(data, id));
    const gateway = await start(['serve', '--data', data], folder, {
      ...many,
      CAREGATE_UPSTREAMS: upstreams,
      CAREGATE_UPSTREAM_TIMEOUT_MS: String(UPSTREAM_TIMEOUT_MS),
      CAREGATE_LOG_LEVEL: 'silent',
      NODE_EXTRA_CA_CERTS: certificate,
    });
    const right = await rightAnswers(to, upstreamKey);
    return new FaultyGateway({ folder, upstream, gateway, proxy, tlsProxy, ownKeys, right });
  }

  private constructor(parts: {
    folder: string;
    upstream: Running;
    gateway: Running;
    proxy: FaultProxy;
    tlsProxy: FaultProxy;
    ownKeys: readonly string[];
    right: ReadonlyMap<string, string>;
  }) {
    this.proxy = parts.proxy;
    this.tlsProxy = parts.tlsProxy;
    this.right = parts.right;
    this.#folder = parts.folder;
    this.#upstream = parts.upstream;
    this.#gateway = parts.gateway;
    [this.#key = '', this.#tlsKey = ''] = parts.ownKeys;
    this.proxy.faultOf = (path) => this.#plans.get(keyOf(path))?.shift() ?? NO_FAULT;
  }

  /** The faults of the next attempts for this path, one each; what comes later has none. */
  plan(path: string, faults: readonly Fault[]): void {
    this.#plans.set(keyOf(path), [...faults]);
  }

  /** Attempts for this path that the proxy saw from its request number `since` on. */
  attempts(path: string, since: number): number {
    const later = this.proxy.requests.slice(since);
    return later.filter((each) => keyOf(each.path) === keyOf(path)).length;
  }

  async ask(path: string): Promise<Answer> {
    return await this.#ask(path, this.#key);
  }

  async askByTls(path: string): Promise<Answer> {
    return await this.#ask(path, this.#tlsKey);
  }

  /** Right reads until an open circuit has closed, and enough of them that what went before opens none. */
  async recover(): Promise<void> {
    this.#plans.clear();
    const [path = ''] = this.right.keys();
    for (let good = 0; good < 20;) {
      if ((await this.ask(path)).status === 200) {
        good += 1;
      } else {
        await sleep(100);
      }
    }
  }

  /** Ends the gateway; gives its audit log, verified, as its records by number. */
  async auditRecords(): Promise<Map<number, Record<string, unknown>>> {
    await this.#gateway.end();
    const data = join(this.#folder, 'data');
    const verified = caregate(['audit', 'verify', '--data', data]);
    if (verified.status !== 0) {
      throw new Error(`The audit log does not verify: ${verified.stdout}${verified.stderr}`);
    }
    const db = new DatabaseSync(join(data, 'audit.db'), { readOnly: true });
    const rows = db.prepare('select seq, body from audit_event').all();
    db.close();
    return new Map(
      rows.map(({ seq, body }) => [
        Number(seq),
        JSON.parse(body as string) as Record<string, unknown>,
      ]),
    );
  }

  async stop(): Promise<void> {
    kill(this.#gateway);
    kill(this.#upstream);
    await Promise.all([this.proxy.stop(), this.tlsProxy.stop()]);
    removeFolder(this.#folder);
  }

  async #ask(path: string, key: string): Promise<Answer> {
    const headers = { 'x-service-api-key': key };
    const answer = await fetch(this.#gateway.ready.base_url + path, { headers });
    const body = await answer.text();
    const read = {
      status: answer.status,
      body,
      retryAfter: answer.headers.get('retry-after'),
      requestId: answer.headers.get('x-request-id') ?? '',
      record: Number(answer.headers.get('x-audit-record-id')?.split('/')[1]),
    };
    this.answers.push(read);
    return read;
  }
}

function newKey(data: string, team: string): string {
  const flags = ['--team', team, '--data', data, '--role', 'clinician', '--label', 'e2e', '--json'];
  return (JSON.parse(caregate(['keys', 'create', ...flags]).stdout) as { key: string }).key;
}

/** What is asked about: the gateway writes the same query its own way. */
function keyOf(path: string): string {
  return path.split('?')[0] ?? '';
}

/** The reads of several people with what the upstream itself says; those that it has nothing for are left out. */
async function rightAnswers(base: string, key: string): Promise<Map<string, string>> {
  const paths = Object.values(cast).flatMap(({ userId, orderIds }) => [
    `/v2/user/${userId}/insurance/latest`,
    `/v2/timeseries/${userId}/mindfulness_minutes/grouped?start_date=2026-10-01`,
    ...orderIds.map((id) => `/v3/order/${id}/result`),
  ]);
  const headers = { 'x-service-api-key': key };
  const list = await (await fetch(`${base}/v2/user/?limit=6`, { headers })).json();
  const { users } = list as { users: { client_user_id: string }[] };
  const resolved = users.map(
    ({ client_user_id: id }) => `/v2/user/resolve/${encodeURIComponent(id)}`,
  );
  const right = new Map<string, string>();
  for (const path of [...resolved, '/v2/user/?limit=6', ...paths]) {
    const answer = await fetch(base + path, { headers });
    const body = await answer.text();
    if (answer.status === 200 && !/"next_cursor":"/u.test(body)) {
      right.set(path, body);
    }
  }
  return right;
}
