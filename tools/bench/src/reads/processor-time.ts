import { readdirSync, readFileSync } from 'node:fs';
import { against, takeTurns, type Goal, type Row, type Target } from '../measure.ts';
import { keepBusy } from '../one-connection.ts';

export interface Measured extends Target {
  readonly pids: () => readonly number[];
  /** Headers that no two requests may share. */
  readonly fresh?: () => Readonly<Record<string, string>>;
}

/** Microseconds an answer. @throws Error if an answer is not 200 */
export async function perAnswer(
  target: Measured,
  connections: number,
  amount: number,
): Promise<number> {
  const before = used(target.pids());
  const whole = Math.ceil(amount);
  let left = whole;
  await busy(target, connections, () => left-- > 0);
  const after = used(target.pids());
  const ns = [...after].reduce((sum, [pid, time]) => sum + time - (before.get(pid) ?? 0), 0);
  return ns / 1000 / whole;
}

export async function besideBaseline(
  what: string,
  [target, baseline]: readonly [Measured, Measured],
  { turns, answers }: { readonly turns: number; readonly answers: number },
  goal?: Goal,
): Promise<Row> {
  const of = (one: Measured) => () => perAnswer(one, 10, answers / turns);
  return against(what, 'us', await takeTurns(turns, of(target), of(baseline)), goal);
}

export function busy(
  { url, headers, fresh }: Measured,
  connections: number,
  more: () => boolean,
): Promise<number> {
  const { pathname, search } = new URL(url);
  const path = pathname + search;
  return keepBusy([url], connections, (one) => one.request(path, fresh?.() ?? headers), more);
}

/** Nanoseconds of all threads, by process (Linux alone). */
function used(pids: readonly number[]): Map<number, number> {
  return new Map(pids.map((pid) => [pid, nanoseconds(pid)]));
}

function nanoseconds(pid: number): number {
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

export function family(parent: number): number[] {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8');
  return [parent, ...children.split(' ').filter(Boolean).map(Number)];
}
