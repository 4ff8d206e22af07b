import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { atRate } from './fixed-rate.ts';
import { against, quantile, type Row, type Target } from './measure.ts';
import { benchKey, command, noLimits, startService, workFolder } from './service.ts';

/** Some 50 kB each. */
const users = Number(process.env['BENCH_BACKUP'] ?? 20_000);
const rounds = 3;
const rate = { perSecond: 200, connections: 50 };

/** Reads of a 1 GB store while it is backed up, against the same without. */
export async function whileBackedUp(): Promise<Row[]> {
  const folder = workFolder();
  const data = join(folder.path, 'data');
  await importPeople(data);
  const key = await benchKey(data, sampleTeamId);
  const service = await startService(['serve', '--data', data], noLimits);
  const target = anyRead(service.baseUrl, { 'x-service-api-key': key });
  const times = { measured: [] as number[][], baseline: [] as number[][] };
  try {
    await read(target, 10);
    for (let round = 0; round < rounds; round += 1) {
      times.baseline.push(await read(target, 60));
      const to = join(folder.path, 'backup');
      const backup = command(['backup', to, '--data', data]);
      const ended = new AbortController();
      const over = backup.finally(() => {
        ended.abort();
      });
      const during: number[] = [];
      while (!ended.signal.aborted) during.push(...(await read(target, 4)));
      await over;
      rmSync(to, { recursive: true });
      times.measured.push(during);
    }
  } finally {
    await service.stop();
    folder.remove();
  }
  return [0.5, 0.99].map((q) => {
    const of = (all: readonly number[][]): number[] => all.map((each) => quantile(each, q));
    const what = `200 reads a second during a backup of ${users} people / without, p${q * 100}`;
    const both = { measured: of(times.measured), baseline: of(times.baseline) };
    return against(what, 'ms', both, q === 0.99 ? { most: 2 } : undefined);
  });
}

async function read(target: Target, seconds: number): Promise<number[]> {
  const { times, failed } = await atRate(target, { ...rate, seconds });
  if (failed > 0) {
    throw new Error(`${failed} requests of a bench failed`);
  }
  return times;
}

/** Of people spread over the store. */
function anyRead(baseUrl: string, headers: Record<string, string>): Target {
  const paths: string[] = [];
  for (let first = 0; first < users; first += Math.ceil(users / 200)) {
    for (const each of sampleEnvelopes({ users: 1, first })) {
      if (each.kind === 'user') paths.push(`/v2/user/resolve/${each.user.client_user_id}`);
      if (each.kind === 'lab_result') paths.push(`/v3/order/${each.order_id}/result`);
      if (each.kind === 'insurance') paths.push(`/v2/user/${each.user_id}/insurance/latest`);
    }
  }
  let at = 0;
  return {
    get url() {
      at += 1;
      return `${baseUrl}${paths[at % paths.length]}`;
    },
    headers,
  };
}

async function importPeople(data: string): Promise<void> {
  await command(['import', '-', '--data', data], async (stdin) => {
    for (const envelope of sampleEnvelopes({ users })) {
      if (!stdin.write(`${JSON.stringify(envelope)}\n`)) {
        await once(stdin, 'drain');
      }
    }
    stdin.end();
  });
}
