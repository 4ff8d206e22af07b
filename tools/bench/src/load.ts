import autocannon from 'autocannon';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { median } from './measure.ts';

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
  const failed = result.non2xx + result.errors;
  if (failed > 0) throw new Error(`${failed} requests of a bench to ${url} failed`);
}

/** Microseconds of processor time of an answer, of all threads of the target's processes. */
export async function measureProcessorTime(
  target: Target,
  connections: number,
  amount: number,
): Promise<number> {
  const before = new Map(target.pids().map((pid) => [pid, readUsedNanoseconds(pid)]));
  await send(target, connections, amount);
  const used = target.pids().map((pid) => readUsedNanoseconds(pid) - (before.get(pid) ?? 0));
  return used.reduce((sum, one) => sum + one, 0) / 1000 / amount;
}

function readUsedNanoseconds(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'))
      .reduce((sum, text) => sum + Number(text.split(' ', 1)[0]), 0);
  } catch (error) {
    // A worker of PostgreSQL, such as autovacuum's, may have ended.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

/** The median of calls one after the other, in milliseconds. */
export async function measureMedianTime(
  call: () => Promise<unknown>,
  count = 200,
): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const start = performance.now();
    await call();
    times.push(performance.now() - start);
  }
  return median(times);
}

const agent = new Agent({ keepAlive: true });

/** One request over a kept connection; autocannon measures whole milliseconds. @throws Error if it is not 200 */
export function request({ url, headers = {} }: Omit<Target, 'pids'>): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, ({ statusCode }) => {
      if (statusCode !== 200) reject(new Error(`${url} answered ${statusCode ?? ''}`));
    })
      .on('response', (response) => response.resume().on('end', resolve).on('error', reject))
      .on('error', reject);
  });
}
