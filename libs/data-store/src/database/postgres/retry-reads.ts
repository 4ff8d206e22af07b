import { setTimeout as sleep } from 'node:timers/promises';
import { isTransient } from './postgres-errors.ts';

/** Delays before the retries of a read: a connection may be broken, or a failover in progress. */
const retryDelaysMs = [0, 100, 400, 1000];
/** No retries after this time: with an unresponsive host, every attempt takes its full timeout. */
const retryLimitMs = 3000;

/** A read whose connection is broken is retried on another one, which is safe since reads are idempotent. */
export async function withRetries<T>(read: () => Promise<T>): Promise<T> {
  const until = performance.now() + retryLimitMs;
  for (const pause of retryDelaysMs) {
    try {
      return await read();
    } catch (error) {
      if (!isTransient(error) || performance.now() > until) {
        throw error;
      }
      await sleep(pause);
    }
  }
  return await read();
}
