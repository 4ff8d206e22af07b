import { describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { FakeClock } from '../../testing/fake-clock.ts';
import { API_KEY, TRANSPORTS, USER_ID, createClient, getFailure } from '../../testing/setup.ts';
import { TestServer, until } from '../../testing/test-server.ts';
import {
  AbortError,
  InvalidResponseError,
  NetworkError,
  TimeoutError,
} from '../errors/call-errors.ts';

const ROUTE = 'GET /v3/order/{order_id}/result';

const server = await TestServer.forSpec();

describe.each(TRANSPORTS)('%s', (name, transport) => {
  const client = createClient(server, { transport: transport(), maxBodyBytes: 100_000 });

  /** Sends the status and half of the body, and then nothing. */
  function stallInBody(status = 200): void {
    server.answer = (_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.write('{"metadata":');
    };
  }

  it('sends method, address, headers and body, and returns status, headers and body', async () => {
    let sent = '';
    server.answer = (request, response) => {
      sent = `${request.method} ${request.url} ${String(request.headers['x-service-api-key'])} `;
      request.on('data', (chunk: Buffer) => (sent += chunk.toString()));
      request.on('end', () => {
        response.writeHead(422, { 'x-request-id': 'r-1' }).end('{"title":"Ungültig"}');
      });
    };
    const error = await getFailure(client.people.search('Ökonkwo'));
    expect(sent).toBe(`POST /desk/people/search ${API_KEY} {"text":"Ökonkwo"}`);
    expect(error).toMatchObject({ status: 422, title: 'Ungültig', requestId: 'r-1' });
    server.json({ orders: [], total: 0, page: 1, size: 1 });
    await client.orders.list({ patientName: 'Söhne & Co' });
    expect(server.targets.at(-1)).toBe('/v3/orders?patient_name=S%C3%B6hne%20%26%20Co');
  });

  it('is tried again after a cut connection, before the answer and in its body', async () => {
    const failures = [
      (response: ServerResponse) => response.destroy(),
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-length': '500' }).write('{"user_id":');
        setTimeout(() => response.destroy(), 10);
      },
    ];
    server.answer = (_, response) => {
      const fail = failures.shift();
      if (fail === undefined) response.end('{"user_id":"u1"}');
      else fail(response);
    };
    const retries = { baseMs: 1, capMs: 2 };
    const { users } = createClient(server, { transport: transport(), retries });
    expect(await users.resolve('patient-17')).toEqual({ user_id: 'u1' });
    expect(server.targets).toHaveLength(3);
  });

  it('times out when no answer comes', async () => {
    server.answer = () => undefined;
    const error = await getFailure(client.orders.result(USER_ID, { timeoutMs: 50 }));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ timeoutMs: 50, route: ROUTE });
  });

  it('times out when the body stalls, and lets the connection go', async () => {
    stallInBody();
    const clock = new FakeClock();
    const { orders } = createClient(server, { transport: transport(), clock });
    const call = getFailure(orders.result(USER_ID, { timeoutMs: 100 }));
    await until(() => server.targets.length === 1);
    // Gives the half time to arrive. The outcome is the same if it doesn't.
    await new Promise((resolve) => setTimeout(resolve, 30));
    await clock.advance(100);
    const error = await call;
    expect(error).toBeInstanceOf(TimeoutError);
    await until(() => server.dropped === 1);
    expect(server.dropped).toBe(1);
  });

  it('gives up in the middle of the body when the caller aborts, with the reason as cause', async () => {
    stallInBody();
    const controller = new AbortController();
    const call = client.orders.result(USER_ID, { signal: controller.signal });
    await until(() => server.targets.length === 1);
    setTimeout(() => {
      controller.abort('the window was closed');
    }, 30);
    const error = await getFailure(call);
    expect(error).toBeInstanceOf(AbortError);
    expect(error.cause).toBe('the window was closed');
    await until(() => server.dropped === 1);
    expect(server.dropped).toBe(1);
  });

  it('tells HTML with status 200 from an answer and keeps the status', async () => {
    server.text('<!doctype html><p>Please log in', 200, {
      'content-type': 'text/html; charset=utf-8',
      'x-request-id': 'r-9',
    });
    const error = await getFailure(client.orders.result(USER_ID));
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error).toMatchObject({
      status: 200,
      requestId: 'r-9',
      message: `${ROUTE}: responded with text/html instead of JSON`,
    });
  });

  it.each([
    ['nothing', '', 200],
    ['half a document', '{"metadata":{', 200],
    ['an array', '[]', 200],
    ['null', 'null', 200],
    ['an object without results', '{"metadata":{}}', 200],
    ['nothing, with 204', '', 204],
  ])('refuses a body of %s', async (_name, body, status) => {
    server.text(body, status, { 'content-type': 'application/json' });
    const error = await getFailure(client.orders.result(USER_ID));
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error).toMatchObject({ status });
  });

  it('refuses a body that is not UTF-8 instead of guessing at names', async () => {
    server.text(Buffer.from('{"metadata":{"patient":"Jos\xe9"},"results":[]}', 'latin1'), 200, {
      'content-type': 'application/json',
    });
    const error = await getFailure(client.orders.result(USER_ID));
    expect(error).toMatchObject({ message: `${ROUTE}: response is not valid UTF-8`, status: 200 });
  });

  it('stops reading a body that never ends', async () => {
    server.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '.repeat(20_000)), 1);
      response.on('close', () => {
        clearInterval(timer);
      });
    };
    const error = await getFailure(client.orders.result(USER_ID));
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error.message).toBe(`${ROUTE}: response is too large`);
    // axios's fetch adapter keeps the connection of a refused body, and ignores the signal.
    if (name === 'AxiosTransport on fetch') return;
    await until(() => server.dropped === 1);
    expect(server.dropped).toBe(1);
  });

  it('counts the body after decompression', async () => {
    const bomb = gzipSync(Buffer.from(`{"metadata":{},"results":[]${' '.repeat(1_000_000)}}`));
    expect(bomb.length).toBeLessThan(100_000);
    server.text(bomb, 200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    const error = await getFailure(client.orders.result(USER_ID));
    expect(error.message).toBe(`${ROUTE}: response is too large`);
  });

  it.each([302, 308])('does not follow a redirect of %i with the key', async (status) => {
    server.answer = (request, response) => {
      if (request.url?.startsWith('/v3/') === true) {
        response.writeHead(status, { location: '/elsewhere' }).end();
      } else {
        response.writeHead(200).end('{"metadata":{},"results":[]}');
      }
    };
    const error = await getFailure(client.orders.result(USER_ID));
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(server.targets).toHaveLength(1);
  });

  it('says that the network failed, with its code, when nobody listens', async () => {
    const gone = await TestServer.start();
    const url = gone.url;
    await gone.stop();
    const call = createClient(server, { baseUrl: url, transport: transport() }).orders.result(
      USER_ID,
    );
    const error = await getFailure(call);
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('never lets the key or the id into an error', async () => {
    const answers: (() => void)[] = [
      () => {
        server.answer = (_, response) => response.destroy();
      },
      () => {
        stallInBody();
      },
      () => {
        server.answer = (request, response) => {
          const echo = JSON.stringify({ detail: request.headers, title: API_KEY, type: API_KEY });
          response.writeHead(500, { 'x-request-id': API_KEY, 'x-echo': API_KEY }).end(echo);
        };
      },
    ];
    const { inspect } = await import('node:util');
    for (const set of answers) {
      set();
      const error = await getFailure(client.orders.result(USER_ID, { timeoutMs: 100 }));
      const shown = [
        inspect(error, { depth: null, showHidden: true }),
        JSON.stringify(error),
        String(error),
        error.stack,
      ].join();
      expect(shown).not.toContain(API_KEY);
      expect(shown).not.toContain(USER_ID);
    }
  });
});
