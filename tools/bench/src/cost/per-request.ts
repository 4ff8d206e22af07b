import autocannon from 'autocannon';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Target } from '../measure.ts';
import { end } from '../service.ts';
import { between, threadTimes, type ThreadTimes } from './thread-times.ts';

export const seconds = 3;
export const connections = 50;

export interface Process {
  readonly pid: number;
}

/** An empty NestJS on Fastify in a process of its own, which answers these bytes. */
export async function emptyNest(
  body: string,
): Promise<Target & Process & { stop: () => Promise<void> }> {
  const child = fork(fileURLToPath(new URL('nest-server.ts', import.meta.url)));
  child.send(body);
  const [url] = (await once(child, 'message')) as [string];
  return { url: `${url}/`, pid: child.pid ?? 0, stop: () => end(child) };
}

/**
 * Microseconds of processor time for a request, by thread.
 *
 * @param headersOfEach of one request alone, beside the target's
 */
export async function perRequest(
  { url, headers, pid }: Target & Process,
  headersOfEach?: () => Readonly<Record<string, string>>,
): Promise<ThreadTimes> {
  const before = threadTimes(pid);
  const result = await autocannon({
    url,
    headers: { ...headers },
    connections,
    duration: seconds,
    ...(headersOfEach !== undefined && {
      requests: [
        {
          setupRequest: (request) => ({
            ...request,
            headers: { ...request.headers, ...headersOfEach() },
          }),
        },
      ],
    }),
  });
  const used = between(before, threadTimes(pid));
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx + result.errors} requests of a bench failed`);
  }
  return new Map([...used].map(([name, ns]) => [name, ns / 1000 / result.requests.total]));
}
