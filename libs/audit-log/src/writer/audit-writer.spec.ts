import { afterEach, expect, it, jest } from '@jest/globals';
import { startWriter } from './audit-writer.ts';
import type { BackendEvents } from './log-backend.ts';

afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

it('a log that stays closed says why: at once, at each other reason, and each minute', async () => {
  jest.useFakeTimers({ doNotFake: ['performance'] });
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const said: string[] = [];
  let backend: BackendEvents | undefined;
  const log = startWriter(
    (events) => {
      backend = events;
      return { mostRequests: 1, ask: () => undefined };
    },
    { onStateChange: (state, message) => said.push(`${now / 1000} ${state}: ${message}`) },
  );
  const opened = { kind: 'opened', logId: 'a', verifierKey: 'k' } as const;
  backend?.reply(opened);
  await log;
  /** It tries for these seconds, and each try fails so. */
  const fails = (message: string, seconds: number): void => {
    for (const until = now + seconds * 1000; now < until; now += 1000) {
      backend?.reply({ kind: 'failed', message });
      backend?.ended(undefined);
      jest.advanceTimersByTime(1000);
    }
  };
  fails('connect ECONNREFUSED', 70);
  fails('timeout expired', 5);
  fails('connect ECONNREFUSED', 130);
  backend?.reply(opened);
  fails('connect ECONNREFUSED', 1);
  expect(said).toEqual([
    '0 latched: The audit log stopped: connect ECONNREFUSED',
    '60 latched: The audit log is still closed: connect ECONNREFUSED',
    '70 latched: The audit log is still closed: timeout expired',
    '75 latched: The audit log is still closed: connect ECONNREFUSED',
    '135 latched: The audit log is still closed: connect ECONNREFUSED',
    '195 latched: The audit log is still closed: connect ECONNREFUSED',
    '205 open: The audit log accepts records again',
    '205 latched: The audit log stopped: connect ECONNREFUSED',
  ]);
});
