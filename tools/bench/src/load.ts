import autocannon from 'autocannon';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';

export interface Target {
  readonly url: string;
  readonly headers?: Record<string, string>;
  /** The processes that answer. */
  readonly pids: () => readonly number[];
}

/** Sends requests over kept connections, to several paths in turns. @throws Error if an answer is not of 2xx */
export async function send(
  { url, headers = {} }: Omit<Target, 'pids'>,
  connections: number,
  amount: number,
  paths: readonly string[] = [new URL(url).pathname + new URL(url).search],
): Promise<void> {
  const requests = paths.map((path) => ({ path }));
  const result = await autocannon({ url, headers, connections, amount, requests, timeout: 60 });
  if (result.non2xx + result.errors > 0) {
    throw new Error(`${result.non2xx + result.errors} requests of a bench to ${url} failed`);
  }
}

/** Microseconds of processor time of an answer, of all threads of the target's processes. */
export async function processorTime(
  target: Target,
  connections: number,
  amount: number,
): Promise<number> {
  const before = new Map(target.pids().map((pid) => [pid, usedNanoseconds(pid)]));
  await send(target, connections, amount);
  const used = target.pids().map((pid) => usedNanoseconds(pid) - (before.get(pid) ?? 0));
  return used.reduce((sum, one) => sum + one, 0) / 1000 / amount;
}

function usedNanoseconds(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'))
      .reduce((sum, text) => sum + Number(text.split(' ', 1)[0]), 0);
  } catch (error) {
    // A worker of PostgreSQL, such as autovacuum's, may have ended.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return 0;
    }
    throw error;
  }
}

/** The process and its children. */
export function processes(parent: number): number[] {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8');
  return [parent, ...children.split(' ').filter(Boolean).map(Number)];
}

/** Resident memory in MiB. */
export function residentMiB(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1024;
}

const agent = new Agent({ keepAlive: true });

/** Milliseconds of one request over a kept connection; autocannon counts in whole ones. @throws Error if it is not 200 */
export function latency({ url, headers = {} }: Omit<Target, 'pids'>): Promise<number> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      response.resume().on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) {
          resolve(performance.now() - start);
        } else {
          reject(new Error(`${url} answered ${response.statusCode ?? ''} during a bench`));
        }
      });
    }).on('error', reject);
  });
}
