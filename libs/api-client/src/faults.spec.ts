import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { NodeTransport } from './node.ts';
import { createClient } from '../testing/setup.ts';
import { TestServer } from '../testing/test-server.ts';
import type { Transport } from './transport/transport.ts';
import type { Handler } from '../testing/test-server.ts';
import { HealthDataError } from './errors/health-data-error.ts';
import { CircuitBreaker } from './resilience/circuit-breaker.ts';

/** Ways in which a server treats a request. Only `right` is a valid response. */
const FAULTS: Readonly<Record<string, Handler>> = {
  right: (request, response) => {
    response.end(JSON.stringify({ user_id: request.url?.split('/').at(-1) }));
  },
  reset: (_, response) => response.destroy(),
  silence: () => undefined,
  'half a body': (_, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"user_id":');
    setTimeout(() => response.destroy(), 1);
  },
  'a body that stalls': (_, response) => {
    response.writeHead(200);
    response.write('{"user_id":');
  },
  HTML: (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Log in');
  },
  redirect: (_, response) => {
    response.writeHead(302, { location: '/' }).end();
  },
  'storm of 429': (_, response) => {
    response.writeHead(429, { 'retry-after': '0' }).end();
  },
  'bad gateway': (_, response) => {
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>502');
  },
  'server error': (_, response) => {
    response.writeHead(500).end('{"detail":"x"}');
  },
};

let server: TestServer;
const transport = new NodeTransport();

beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(async () => {
  transport.close();
  await server.stop();
});

describe('any course of faults', () => {
  it('never gives a wrong answer, more requests than allowed, or anything but our errors', async () => {
    const fault = fc.constantFrom(...Object.keys(FAULTS));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fault, fc.constant('right')), { maxLength: 25 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 5 }),
        fc.boolean(),
        async (faults, attempts, budgetTokens, spared) => {
          let sent = 0;
          // Counted here, since the server may receive a request after its timeout.
          const counting: Transport = {
            request: (request) => {
              sent += 1;
              return transport.request(request);
            },
          };
          const course = [...faults];
          server.answer = (request, response) => {
            FAULTS[course.shift() ?? 'right']?.(request, response);
          };
          const client = createClient(server, {
            transport: counting,
            timeoutMs: 200,
            attemptTimeoutMs: 25,
            retries: { attempts, baseMs: 1, capMs: 2, budgetTokens, budgetRatio: 0.1 },
            circuitBreaker: spared ? new CircuitBreaker({ minimum: 3, openMs: 5 }) : undefined,
          });
          const calls = 8;
          let right = 0;
          for (let i = 0; i < calls; i += 1) {
            const before = sent;
            try {
              const user = await client.users.resolve(`patient-${i}`);
              expect(user.user_id).toBe(`patient-${i}`);
              right += 1;
            } catch (error) {
              expect(error).toBeInstanceOf(HealthDataError);
            }
            expect(sent - before).toBeLessThanOrEqual(attempts);
          }
          const allowed = calls + budgetTokens + 0.1 * right;
          expect(sent).toBeLessThanOrEqual(allowed + 1e-6);
        },
      ),
      { numRuns: 40 },
    );
  });
});
