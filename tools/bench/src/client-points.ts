import { FetchTransport, HealthDataClient } from '@caregate/api-client';
import { validation } from '@caregate/api-client/validate';
import type { GroupedMindfulnessMinutes } from '@caregate/domain';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { against, takeTurns, type Row } from './measure.ts';
import { pointAt } from './timeseries.ts';

const points = 100_000;
const rounds = 15;
const warmUps = 5;
const most = 1.15;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Each point is validated, against `fetch` and `JSON.parse` of the same answer, in turns. */
export async function clientPoints(): Promise<Row> {
  const body = Buffer.from(pageText());
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json').end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const user = '4f7c2b7e-0f0e-4d28-9c67-3d1c0c4a0001';
  const transport = new FetchTransport();
  const strict = { baseUrl, apiKey: 'bench-key', transport, validation: validation('strict') };
  const client = new HealthDataClient(strict);
  const asked = { startDate: '2020-01-01' };
  const byClient = (): Promise<GroupedMindfulnessMinutes> =>
    client.timeseries.mindfulnessMinutes.grouped(user, asked);
  const plain = async (): Promise<GroupedMindfulnessMinutes> =>
    JSON.parse(await (await fetch(baseUrl)).text()) as GroupedMindfulnessMinutes;
  const turns = (count: number): ReturnType<typeof takeTurns> =>
    takeTurns(
      count,
      () => timed(byClient),
      () => timed(plain),
    );
  await turns(warmUps);
  const times = await turns(rounds);
  server.closeAllConnections();
  server.close();
  const count = points.toLocaleString('en');
  const what = `${count} points, strictly validated (baseline: fetch and JSON.parse)`;
  return against(what, 'ms', times, { most });
}

async function timed(ask: () => Promise<GroupedMindfulnessMinutes>): Promise<number> {
  // Or one of the two, always the same while they take turns, would collect what both left behind.
  collect();
  const start = performance.now();
  const page = await ask();
  const took = performance.now() - start;
  if (page.groups['oura']?.[0]?.data.length !== points) {
    throw new Error('a page of the bench had other points');
  }
  return took;
}

function pageText(): string {
  const data = Array.from({ length: points }, (_, index) => pointAt(index));
  const source = { provider: 'oura', type: 'ring' };
  return JSON.stringify({ groups: { oura: [{ data, source }] }, next: null, next_cursor: null });
}
