import { atRate } from './fixed-rate.ts';
import { median, quantile, within, type Section } from './measure.ts';
import { noLimits, startService } from './service.ts';

const rounds = 3;
const perSecond = 500;
/** V8 compiles what every answer runs through anew after some 10,500 of them. */
const seconds = 40;
const mostMs = 50;

export const stall: Section = {
  name: 'stall',
  title: `Each of the ${seconds} seconds after a start, at ${perSecond} requests a second`,
  async run() {
    const slowest: number[] = [];
    const usual: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const p99 = await p99OfEachSecond();
      slowest.push(Math.max(...p99));
      usual.push(median(p99));
    }
    const what = `p99 of the slowest second after a start (median of ${rounds} starts)`;
    return [
      within(what, 'ms', mostMs, median(slowest)),
      { what: 'p99 of its median second', unit: 'ms', measured: median(usual) },
    ];
  },
};

async function p99OfEachSecond(): Promise<number[]> {
  const service = await startService(['demo'], noLimits);
  const { sample, keys } = service.ready;
  const url = `${service.baseUrl}/v2/user/resolve/${encodeURIComponent(sample.client_user_id)}`;
  const headers = { 'x-service-api-key': keys['integration'] ?? '' };
  const { times, failed } = await atRate({ url, headers }, { perSecond, seconds, connections: 50 });
  await service.stop();
  if (failed > 0) {
    throw new Error(`${failed} requests of a bench failed`);
  }
  return Array.from({ length: seconds }, (_, second) =>
    quantile(times.slice(second * perSecond, (second + 1) * perSecond), 0.99),
  );
}
