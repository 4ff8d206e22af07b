import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { signIn } from './at-desk.ts';
import { whileBackedUp } from './backup.ts';
import { atRate } from './fixed-rate.ts';
import {
  atMost,
  inTurns,
  median,
  quantile,
  within,
  type Row,
  type Section,
  type Target,
} from './measure.ts';
import { keepBusy } from './one-connection.ts';
import { besideBaseline, perAnswer } from './reads/processor-time.ts';
import { benchKey, command, noLimits, startService, workFolder, type Running } from './service.ts';

const turns = 7;
const answers = 20_000;
const mixed = Number(process.env['BENCH_MIXED'] ?? 500_000);
const orders = Number(process.env['BENCH_ORDERS'] ?? 100_000);
const size = 50;
const start = { rounds: 3, perSecond: 500, seconds: 40 };

export const strain: Section = {
  name: 'strain',
  title: 'People at desks, memory, the seconds after a start, deep pages, during a backup',
  async run() {
    const begun = [...(await onDemo()), ...(await secondsAfterStarts())];
    return [...begun, await deepPages(), ...(await whileBackedUp())];
  },
};

async function onDemo(): Promise<Row[]> {
  const folder = workFolder();
  const service = await startService(['demo', '--data', folder.path], noLimits);
  try {
    return [await atDesk(folder.path, service), await residentAfterMany(service)];
  } finally {
    await service.stop();
    folder.remove();
  }
}

async function atDesk(data: string, { baseUrl, pid, ready }: Running): Promise<Row> {
  const url = `${baseUrl}/v2/user/${ready.sample.user_id}/insurance/latest`;
  const person = await signIn(data, baseUrl, ready.team_id);
  const pids = (): number[] => [pid];
  const byPerson = { url, pids, fresh: () => person.headers('GET', url) };
  const byKey = { url, pids, headers: { 'x-service-api-key': person.key } };
  await perAnswer(byPerson, 10, answers);
  await perAnswer(byKey, 10, answers);
  const what = 'latest insurance: a person at a desk / by key';
  return await besideBaseline(what, [byPerson, byKey], { turns, answers }, { most: 1.4 });
}

async function residentAfterMany({ baseUrl, pid, ready }: Running): Promise<Row> {
  const { user_id: user, client_user_id: client, order_id: order } = ready.sample;
  const points = `/v2/timeseries/${user}/mindfulness_minutes/grouped?start_date=2026-11-14`;
  const paths = [
    `/v2/user/resolve/${client}`,
    `/v2/user/${user}/insurance/latest`,
    `/v3/order/${order}/result`,
    '/v2/user/?limit=20',
    points,
  ];
  const headers = { 'x-service-api-key': ready.keys['integration'] ?? '' };
  let left = mixed;
  const next = (): string => paths[left % paths.length] ?? '';
  await keepBusy(
    [baseUrl],
    50,
    (one) => one.request(next(), headers),
    () => left-- > 0,
  );
  const [, kib] = /^VmRSS:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  const what = `resident memory after ${mixed.toLocaleString('en')} mixed requests`;
  return within(what, 'MiB', 300, Number(kib) / 1024);
}

async function secondsAfterStarts(): Promise<Row[]> {
  const slowest: number[] = [];
  const usual: number[] = [];
  for (let round = 0; round < start.rounds; round += 1) {
    const p99 = await p99OfEachSecond();
    slowest.push(Math.max(...p99));
    usual.push(median(p99));
  }
  const what = `p99 of the slowest of ${start.seconds} seconds after a start / of its median second`;
  return [atMost(what, 'ms', median(slowest), median(usual), 3)];
}

async function p99OfEachSecond(): Promise<number[]> {
  const service = await startService(['demo'], noLimits);
  const { sample, keys } = service.ready;
  const url = `${service.baseUrl}/v2/user/resolve/${sample.client_user_id}`;
  const headers = { 'x-service-api-key': keys['integration'] ?? '' };
  const { times, failed } = await atRate({ url, headers }, { ...start, connections: 50 });
  await service.stop();
  if (failed > 0) {
    throw new Error(`${failed} requests of a bench failed`);
  }
  return Array.from({ length: start.seconds }, (_, second) =>
    quantile(times.slice(second * start.perSecond, (second + 1) * start.perSecond), 0.99),
  );
}

/** A team with at least as many orders as `BENCH_ORDERS`, sorted by patient's name. */
async function deepPages(): Promise<Row> {
  const folder = workFolder();
  const total = await importOrders(folder.path);
  const key = await benchKey(folder.path, sampleTeamId);
  const service = await startService(['serve', '--data', folder.path], noLimits);
  try {
    const page = (number: number): Target => ({
      url: `${service.baseUrl}/v3/orders?order_key=patient_name&size=${size}&page=${number}`,
      headers: { 'x-service-api-key': key },
    });
    const last = Math.floor(total / size);
    const { a, b } = await inTurns(page(last), page(1), 200);
    return atMost(`orders by name, page ${last} / page 1`, 'ms', a, b, 1.2);
  } finally {
    await service.stop();
    folder.remove();
  }
}

async function importOrders(data: string): Promise<number> {
  let total = 0;
  await command(['import', '-', '--data', data], async (stdin) => {
    const all = sampleEnvelopes({ users: orders, teamId: sampleTeamId, kinds: ['user', 'order'] });
    for (const envelope of all) {
      if (!stdin.write(`${JSON.stringify(envelope)}\n`)) {
        await once(stdin, 'drain');
      }
      total += envelope.kind === 'order' ? 1 : 0;
      // A person's orders follow the person.
      if (total >= orders && envelope.kind === 'user') {
        break;
      }
    }
    stdin.end();
  });
  return total;
}
