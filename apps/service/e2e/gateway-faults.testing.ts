import { personas } from '@caregate/sample-data';
import {
  CERTIFICATE,
  CERTIFICATE_KEY,
  FaultProxy,
  NO_FAULT,
  type Fault,
} from '@caregate/fault-proxy';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AccessStore } from '../src/access/access-store.ts';
import { RecordIds } from '../src/audit/record-ids.ts';
import { caregateIn } from '../src/cli/caregate.testing.ts';
import {
  caregate,
  kill,
  newFolder,
  removeFolder,
  start,
  type Running,
  noLimits,
  withLimits,
} from './caregate.testing.ts';
import { bodiesIn } from '../src/audit/record/records.testing.ts';

/** How long each gateway gives one read of its upstream: far more than any here takes, and as long as tests wait for an end. */
const UPSTREAM_TIMEOUTS_MS = { patient: 300_000, strict: 2500 };
export type Manner = keyof typeof UPSTREAM_TIMEOUTS_MS;
/** Longer than either waits. */
export const TOO_LONG_MS = 600_000;
/** Of another team, whose upstream is the same one behind TLS. */
const tlsTeam = '9d0a1c52-3f4e-4b6a-8c7d-5e2f1a0b9c8d';

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly retryAfter: string | null;
  readonly requestId: string;
  /** Id of its audit record. */
  readonly record: string;
}

interface Gateway {
  readonly running: Running;
  readonly data: string;
  readonly key: string;
  readonly tlsKey: string;
}

/** Two Caregates, one that waits and one that does not, in front of the proxies in front of a third. */
export class FaultyGateway {
  readonly proxy: FaultProxy;
  readonly tlsProxy: FaultProxy;
  /** Paths of reads, each with the bytes that the upstream itself answers. */
  readonly right: ReadonlyMap<string, string>;
  /** Every answer of the gateway so far. */
  readonly answers: Answer[] = [];
  readonly #folder: string;
  readonly #upstream: Running;
  readonly #gateways: Readonly<Record<Manner, Gateway>>;
  readonly #plans = new Map<string, Fault[]>();

  static async start(): Promise<FaultyGateway> {
    const folder = newFolder();
    mkdirSync(join(folder, 'upstream'));
    const upstream = await start(['demo', '--users', '20'], join(folder, 'upstream'), noLimits);
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
    const gateway = async (manner: Manner): Promise<Gateway> => {
      const at = join(folder, manner);
      mkdirSync(at);
      const data = join(at, 'data');
      const [key = '', tlsKey = ''] = await newKeys(data, [team ?? '', tlsTeam]);
      const running = await start(['serve', '--data', data], at, {
        ...noLimits,
        CAREGATE_UPSTREAMS: upstreams,
        ...withLimits({ requestsPerAddress: 1_000_000, upstreamMs: UPSTREAM_TIMEOUTS_MS[manner] }),
        CAREGATE_LOG_LEVEL: 'silent',
        NODE_EXTRA_CA_CERTS: certificate,
      });
      return { running, data, key, tlsKey };
    };
    const gateways = { patient: await gateway('patient'), strict: await gateway('strict') };
    const right = await rightAnswers(to, upstreamKey);
    return new FaultyGateway({ folder, upstream, gateways, proxy, tlsProxy, right });
  }

  private constructor(parts: {
    folder: string;
    upstream: Running;
    gateways: Readonly<Record<Manner, Gateway>>;
    proxy: FaultProxy;
    tlsProxy: FaultProxy;
    right: ReadonlyMap<string, string>;
  }) {
    this.proxy = parts.proxy;
    this.tlsProxy = parts.tlsProxy;
    this.right = parts.right;
    this.#folder = parts.folder;
    this.#upstream = parts.upstream;
    this.#gateways = parts.gateways;
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

  async ask(path: string, manner: Manner = 'patient'): Promise<Answer> {
    const gateway = this.#gateways[manner];
    return await this.#ask(gateway, path, gateway.key);
  }

  async askByTls(path: string, manner: Manner): Promise<Answer> {
    const gateway = this.#gateways[manner];
    return await this.#ask(gateway, path, gateway.tlsKey);
  }

  /** Right reads until an open circuit has closed, and enough of them that what went before opens none. */
  async recover(): Promise<void> {
    this.#plans.clear();
    const [path = ''] = this.right.keys();
    for (const manner of ['patient', 'strict'] as const) {
      for (let good = 0; good < 20;) {
        if ((await this.ask(path, manner)).status === 200) {
          good += 1;
        } else {
          await sleep(100);
        }
      }
    }
  }

  /** Ends the gateways; gives their audit logs, verified, as records by their ids. */
  async auditRecords(): Promise<Map<string, Record<string, unknown>>> {
    const records = new Map<string, Record<string, unknown>>();
    for (const { running, data } of Object.values(this.#gateways)) {
      await running.end();
      const verified = caregate(['audit', 'verify', '--data', data]);
      if (verified.status !== 0) {
        throw new Error(`The audit log does not verify: ${verified.stdout}${verified.stderr}`);
      }
      const access = await AccessStore.open(data);
      const ids = new RecordIds(await access.secrets.permanent());
      await access.close();
      for (const body of bodiesIn(data)) {
        const id = ids.idOf({ logId: body.log_id, seq: body.seq });
        records.set(id, body as unknown as Record<string, unknown>);
      }
    }
    return records;
  }

  async stop(): Promise<void> {
    kill(this.#gateways.patient.running);
    kill(this.#gateways.strict.running);
    kill(this.#upstream);
    await Promise.all([this.proxy.stop(), this.tlsProxy.stop()]);
    removeFolder(this.#folder);
  }

  async #ask(gateway: Gateway, path: string, key: string): Promise<Answer> {
    const headers = { 'x-service-api-key': key };
    const answer = await fetch(gateway.running.ready.base_url + path, { headers });
    const body = await answer.text();
    const read = {
      status: answer.status,
      body,
      retryAfter: answer.headers.get('retry-after'),
      requestId: answer.headers.get('x-request-id') ?? '',
      record: answer.headers.get('x-audit-record-id') ?? '',
    };
    this.answers.push(read);
    return read;
  }
}

async function newKeys(data: string, teams: readonly string[]): Promise<string[]> {
  const keys: string[] = [];
  for (const team of teams) {
    const flags = ['--team', team, '--data', data, '--role', 'clinician', '--label', 'e2e'];
    const { out } = await caregateIn({}, ['keys', 'create', ...flags, '--json']);
    keys.push((JSON.parse(out) as { key: string }).key);
  }
  return keys;
}

/** What is asked about: the gateway writes the same query its own way. */
function keyOf(path: string): string {
  return path.split('?')[0] ?? '';
}

/** The reads of several people with what the upstream itself says; those that it has nothing for are left out. */
async function rightAnswers(base: string, key: string): Promise<Map<string, string>> {
  const paths = Object.values(personas).flatMap(({ userId, orderIds }) => [
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
