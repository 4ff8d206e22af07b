import { sampleTeamId } from '@caregate/sample-data';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { medianTime, processorTime, request, type Target } from './load.ts';
import { compare, inTurns, type Row } from './measure.ts';
import { caregate, createKey, serve, temporaryFolder, writeSample } from './service.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 7);
const answers = Number(process.env['BENCH_ANSWERS'] ?? 20_000);

/** Reads through a gateway against the same reads of its upstream. */
export async function* gateway(): AsyncGenerator<Row> {
  using folder = temporaryFolder();
  const sample = writeSample(folder.path);
  const [upstreamData, data] = [join(folder.path, 'upstream'), join(folder.path, 'gateway')];
  caregate(['import', sample.file], { data: upstreamData });
  const keys = { upstream: createKey({ data: upstreamData }), gateway: createKey({ data }) };
  const upstream = await serve({ data: upstreamData });
  const keyFile = join(folder.path, 'upstream.key');
  writeFileSync(keyFile, keys.upstream, { mode: 0o600 });
  const upstreams = join(folder.path, 'upstreams.json');
  const entry = { base_url: upstream.url, api_key_file: keyFile };
  writeFileSync(upstreams, JSON.stringify({ [sampleTeamId]: entry }), { mode: 0o600 });
  const through = await serve({ data, env: { CAREGATE_UPSTREAMS: upstreams } });

  for (const name of ['resolve', 'lab result', '1,000 points'] as const) {
    const target = ({ url, pid }: typeof upstream, key: string): Target => ({
      ...{ url: url + sample.paths[name], headers: { 'x-service-api-key': key } },
      pids: () => [pid],
    });
    const targets = [target(through, keys.gateway), target(upstream, keys.upstream)] as const;
    yield* await compareTargets(name, targets);
  }
  await through.stop();
  await upstream.stop();
}

async function compareTargets(
  name: string,
  [through, direct]: readonly [Target, Target],
): Promise<Row[]> {
  const count = name === '1,000 points' ? answers / 10 : answers;
  const cost = (one: Target) => () => processorTime(one, 10, Math.ceil(count / rounds));
  await processorTime(through, 10, count);
  const used = await inTurns({ through: cost(through), direct: cost(direct) }, rounds);
  const wait = (one: Target) => () => medianTime(() => request(one));
  const took = await inTurns({ through: wait(through), direct: wait(direct) }, rounds);
  const ofGateway = `${name}: processor time of the gateway alone / of its upstream`;
  const inTurn = `${name}: median, one at a time`;
  return [
    compare(ofGateway, 'us', [used.through, used.direct]),
    compare(inTurn, 'ms', [took.through, took.direct], { added: 1 }),
  ];
}
