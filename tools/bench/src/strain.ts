import autocannon from 'autocannon';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { measureMedianTime, request, send } from './load.ts';
import { compare, measureInTurns, type Row } from './measure.ts';
import { runCaregate, createKey, serve, createTemporaryFolder, writeSample } from './service.ts';

const mixed = Number(process.env['BENCH_MIXED'] ?? 500_000);
const expensivePaths = [
  '/v2/user?limit=500&offset=2500',
  '/v3/orders?order_key=patient_name&size=100&page=20',
];

export async function* measureStrain(): AsyncGenerator<Row> {
  using folder = createTemporaryFolder();
  const sample = writeSample(folder.path, 3000);
  const data = join(folder.path, 'data');
  runCaregate(['import', sample.file], { data });
  const keys = { neighbor: createKey({ data }), own: createKey({ data }) };
  yield await compareBesideNeighbor(data, sample.paths.resolve, keys);
  yield await measureMemory(data, Object.values(sample.paths), keys.own);
}

/** Another key always has 16 of its most expensive requests in progress, as many as its limit allows. */
async function compareBesideNeighbor(
  data: string,
  path: string,
  keys: { readonly neighbor: string; readonly own: string },
): Promise<Row> {
  const service = await serve({ data, env: { CAREGATE_CONCURRENCY_PER_KEY: '16' } });
  const target = { url: service.url + path, headers: { 'x-service-api-key': keys.own } };
  const measureQuiet = (): Promise<number> => measureMedianTime(() => request(target));
  const measureBeside = async (): Promise<number> => {
    // In a thread of its own: what arrives there does not delay the call that is measured here.
    const load = autocannon({
      ...{ url: service.url, connections: 16, duration: 10, workers: 1 },
      headers: { 'x-service-api-key': keys.neighbor },
      requests: expensivePaths.map((one) => ({ path: one })),
    });
    const time = await measureQuiet();
    await load;
    return time;
  };
  await measureQuiet();
  const times = await measureInTurns({ beside: measureBeside, quiet: measureQuiet }, 5);
  await service.stop();
  const what = "median of a resolve beside another key's most expensive requests / quiet";
  return compare(what, 'ms', [times.beside, times.quiet], { ratio: 2 });
}

async function measureMemory(data: string, paths: readonly string[], key: string): Promise<Row> {
  const service = await serve({ data });
  await send({ url: service.url, headers: { 'x-service-api-key': key } }, 50, mixed, paths);
  const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
  await service.stop();
  const measured = Number(/^VmRSS:\s+(\d+) kB$/mu.exec(status)?.[1]) / 1024;
  const what = `resident memory after ${mixed.toLocaleString('en')} requests`;
  return { what, unit: 'MiB', measured, goal: { value: 220 } };
}
