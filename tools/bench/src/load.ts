import { readdirSync, readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { median } from './measure.ts';

export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A target, and the processes that answer. */
export interface Server extends Target {
  readonly pids: () => readonly number[];
}

/** Sends requests to the targets in turns. @returns their times in milliseconds @throws Error on any status but 200 */
export async function send(
  targets: readonly Target[],
  connections: number,
  amount: number,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  let sent = 0;
  const sendInTurns = async (): Promise<void> => {
    while (sent < amount) {
      const target = targets[sent % targets.length] as Target;
      sent += 1;
      const start = performance.now();
      await request(target, agent);
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: connections }, sendInTurns));
  agent.destroy();
  return times;
}

/** Microseconds of processor time of an answer, of all threads of the server's processes. */
export async function measureProcessorTime(
  server: Server,
  connections: number,
  amount: number,
): Promise<number> {
  const before = new Map(server.pids().map((pid) => [pid, readUsedNanoseconds(pid)]));
  await send([server], connections, amount);
  const used = server.pids().map((pid) => readUsedNanoseconds(pid) - (before.get(pid) ?? 0));
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

/** The median of 200 requests one after the other, in milliseconds. */
export async function measureMedianTime(target: Target): Promise<number> {
  return median(await send([target], 1, 200));
}

export function request({ url, headers }: Target, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      const { statusCode = 0 } = response.resume().on('error', reject).on('end', resolve);
      if (statusCode !== 200) reject(new Error(`${url} answered ${statusCode}`));
    }).on('error', reject);
  });
}
