import { sampleTeamId } from '@caregate/sample-data';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measureMedianTime, measureProcessorTime, request, type Target } from './load.ts';
import { compare, measureInTurns, type Row } from './measure.ts';
import { runCaregate, createKey, serve, createTemporaryFolder, writeSample } from './service.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 7);
const answers = Number(process.env['BENCH_ANSWERS'] ?? 20_000);

/** Reads through a gateway against the same reads of its upstream. */
export async function* measureGateway(): AsyncGenerator<Row> {
  using folder = createTemporaryFolder();
  const sample = writeSample(folder.path);
  const [upstreamData, data] = [join(folder.path, 'upstream'), join(folder.path, 'gateway')];
  runCaregate(['import', sample.file], { data: upstreamData });
  const keys = { upstream: createKey({ data: upstreamData }), gateway: createKey({ data }) };
  const upstream = await serve({ data: upstreamData });
  const keyFile = join(folder.path, 'upstream.key');
  writeFileSync(keyFile, keys.upstream, { mode: 0o600 });
  const upstreams = join(folder.path, 'upstreams.json');
  const entry = { base_url: upstream.url, api_key_file: keyFile };
  writeFileSync(upstreams, JSON.stringify({ [sampleTeamId]: entry }), { mode: 0o600 });
  const gatewayService = await serve({ data, env: { CAREGATE_UPSTREAMS: upstreams } });

  for (const name of ['resolve', 'lab result', '1,000 points'] as const) {
    const toTarget = ({ url, pid }: typeof upstream, key: string): Target => ({
      ...{ url: url + sample.paths[name], headers: { 'x-service-api-key': key } },
      pids: () => [pid],
    });
    const targets = [
      toTarget(gatewayService, keys.gateway),
      toTarget(upstream, keys.upstream),
    ] as const;
    yield* await compareTargets(name, targets);
  }
  await gatewayService.stop();
  await upstream.stop();
}

async function compareTargets(
  name: string,
  [through, direct]: readonly [Target, Target],
): Promise<Row[]> {
  const count = name === '1,000 points' ? answers / 10 : answers;
  const measureCost = (one: Target) => () =>
    measureProcessorTime(one, 10, Math.ceil(count / rounds));
  await measureProcessorTime(through, 10, count);
  const costs = await measureInTurns(
    { through: measureCost(through), direct: measureCost(direct) },
    rounds,
  );
  const measureWait = (one: Target) => () => measureMedianTime(() => request(one));
  const waits = await measureInTurns(
    { through: measureWait(through), direct: measureWait(direct) },
    rounds,
  );
  const costTitle = `${name}: processor time of the gateway alone / of its upstream`;
  const waitTitle = `${name}: median, one at a time`;
  return [
    compare(costTitle, 'us', [costs.through, costs.direct]),
    compare(waitTitle, 'ms', [waits.through, waits.direct], { added: 1 }),
  ];
}
