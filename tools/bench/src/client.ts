import { FetchTransport, HealthDataClient } from '@caregate/api-client';
import { AxiosTransport } from '@caregate/api-client/axios';
import { NodeTransport } from '@caregate/api-client/node';
import { validation } from '@caregate/api-client/validate';
import axios from 'axios';
import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { medianTime } from './load.ts';
import { compare, inTurns, type Row } from './measure.ts';
import { points } from './points.ts';

const apiKey = 'bench-key';
const userId = '4f7c2b7e-0f0e-4d28-9c67-3d1c0c4a0001';
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 9);

/** Calls of the client against the same calls by bare means. */
export async function* client(): AsyncGenerator<Row> {
  const user = JSON.stringify({
    ...{ user_id: userId, team_id: userId, client_user_id: 'patient-1', connected_sources: [] },
    created_on: '2025-01-01T00:00:00+00:00',
  });
  const source = { provider: 'oura', type: 'ring' };
  const groups = { oura: [{ data: points(100_000), source }] };
  const page = JSON.stringify({ groups, next: null, next_cursor: null });
  const server = createServer((request, response) => {
    const isUser = request.url?.startsWith('/v2/user') ?? false;
    response.setHeader('content-type', 'application/json').end(isUser ? user : page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const agent = new Agent({ keepAlive: true });
  yield* await calls(baseUrl, agent);
  yield await largePage(baseUrl);
  agent.destroy();
  server.closeAllConnections();
  server.close();
}

async function calls(baseUrl: string, httpAgent: Agent): Promise<Row[]> {
  const own = axios.create({ httpAgent });
  const resolve = (transport: FetchTransport | AxiosTransport | NodeTransport) => {
    const { users } = new HealthDataClient({ baseUrl, apiKey, transport });
    return () => medianTime(() => users.resolve('patient-1'), 300);
  };
  const url = `${baseUrl}/v2/user/resolve/patient-1`;
  const headers = { 'x-service-api-key': apiKey };
  const { bare, ...others } = await inTurns(
    {
      bare: () => medianTime(() => own.get(url, { headers }), 300),
      fetch: resolve(new FetchTransport()),
      axios: resolve(new AxiosTransport(own)),
      'Node’s HTTP': resolve(new NodeTransport({ keepAlive: true })),
    },
    rounds,
  );
  return Object.entries(others).map(([name, measured]) =>
    compare(`a call over ${name} / bare axios`, 'ms', [measured, bare], { added: 0.15 }),
  );
}

/** 100,000 points, each validated, against `fetch` and `JSON.parse`. */
async function largePage(baseUrl: string): Promise<Row> {
  const transport = new FetchTransport();
  const options = { baseUrl, apiKey, transport, validation: validation('strict') };
  const { mindfulnessMinutes } = new HealthDataClient(options).timeseries;
  const read = () => mindfulnessMinutes.grouped(userId, { startDate: '2020-01-01' });
  const parse = async (): Promise<unknown> => JSON.parse(await (await fetch(baseUrl)).text());
  const times = await inTurns(
    { client: () => medianTime(read, 3), plain: () => medianTime(parse, 3) },
    rounds,
  );
  const what = '100,000 points, strictly validated / fetch and JSON.parse';
  return compare(what, 'ms', [times.client, times.plain], { ratio: 1.15 });
}
