import autocannon from 'autocannon';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { medianTime, request, send } from './load.ts';
import { compare, inTurns, type Row } from './measure.ts';
import { caregate, createKey, serve, temporaryFolder, writeSample } from './service.ts';

const mixed = Number(process.env['BENCH_MIXED'] ?? 500_000);
const expensivePaths = [
  '/v2/user?limit=500&offset=2500',
  '/v3/orders?order_key=patient_name&size=100&page=20',
];

export async function* strain(): AsyncGenerator<Row> {
  using folder = temporaryFolder();
  const sample = writeSample(folder.path, 3000);
  const data = join(folder.path, 'data');
  caregate(['import', sample.file], { data });
  const keys = { neighbor: createKey({ data }), own: createKey({ data }) };
  yield await besideNeighbor(data, sample.paths.resolve, keys);
  yield await memory(data, Object.values(sample.paths), keys.own);
}

/** Another key always has 16 of its most expensive requests in progress, as many as its limit allows. */
async function besideNeighbor(
  data: string,
  path: string,
  keys: { readonly neighbor: string; readonly own: string },
): Promise<Row> {
  const service = await serve({ data, env: { CAREGATE_CONCURRENCY_PER_KEY: '16' } });
  const target = { url: service.url + path, headers: { 'x-service-api-key': keys.own } };
  const quiet = (): Promise<number> => medianTime(() => request(target));
  const beside = async (): Promise<number> => {
    // In a thread of its own: what arrives there does not delay the call that is measured here.
    const load = autocannon({
      ...{ url: service.url, connections: 16, duration: 10, workers: 1 },
      headers: { 'x-service-api-key': keys.neighbor },
      requests: expensivePaths.map((one) => ({ path: one })),
    });
    const time = await quiet();
    await load;
    return time;
  };
  await quiet();
  const times = await inTurns({ beside, quiet }, 5);
  await service.stop();
  const what = "median of a resolve beside another key's most expensive requests / quiet";
  return compare(what, 'ms', [times.beside, times.quiet], { ratio: 2 });
}

async function memory(data: string, paths: readonly string[], key: string): Promise<Row> {
  const service = await serve({ data });
  await send({ url: service.url, headers: { 'x-service-api-key': key } }, 50, mixed, paths);
  const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
  await service.stop();
  const measured = Number(/^VmRSS:\s+(\d+) kB$/mu.exec(status)?.[1]) / 1024;
  const what = `resident memory after ${mixed.toLocaleString('en')} requests`;
  return { what, unit: 'MiB', measured, goal: { value: 220 } };
}
