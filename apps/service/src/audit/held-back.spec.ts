import { beforeEach, describe, expect, it } from '@jest/globals';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import fc from '@caregate/seeded';
import { connect } from 'node:net';
import type { Limits } from '../config/limits.ts';
import { comparable, type TestService, startSpecService } from '../testing/service.testing.ts';
import { until } from '../testing/until.testing.ts';
import { type AuditReceipt, AuditUnavailableError } from '@caregate/audit-log';
import type { AuditEntry } from './audit-record.ts';

const envelopes = [...sampleEnvelopes({ users: 5 })];
const order = envelopes.find((envelope) => envelope.kind === 'lab_result')!;
const resultPath = `/v3/order/${order.order_id}/result`;

const receipt = { logId: '0123456789ab', seq: 7 };
/** Replaces the audit recorder in each test, to control when and how recording ends. */
let behave: (entry: AuditEntry) => Promise<AuditReceipt> = () => Promise.resolve(receipt);
const recorded: AuditEntry[] = [];
/** Makes the pending read of the source fail. */
let letFail: (() => void) | undefined;
let holds = false;

/** Request timeout of the second service. Only requests that a test delays exceed it. */
const LIMIT_MS = 2500;
const stored = (): Promise<AuditReceipt> => Promise.resolve(receipt);
const fails = (): Promise<AuditReceipt> =>
  Promise.reject(
    new AuditUnavailableError('The audit queue is full', {
      retryAfterSeconds: 3,
      isRefused: false,
    }),
  );

beforeEach(() => {
  recorded.length = 0;
  behave = stored;
  holds = false;
  letFail = undefined;
});

const serviceWith = (limits: Partial<Limits>): Promise<TestService> =>
  startSpecService(envelopes, {
    limits,
    audit: (log) => ({
      record: (entry) => {
        recorded.push(entry);
        return behave(entry);
      },
      close: () => log.close(),
    }),
    source: {
      findUserByClientId: async () => {
        if (holds) await new Promise<void>((resolve) => (letFail = resolve));
        throw new Error('broken');
      },
    },
  });

const service = await serviceWith({});
const hasty = await serviceWith({ requestMs: LIMIT_MS, headersMs: LIMIT_MS });
const key = await service.key(sampleTeamId);
const hastyKey = await hasty.key(sampleTeamId);

/** Sends a request over a plain socket, and collects the bytes of the response as they arrive. */
function listen(path: string): { text: () => string; closed: Promise<void>; drop: () => void } {
  const socket = connect(service.port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => undefined);
  socket.write(
    `GET ${path} HTTP/1.1\r\nhost: x\r\nx-service-api-key: ${key}\r\nconnection: close\r\n\r\n`,
  );
  return {
    text: () => Buffer.concat(chunks).toString(),
    closed: new Promise((resolve) =>
      socket.on('close', () => {
        resolve();
      }),
    ),
    drop: () => socket.destroy(),
  };
}

const outcomes = [
  { path: resultPath, status: 200 },
  { path: '/v2/user?limit=500', status: 200 },
  { path: '/audit/events', status: 403 },
  { path: '/v3/order/00000000-0000-4000-8000-000000000000/result', status: 404 },
  { path: '/v2/user?limit=x', status: 422 },
  { path: '/v2/user/resolve/x', status: 500 },
];

describe('an answer', () => {
  it.each(outcomes)(
    'sends no byte before its record is durable: $status $path',
    async ({ path, status }) => {
      let keep: (stored: AuditReceipt) => void = () => undefined;
      behave = () => new Promise((resolve) => (keep = resolve));
      const heard = listen(path);
      await until(() => recorded.length > 0);
      // Bytes that were sent before this later request would have arrived by now.
      expect((await service.get('/healthz')).status).toBe(200);
      expect(recorded).toHaveLength(1);
      expect(recorded[0]).toMatchObject({ http_status: status });
      expect(heard.text()).toBe('');
      keep(receipt);
      await heard.closed;
      expect(heard.text()).toMatch(new RegExp(`^HTTP/1.1 ${status} `, 'u'));
      expect(heard.text()).toMatch(/x-audit-record-id: [0-9a-f]{32}\r/u);
    },
  );

  it('is replaced by a 503 without any of its content if its record fails', async () => {
    let first: unknown;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...outcomes),
        fc.constantFrom<() => Promise<AuditReceipt>>(
          fails,
          () => Promise.reject(new Error(order.order_id)),
          () => {
            throw new Error(order.order_id);
          },
        ),
        async ({ path, status }, how) => {
          behave = how;
          const before = recorded.length;
          const answer = await service.get(path, key);
          expect(ofReads(before)).toEqual([expect.objectContaining({ http_status: status })]);
          expect(answer.status).toBe(503);
          expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
          if (how === fails) expect(answer.headers['retry-after']).toBe('3');
          expect(answer.json()).toMatchObject({ type: '/problems/unavailable', status: 503 });
          first ??= comparable(answer);
          expect(comparable(answer)).toEqual(first);
        },
      ),
      { numRuns: 12 },
    );
    expect(service.log.join('')).not.toContain(order.order_id);
  });

  it('that took too long is recorded as failed, and is never sent later; one whose record does is sent complete', async () => {
    holds = true;
    let keep: (stored: AuditReceipt) => void = () => undefined;
    behave = ({ operation }) =>
      operation === 'labOrderResult' ? new Promise((resolve) => (keep = resolve)) : stored();
    const slow = hasty.get(resultPath, hastyKey);
    await until(() => recorded.length > 0);
    const answer = await hasty.get('/v2/user/resolve/x', hastyKey);
    expect(answer.status).toBe(504);
    expect(recorded.slice(1)).toEqual([
      expect.objectContaining({
        decision: 'failed',
        reason_code: 'timeout',
        http_status: 504,
        patients: [],
      }),
    ]);
    letFail?.();
    // The timeout of the first request expired before that of the second.
    keep(receipt);
    const sent = await slow;
    expect([sent.status, sent.json()]).toEqual([200, order.result]);
    expect(sent.headers['content-type']).toBe('application/json; charset=utf-8');
    expect((await hasty.get('/healthz')).status).toBe(200);
    expect(recorded).toHaveLength(2);
  });

  it('without a principal waits for no record', async () => {
    behave = () => new Promise(() => undefined);
    for (const path of ['/healthz', '/readyz', '/openapi.json', '/docs']) {
      expect((await service.get(path)).status).toBe(200);
    }
    expect((await service.metrics()).status).toBe(200);
    for (const [path, status] of [
      [resultPath, 401],
      ['/nowhere', 404],
    ] as const) {
      const answer = await service.get(path);
      expect(answer.status).toBe(status);
      expect(answer.headers).not.toHaveProperty('x-audit-record-id');
    }
    expect(recorded).toEqual([]);
    behave = stored;
  });
});

/** Leaves out alarms, which a key with this many requests raises. */
const ofReads = (from: number): AuditEntry[] =>
  recorded.slice(from).filter(({ actor_type: type }) => type === 'key');
