import { sampleTeamId } from '@caregate/sample-data';
import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measureMedianTime, measureProcessorTime, type Server } from './load.ts';
import { answers, compareInTurns, rounds, type Row } from './measure.ts';
import { runCaregate, serve, temporary, writeSample } from './service.ts';

/** Reads through a gateway against the same reads of its upstream. */
export async function* measureGateway(): AsyncGenerator<Row> {
  using folder = mkdtempDisposableSync(temporary);
  const sample = writeSample(folder.path);
  const data = join(folder.path, 'upstream');
  runCaregate(['import', sample.file], { data });
  const upstream = await serve({ data });
  const keyFile = join(folder.path, 'upstream.key');
  writeFileSync(keyFile, upstream.headers['x-service-api-key'] ?? '', { mode: 0o600 });
  const upstreams = join(folder.path, 'upstreams.json');
  const entry = { base_url: upstream.url, api_key_file: keyFile };
  writeFileSync(upstreams, JSON.stringify({ [sampleTeamId]: entry }), { mode: 0o600 });
  const env = { CAREGATE_UPSTREAMS: upstreams };
  const gateway = await serve({ data: join(folder.path, 'gateway'), env });
  for (const name of ['resolve', 'lab result', '1,000 points'] as const) {
    const amount = name === '1,000 points' ? answers / 10 : answers;
    const through = { ...gateway, url: gateway.url + sample.paths[name] };
    const direct = { ...upstream, url: upstream.url + sample.paths[name] };
    await measureProcessorTime(through, 10, amount);
    const cost = (server: Server) => () =>
      measureProcessorTime(server, 10, Math.ceil(amount / rounds));
    const wait = (server: Server) => () => measureMedianTime(server);
    const costTitle = `${name}: processor time of the gateway alone / of its upstream`;
    yield await compareInTurns(costTitle, 'us', [cost(through), cost(direct)]);
    const waitTitle = `${name}: median, one at a time`;
    yield await compareInTurns(waitTitle, 'ms', [wait(through), wait(direct)], { added: 1 });
  }
  await gateway.stop();
  await upstream.stop();
}
