import { readdirSync, readFileSync } from 'node:fs';

/** Processor time by thread of a process, in nanoseconds: names as the kernel has them, the main thread as `main`. */
export type ThreadTimes = ReadonlyMap<string, number>;

/** Reads what each thread of a process has used since it began (Linux alone). */
export function threadTimes(pid: number): ThreadTimes {
  const times = new Map<string, number>();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const folder = `/proc/${pid}/task/${thread}`;
    const name = Number(thread) === pid ? 'main' : readFileSync(`${folder}/comm`, 'utf8').trimEnd();
    const ns = Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ', 1)[0]);
    times.set(name, (times.get(name) ?? 0) + ns);
  }
  return times;
}

/** What was used between two readings. */
export function between(before: ThreadTimes, after: ThreadTimes): ThreadTimes {
  return new Map([...after].map(([name, ns]) => [name, ns - (before.get(name) ?? 0)]));
}

export function total(times: ThreadTimes): number {
  return [...times.values()].reduce((sum, ns) => sum + ns, 0);
}

/** V8's own threads compile and collect. */
const v8Threads = 'V8Worker';
const longestWarmUp = 10;

/**
 * Loads a server until V8 has compiled what it will: its threads then take less than a twentieth of the main one's time.
 * Before that, in the first 20,000 answers or more, an answer costs up to twice as much.
 */
export async function warmUp(load: () => Promise<ThreadTimes>): Promise<void> {
  for (let round = 0; round < longestWarmUp; round += 1) {
    const used = await load();
    if ((used.get(v8Threads) ?? 0) < (used.get('main') ?? 0) / 20) {
      return;
    }
  }
}
