import { sampleTeamId } from '@caregate/sample-data';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { latency, processorTime, type Target } from './load.ts';
import { compare, inTurns, median, type Row } from './measure.ts';
import {
  caregate,
  createKey,
  noLimits,
  serve,
  withFolder,
  writeSample,
  type ReadName,
} from './service.ts';

const rounds = 7;
const answers = 20_000;

/** Reads through a gateway against the same reads of its upstream. */
export function gateway(): Promise<readonly Row[]> {
  return withFolder(async (folder) => {
    const sample = writeSample(folder);
    const upstreamData = join(folder, 'upstream');
    caregate(['import', sample.file, '--data', upstreamData], {});
    const upstreamKey = createKey(upstreamData);
    const upstream = await serve(upstreamData);
    const gatewayData = join(folder, 'gateway');
    const key = createKey(gatewayData);
    const keyFile = join(folder, 'upstream.key');
    writeFileSync(keyFile, upstreamKey, { mode: 0o600 });
    const upstreams = join(folder, 'upstreams.json');
    const entry = { base_url: upstream.url, api_key_file: keyFile };
    writeFileSync(upstreams, JSON.stringify({ [sampleTeamId]: entry }), { mode: 0o600 });
    const through = await serve(gatewayData, { ...noLimits, CAREGATE_UPSTREAMS: upstreams });

    const rows: Row[] = [];
    for (const name of ['resolve', 'lab result', '1,000 points'] as const) {
      const path = sample.paths[name];
      const pair = {
        through: target(through, path, key),
        direct: target(upstream, path, upstreamKey),
      };
      rows.push(...(await compareTargets(name, pair)));
    }
    await through.stop();
    await upstream.stop();
    return rows;
  });
}

const target = (
  { url, pid }: { readonly url: string; readonly pid: number },
  path: string,
  key: string,
): Target => ({ url: url + path, headers: { 'x-service-api-key': key }, pids: () => [pid] });

async function compareTargets(
  name: ReadName,
  { through, direct }: { readonly through: Target; readonly direct: Target },
): Promise<Row[]> {
  const count = name === '1,000 points' ? answers / 10 : answers;
  const cost = (one: Target) => () => processorTime(one, 10, Math.ceil(count / rounds));
  await processorTime(through, 10, count);
  const used = await inTurns({ through: cost(through), direct: cost(direct) }, rounds);
  const wait = (one: Target) => async () => {
    const times: number[] = [];
    for (let read = 0; read < 200; read += 1) {
      times.push(await latency(one));
    }
    return median(times);
  };
  const took = await inTurns({ through: wait(through), direct: wait(direct) }, rounds);
  const ofGateway = `${name}: processor time of the gateway alone / of its upstream`;
  return [
    compare(ofGateway, 'us', used.through, used.direct),
    compare(`${name}: median, one at a time`, 'ms', took.through, took.direct, { added: 1 }),
  ];
}
