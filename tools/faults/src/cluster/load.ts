import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Question, turn } from './questions.ts';

/** One try waits this long, a question as a whole that long; then the next instance is sent, or nobody. */
const tryMs = 2000;
const giveUpMs = 5000;
const mostWaiting = 300;

export interface Acknowledged {
  /** Id of its record, as the answer said; undefined where it said none. */
  readonly record: string | undefined;
  readonly requestId: string;
  readonly status: number;
}

export interface Load {
  readonly acknowledged: Acknowledged[];
  /** When a right answer came, by performance.now(). */
  readonly successes: number[];
  /** Answers with another status, other bytes, or another team's people; what they were. */
  readonly wrong: string[];
  /** Tries that failed, by how: `503`, `cut`, `late`. */
  readonly failedTries: Map<string, number>;
  /** Questions that no instance answered in time, and those that were not asked since too many wait. */
  givenUp: number;
  stop(): Promise<void>;
}

/** Asks `perSecond` questions a second, each of the next instance in turn, and of the others where that fails. */
export function startLoad(
  baseUrls: readonly string[],
  questions: readonly Question[],
  perSecond: number,
): Load {
  const agents = baseUrls.map(() => new Agent({ keepAlive: true, maxSockets: 64 }));
  let [sent, isOn] = [0, true];
  const waiting = new Set<Promise<void>>();
  const load: Load = {
    acknowledged: [],
    successes: [],
    wrong: [],
    failedTries: new Map(),
    givenUp: 0,
    stop: async () => {
      isOn = false;
      clearInterval(timer);
      await Promise.all(waiting);
      agents.forEach((agent) => {
        agent.destroy();
      });
    },
  };
  const askOne = async (first: number): Promise<void> => {
    const question = turn(questions, first);
    const deadline = performance.now() + giveUpMs;
    for (let at = first; performance.now() < deadline && isOn; at += 1) {
      const outcome = await tryOne(
        turn(agents, at),
        `${turn(baseUrls, at)}${question.path}`,
        question.key,
      );
      if (typeof outcome !== 'string' && outcome.status < 500) {
        take(load, question, outcome);
        return;
      }
      const how = typeof outcome === 'string' ? outcome : String(outcome.status);
      load.failedTries.set(how, (load.failedTries.get(how) ?? 0) + 1);
      // Once all have been sent, a moment, so that a service in need is not asked more than in good times.
      if (at - first >= baseUrls.length - 1) {
        await sleep(500);
      }
    }
    load.givenUp += isOn ? 1 : 0;
  };
  const began = performance.now();
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - began) / 1000) * perSecond);
    for (; sent < due; sent += 1) {
      if (waiting.size >= mostWaiting) {
        load.givenUp += 1;
        continue;
      }
      const one = askOne(sent);
      waiting.add(one);
      void one.finally(() => waiting.delete(one));
    }
  }, 5);
  return load;
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly record: string | undefined;
  readonly requestId: string;
}

function take(load: Load, question: Question, answer: Answer): void {
  const { status, record, requestId } = answer;
  load.acknowledged.push({ record, requestId, status });
  const isRight =
    status === question.status && (question.body === undefined || question.body === answer.body);
  if (isRight) {
    load.successes.push(performance.now());
  } else {
    load.wrong.push(
      `${question.path}: ${status} instead of ${question.status}: ${answer.body.slice(0, 300)}`,
    );
  }
}

function tryOne(agent: Agent, url: string, key: string): Promise<Answer | 'cut' | 'late'> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(tryMs);
    const failed = (): void => {
      resolve(signal.aborted ? 'late' : 'cut');
    };
    const asking = request(
      url,
      { agent, signal, headers: { 'x-service-api-key': key } },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', failed);
        answer.on('end', () => {
          const header = (name: string): string | undefined =>
            answer.headers[name] as string | undefined;
          resolve({
            status: answer.statusCode ?? 0,
            body: Buffer.concat(chunks).toString(),
            record: header('x-audit-record-id'),
            requestId: header('x-request-id') ?? '',
          });
        });
      },
    );
    asking.on('error', failed);
    asking.end();
  });
}

/** Milliseconds. Only pauses longer than any of good times count: 250 ms at a steady load. */
export function timeWithout(successes: readonly number[], from: number, to: number): number {
  const within = successes.filter((at) => at > from && at < to);
  const starts = [from, ...within];
  return [...within, to]
    .map((at, index) => at - turn(starts, index))
    .filter((pause) => pause > 250)
    .reduce((sum, pause) => sum + pause, 0);
}
