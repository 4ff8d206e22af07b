import { beforeEach, describe, expect, it } from '@jest/globals';
import { all, createClient, USER_ID } from '../../testing/setup.ts';
import { listMethods } from '../../testing/methods.ts';
import { TestServer } from '../../testing/test-server.ts';
import type { CallOptions } from '../call.ts';
import type { HealthDataClientOptions } from '../connect.ts';
import { HealthDataError } from './health-data-error.ts';

const june = { startDate: '2025-06-01' };

const server = await TestServer.forSpec();
beforeEach(() => {
  server.json({}, 404);
});

/** A function of the program that calls the client. */
async function openPatient(call: () => Promise<unknown>): Promise<unknown> {
  return await call();
}

async function getFailure(call: () => Promise<unknown>): Promise<HealthDataError> {
  const error = await openPatient(call).catch((failure: unknown) => failure);
  if (error instanceof HealthDataError) return error;
  throw new Error('expected a failure', { cause: error });
}

function expectCaller(error: HealthDataError, name: string): void {
  expect(error.name).toBe(name);
  const [head, ...frames] = (error.stack ?? '').split('\n');
  expect(head).toBe(`${name}: ${error.message}`);
  expect(frames.filter((frame) => !frame.startsWith('    at '))).toEqual([]);
  expect(frames.filter((frame) => frame.includes('openPatient ('))).toHaveLength(1);
}

describe('the stack of an error leads to where the call is awaited', () => {
  it('of every method', async () => {
    const client = createClient(server);
    for (const [, method] of listMethods(client)) {
      expectCaller(await getFailure(() => method(client)), 'NotFoundError');
    }
  });

  const silent = (): void => {
    server.answer = () => undefined;
  };
  it.each<[string, () => void, string, Partial<HealthDataClientOptions>, (() => CallOptions)?]>([
    [
      'no answer, after retries',
      () => (server.answer = (_, response) => response.destroy()),
      'NetworkError',
      { retries: { attempts: 3, baseMs: 1, capMs: 1 } },
    ],
    ['out of time', silent, 'TimeoutError', {}, () => ({ timeoutMs: 20 })],
    ['an attempt out of time', silent, 'TimeoutError', { attemptTimeoutMs: 20 }],
    ['aborted before', silent, 'AbortError', {}, () => ({ signal: AbortSignal.abort() })],
    ['aborted on the way', silent, 'AbortError', {}, () => ({ signal: AbortSignal.timeout(20) })],
    [
      'an answer that is not JSON',
      () => {
        server.text('<p>', 200, { 'content-type': 'text/html' });
      },
      'InvalidResponseError',
      {},
    ],
    ['an invalid option', silent, 'InvalidArgumentError', {}, () => ({ timeoutMs: -1 })],
  ])('with any cause: %s', async (_name, arrange, expected, options, call = () => ({})) => {
    arrange();
    const { users } = createClient(server, options);
    expectCaller(await getFailure(() => users.resolve('x', call())), expected);
  });
});

it('the stack of what an iterator finds itself leads there, too', async () => {
  server.json({ groups: {}, next_cursor: 'same' });
  const { mindfulnessMinutes: minutes } = createClient(server).timeseries;
  const error = await getFailure(() => all(minutes.points(USER_ID, june)));
  expect(error.message).toContain('repeats an earlier cursor');
  expectCaller(error, 'InvalidResponseError');
});
