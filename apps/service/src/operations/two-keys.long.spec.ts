import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sampleTeamId as teamId } from '@caregate/sample-data';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { DEAREST, openClinic, type Clinic, type Dearest } from './dearest-requests.testing.ts';
import { readConfig } from '../config/read-config.ts';

const { rateLimitPerKey, concurrencyPerKey } = readConfig({ CAREGATE_DATA: '.' });

/** Requests per second of the first key: as many as its rate limit allows, and more than the service can serve. */
const PER_SECOND = 100;
/** Number of requests of the other key, for the median. */
const SAMPLES = 50;
const MOST_TIMES = 5;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

// The senders run in threads, so that they wait neither for each other nor for the service.
const SENDER = `
  const { parentPort, workerData: { port, sent, perSecond } } = require('node:worker_threads');
  const { Agent, request } = require('node:http');
  const agent = new Agent({ keepAlive: true, maxSockets: 100 });
  setInterval(() => {
    request({ port, host: '127.0.0.1', agent, ...sent })
      .on('response', (answer) => answer.resume())
      .on('error', () => undefined)
      .end(sent.body);
  }, 1000 / perSecond);
  parentPort.postMessage('sending');
`;
const READER = `
  const { parentPort, workerData: { port, sent, samples } } = require('node:worker_threads');
  const { Agent, request } = require('node:http');
  const { setTimeout: pause } = require('node:timers/promises');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = () => new Promise((resolve, reject) => {
    const began = performance.now();
    request({ port, host: '127.0.0.1', agent, ...sent })
      .on('response', (answer) => answer.resume().on('end', () => resolve(performance.now() - began)))
      .on('error', reject)
      .end();
  });
  void (async () => {
    const took = [];
    for (let count = 0; count < samples; count += 1) {
      took.push(await ask());
      await pause(10);
    }
    parentPort.postMessage(took.sort((one, other) => one - other)[Math.floor(samples / 2)]);
  })();
`;

describe('while one key sends the dearest requests as fast as its limit lets it', () => {
  let clinic: Clinic;
  let reads: Sent;
  beforeAll(async () => {
    clinic = await openClinic({ rateLimitPerKey, concurrencyPerKey });
    reads = {
      method: 'GET',
      path: '/v2/user?limit=1',
      headers: { 'x-service-api-key': await clinic.service.key(teamId) },
    };
  });
  afterAll(async () => {
    await clinic.service.close();
  });

  /** Returns the median response time of the other key in milliseconds. */
  async function median(): Promise<number> {
    const { port } = clinic.service;
    const workerData = { port, sent: reads, samples: SAMPLES };
    const reader = new Worker(READER, { eval: true, workerData });
    const [ms] = (await once(reader, 'message')) as [number];
    await reader.terminate();
    return ms;
  }

  it.each(
    Object.entries(DEAREST).flatMap(([name, all]) =>
      all.map((ask, at) => [name, at, ask] as const),
    ),
  )('another is answered within five times its quiet time: %s %i', async (_name, _at, ask) => {
    const sent = buildRequest(clinic, ask);
    const workerData = { port: clinic.service.port, sent, perSecond: PER_SECOND };
    const times: number[] = [];
    // Takes the best of three, since other processes may slow down one measurement.
    while (times.length < 3 && !times.some((one) => one < MOST_TIMES)) {
      const quiet = await median();
      const sender = new Worker(SENDER, { eval: true, workerData });
      await once(sender, 'message');
      times.push((await median()) / quiet);
      await sender.terminate();
    }
    expect([times, times.some((one) => one < MOST_TIMES)]).toEqual([times, true]);
  });
});

function buildRequest(clinic: Clinic, { role, path, body }: Dearest): Sent {
  const headers = { 'x-service-api-key': clinic.keys[role] };
  return body === undefined
    ? { method: 'GET', path, headers }
    : {
        ...{ method: 'POST', path, body: JSON.stringify(body(clinic)) },
        headers: { ...headers, 'content-type': 'application/json' },
      };
}
