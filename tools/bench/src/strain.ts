import { mkdtempDisposableSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { measureMedianTime, send } from './load.ts';
import { compareInTurns, type Row } from './measure.ts';
import { createKey, forkServer, runCaregate, serve, temporary, writeSample } from './service.ts';

const mixed = Number(process.env['BENCH_MIXED'] ?? 500_000);

export async function* measureStrain(): AsyncGenerator<Row> {
  using folder = mkdtempDisposableSync(temporary);
  const sample = writeSample(folder.path, 3000);
  const data = join(folder.path, 'data');
  runCaregate(['import', sample.file], { data });
  yield await compareBesideNeighbor(data, sample.paths.resolve);
  yield await measureMemory(data, Object.values(sample.paths));
}

/** Another key always has 16 of its most expensive requests in progress, as many as its limit allows. */
async function compareBesideNeighbor(data: string, path: string): Promise<Row> {
  const headers = createKey({ data });
  const service = await serve({ data, env: { CAREGATE_CONCURRENCY_PER_KEY: '16' } });
  const urls = [
    `${service.url}/v2/user?limit=500&offset=2500`,
    `${service.url}/v3/orders?order_key=patient_name&size=100&page=20`,
  ];
  const measureQuiet = (): Promise<number> =>
    measureMedianTime({ ...service, url: service.url + path });
  const measureBeside = async (): Promise<number> => {
    const neighbor = await forkServer('neighbor.ts', { headers, urls });
    const time = await measureQuiet();
    await neighbor.stop();
    return time;
  };
  await measureQuiet();
  const what = "median of a resolve beside another key's most expensive requests / quiet";
  const row = await compareInTurns(what, 'ms', [measureBeside, measureQuiet], { ratio: 2 });
  await service.stop();
  return row;
}

async function measureMemory(data: string, paths: readonly string[]): Promise<Row> {
  const service = await serve({ data });
  const targets = paths.map((path) => ({ ...service, url: service.url + path }));
  await send(targets, 50, mixed);
  const status = readFileSync(`/proc/${service.pids()[0]}/status`, 'utf8');
  await service.stop();
  const measured = Number(/^VmRSS:\s+(\d+) kB$/mu.exec(status)?.[1]) / 1024;
  const what = `resident memory after ${mixed.toLocaleString('en')} requests`;
  return { what, unit: 'MiB', measured, goal: { value: 220 } };
}
