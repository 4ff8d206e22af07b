import autocannon from 'autocannon';
import { once } from 'node:events';
import { join } from 'node:path';
import { latency, residentMiB, send } from './load.ts';
import { compare, inTurns, median, type Row } from './measure.ts';
import { caregate, createKey, noLimits, serve, withFolder, writeSample } from './service.ts';

const mixed = Number(process.env['BENCH_MIXED'] ?? 500_000);
const reads = 200;
const expensivePaths = [
  '/v2/user?limit=500&offset=2500',
  '/v3/orders?order_key=patient_name&size=100&page=20',
];

export function strain(): Promise<readonly Row[]> {
  return withFolder(async (folder) => {
    const sample = writeSample(folder, 3000);
    const data = join(folder, 'data');
    caregate(['import', sample.file, '--data', data], {});
    const keys = { neighbor: createKey(data), own: createKey(data) };
    return [
      await besideNeighbor(data, sample.paths.resolve, keys),
      await memory(data, sample.paths, keys.own),
    ];
  });
}

/** Another key always has 16 of its most expensive requests in progress, as many as its limit allows. */
async function besideNeighbor(
  data: string,
  path: string,
  keys: { readonly neighbor: string; readonly own: string },
): Promise<Row> {
  const { CAREGATE_RATE_LIMIT_PER_KEY } = noLimits;
  const service = await serve(data, { CAREGATE_RATE_LIMIT_PER_KEY });
  const target = { url: service.url + path, headers: { 'x-service-api-key': keys.own } };
  const medianMs = async (): Promise<number> => {
    const times: number[] = [];
    for (let read = 0; read < reads; read += 1) {
      times.push(await latency(target));
    }
    return median(times);
  };
  const beside = async (): Promise<number> => {
    const options = {
      ...{ url: service.url, connections: 16, duration: 3600 },
      headers: { 'x-service-api-key': keys.neighbor },
      requests: expensivePaths.map((one) => ({ path: one })),
    };
    const neighbor = autocannon(options, () => undefined);
    const time = await medianMs();
    const ended = once(neighbor, 'done');
    neighbor.stop();
    await ended;
    return time;
  };
  await medianMs();
  const times = await inTurns({ beside, quiet: medianMs }, 5);
  await service.stop();
  const what = "median of a resolve beside another key's most expensive requests / quiet";
  return compare(what, 'ms', times.beside, times.quiet, { ratio: 2 });
}

async function memory(
  data: string,
  paths: Readonly<Record<string, string>>,
  key: string,
): Promise<Row> {
  const service = await serve(data, noLimits);
  const headers = { 'x-service-api-key': key };
  await send({ url: service.url, headers }, 50, mixed, Object.values(paths));
  const measured = residentMiB(service.pid);
  await service.stop();
  const what = `resident memory after ${mixed.toLocaleString('en')} requests`;
  return { what, unit: 'MiB', measured, goal: { value: 220 } };
}
