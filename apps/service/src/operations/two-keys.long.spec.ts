import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sampleTeamId as teamId } from '@caregate/sample-data';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setImmediate as immediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Answer, TestService } from '../testing/service.testing.ts';
import {
  DEAREST,
  msOfThread,
  openClinic,
  type Clinic,
  type Dearest,
} from './dearest-requests.testing.ts';
import { MetricsToken } from '../observe/metrics-token.ts';
import type { RouteName } from './operations.ts';

/** How often the one sends: as often as the limit of a key lets it. */
const PER_SECOND = 100;
/** What costs 5 to 20 ms each is sent as often as this until a key has a budget of the thread's time (issue 33). */
const PER_SECOND_DEAR = 10;
const DEAR: readonly RouteName[] = [
  ...(['orderHistory', 'listOrders', 'listAuditEvents', 'listAuditAlarms'] as const),
  ...(['exportAuditEvents', 'listDisclosures', 'recordDeskEvent', 'auditLogState'] as const),
];
/** How often the other is answered, for a median. */
const SAMPLES = 50;
const MOST_TIMES = 5;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

// In a thread of its own, so that the loop of the service does nothing for it but answer.
const SENDER = `
  const { parentPort, workerData: { port, sent } } = require('node:worker_threads');
  const { Agent, request } = require('node:http');
  const agent = new Agent({ keepAlive: true, maxSockets: 100 });
  parentPort.on('message', () => {
    request({ port, host: '127.0.0.1', agent, ...sent })
      .on('response', (answer) => answer.resume())
      .on('error', () => undefined)
      .end(sent.body);
  });
  parentPort.postMessage('ready');
`;

describe('while one key sends the dearest requests as fast as its limit lets it', () => {
  let clinic: Clinic;
  let reads: Sent;
  beforeAll(async () => {
    clinic = await openClinic();
    reads = {
      method: 'GET',
      path: '/v2/user?limit=1',
      headers: { 'x-service-api-key': await clinic.service.key(teamId) },
    };
  });
  afterAll(async () => {
    await clinic.service.close();
  });

  /**
   * The median of another key, while `send` is called so often a second. The clock is the processor time of the thread
   * that the service runs in, which never rests here: what else the machine does is in neither.
   */
  async function median(send: () => void, perSecond: number): Promise<number> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const took: number[] = [];
    let [sendAt, askAt] = [msOfThread(), msOfThread()];
    let asked: number | undefined;
    let failed: unknown;
    while (took.length < SAMPLES && failed === undefined) {
      const now = msOfThread();
      for (; sendAt <= now; sendAt += 1000 / perSecond) send();
      if (asked === undefined && askAt <= now) {
        const began = now;
        asked = began;
        request({ port: clinic.service.port, host: '127.0.0.1', agent, ...reads })
          .on('response', (answer) =>
            answer.resume().on('end', () => {
              askAt = msOfThread() + 10;
              took.push(msOfThread() - began);
              asked = undefined;
            }),
          )
          .on('error', (error) => (failed = error))
          .end();
      }
      await immediate();
    }
    agent.destroy();
    expect(failed).toBeUndefined();
    return took.toSorted((one, other) => one - other)[SAMPLES / 2] ?? NaN;
  }

  it.each(
    Object.entries(DEAREST).flatMap(([name, all]) =>
      all.map((ask, at) => [name, at, ask] as const),
    ),
  )('another is answered within five times its quiet time: %s %i', async (name, _at, ask) => {
    const sent = requestOf(clinic, ask);
    if (sent === undefined) {
      return;
    }
    const perSecond = DEAR.includes(name as RouteName) ? PER_SECOND_DEAR : PER_SECOND;
    const quiet = await median(() => undefined, perSecond);
    const workerData = { port: clinic.service.port, sent };
    const sender = new Worker(SENDER, { eval: true, workerData });
    await once(sender, 'message');
    const busy = await median(() => {
      sender.postMessage('send');
    }, perSecond);
    await sender.terminate();
    expect([quiet, busy, busy < MOST_TIMES * quiet]).toEqual([quiet, busy, true]);
  });
});

/** What is sent; undefined for a request of a person, whose proof is good once. */
function requestOf(clinic: Clinic, ask: Dearest): Sent | undefined {
  let sent: Sent | undefined;
  const keep = (
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: object,
  ): Promise<Answer> => {
    const content = body && JSON.stringify(body);
    const of = content === undefined ? {} : { 'content-type': 'application/json' };
    sent = { method, path, headers: { ...headers, ...of }, ...(content && { body: content }) };
    return Promise.resolve({ status: 0, headers: {}, body: '', json: () => undefined });
  };
  const service: TestService = {
    ...clinic.service,
    get: (path, key, headers = {}) =>
      keep('GET', path, key === undefined ? headers : { 'x-service-api-key': key, ...headers }),
    request: keep,
    metrics: () => {
      const { text } = clinic.service.app.get(MetricsToken, { strict: false });
      return keep('GET', '/metrics', { authorization: `Bearer ${text}` });
    },
    post: (path, key, body) => keep('POST', path, { 'x-service-api-key': key }, body),
  };
  void ask({ ...clinic, service }, 0);
  return sent;
}
