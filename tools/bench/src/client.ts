import { FetchTransport, HealthDataClient } from '@caregate/api-client';
import { AxiosTransport } from '@caregate/api-client/axios';
import { NodeTransport } from '@caregate/api-client/node';
import axios from 'axios';
import { createServer, Agent } from 'node:http';
import type { AddressInfo } from 'node:net';
import { clientPoints } from './client-points.ts';
import { median, type Row, type Section } from './measure.ts';

const turns = 3000;
const mostMs = 0.15;
const path = '/v2/user/resolve/patient-1';

const user = {
  user_id: '4f7c2b7e-0f0e-4d28-9c67-3d1c0c4a0001',
  team_id: '4f7c2b7e-0f0e-4d28-9c67-3d1c0c4a0002',
  client_user_id: 'patient-1',
  created_on: '2025-01-01T00:00:00+00:00',
  connected_sources: [],
  fallback_time_zone: {
    id: 'Europe/Berlin',
    source_slug: 'oura',
    updated_at: '2025-01-01T00:00:00Z',
  },
};

export const client: Section = {
  name: 'client',
  title: 'A call of the client against the same call with bare axios',
  async run() {
    const body = JSON.stringify(user);
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'application/json').end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const apiKey = 'bench-key';
    const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })] as const;
    const bare = axios.create({ httpAgent: agents[0] });
    const own = axios.create({ httpAgent: agents[1] });
    const node = new NodeTransport({ keepAlive: true });
    const headers = { 'x-service-api-key': apiKey };
    const byFetch = new HealthDataClient({ baseUrl, apiKey, transport: new FetchTransport() });
    const byAxios = new HealthDataClient({ baseUrl, apiKey, transport: new AxiosTransport(own) });
    const byNode = new HealthDataClient({ baseUrl, apiKey, transport: node });
    const url = baseUrl + path;
    const ways = {
      axios: async () => ((await bare.get(url, { headers })).data as typeof user).user_id,
      fetch: async () => ((await (await fetch(url, { headers })).json()) as typeof user).user_id,
      'the client over fetch': async () => (await byFetch.users.resolve('patient-1')).user_id,
      'the client over axios': async () => (await byAxios.users.resolve('patient-1')).user_id,
      'the client over Node’s HTTP': async () => (await byNode.users.resolve('patient-1')).user_id,
    };
    const times = await takeTurns(ways);
    agents.forEach((agent) => {
      agent.destroy();
    });
    server.closeAllConnections();
    server.close();
    const baseline = times.axios;
    const calls = Object.entries(times)
      .filter(([what]) => what !== 'axios')
      .map(([what, measured]) => rowOf(what, measured, baseline));
    return [...calls, await clientPoints()];
  },
};

/** Milliseconds of each way at the median, A B C A B C …, so that all meet the same machine. */
async function takeTurns<Way extends string>(
  ways: Readonly<Record<Way, () => Promise<string>>>,
): Promise<Record<Way, number>> {
  const names = Object.keys(ways) as Way[];
  const times = new Map(names.map((name) => [name, [] as number[]]));
  for (let turn = -turns / 5; turn < turns; turn += 1) {
    for (const name of names) {
      const start = performance.now();
      const id = await ways[name]();
      const took = performance.now() - start;
      if (id !== user.user_id) {
        throw new Error('a call of the bench gave another user');
      }
      if (turn >= 0) {
        times.get(name)?.push(took);
      }
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<
    Way,
    number
  >;
}

function rowOf(what: string, measured: number, baseline: number): Row {
  const row = { what, unit: 'ms', measured, baseline, ratio: measured / baseline };
  // Bare fetch is there to tell what of it is the client's.
  return what === 'fetch'
    ? { ...row, what: 'bare fetch' }
    : { ...row, bound: `at most ${mostMs} ms added`, kept: measured - baseline <= mostMs };
}
