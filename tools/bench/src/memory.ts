import autocannon from 'autocannon';
import { readFileSync } from 'node:fs';
import { atMost, type Section } from './measure.ts';
import { noLimits, startService } from './service.ts';

const few = 10_000;
const many = Number(process.env['MEMORY_REQUESTS'] ?? 1_000_000);
const connections = 50;
const mostRatio = 1.1;

export const memory: Section = {
  name: 'memory',
  title: 'Memory of the service after many requests against after its first',
  async run() {
    const service = await startService(['demo'], noLimits);
    const { sample, keys } = service.ready;
    const headers = { 'x-service-api-key': keys['integration'] ?? '' };
    const url = `${service.baseUrl}/v2/user/${sample.user_id}/insurance/latest`;
    const ask = async (amount: number): Promise<number> => {
      const result = await autocannon({ url, headers, connections, amount });
      if (result.non2xx + result.errors > 0) {
        throw new Error(`${result.non2xx + result.errors} requests of a bench failed`);
      }
      return residentMiB(service.pid);
    };
    const after = { few: await ask(few), many: await ask(many - few) };
    await service.stop();
    const counts = [many, few].map((count) => count.toLocaleString('en'));
    const what = `memory after ${counts[0] ?? ''} requests (baseline: after ${counts[1] ?? ''})`;
    return [atMost(what, 'MiB', after.many, after.few, mostRatio)];
  },
};

/** Resident memory of a process as the kernel counts it (Linux alone). */
function residentMiB(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1024;
}
