import { describe, expect, it } from '@jest/globals';
import { personas, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { once } from 'node:events';
import { connect } from 'node:net';
import { testService, startSpecService } from '../testing/service.testing.ts';

const service = await startSpecService(sampleEnvelopes({ users: 9 }));
const key = await service.key(sampleTeamId);

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const paths = [
  '/v2/user',
  '/v2/user/',
  `/v2/user/resolve/${personas.amara.clientUserId}`,
  `/v2/user/${personas.amara.userId}/insurance/latest`,
  `/v3/order/${personas.amara.orderIds[0]!}/result`,
  `/v2/timeseries/${personas.amara.userId}/mindfulness_minutes/grouped?start_date=2024-01-01`,
];

interface RawAnswer {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

async function raw(...parts: (string | Buffer)[]): Promise<RawAnswer> {
  const socket = connect(service.port, '127.0.0.1');
  const chunks: Buffer[] = [];
  const closed = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      resolve();
    });
  });
  for (const part of parts) {
    if (!socket.destroyed) {
      socket.write(part);
    }
  }
  await closed;
  const text = Buffer.concat(chunks).toString('utf8');
  const [headers = '', ...body] = text.split('\r\n\r\n');
  return { status: Number(headers.slice(9, 12)), headers, body: body.join('\r\n\r\n') };
}

function expectRawProblem(answer: RawAnswer, status: number, type: string): void {
  expect({ ...answer, body: '' }).toMatchObject({ status });
  expect(answer.headers.toLowerCase()).toContain('content-type: application/problem+json');
  expect(answer.headers.toLowerCase()).toContain('cache-control: no-store');
  expect(JSON.parse(answer.body)).toMatchObject({ status, type: `/problems/${type}` });
  const { request_id } = JSON.parse(answer.body) as { request_id: string };
  expect(request_id).toMatch(uuid);
  expect(answer.headers.toLowerCase()).toContain(`x-request-id: ${request_id}`);
}

describe('every answer', () => {
  it('carries a request id of its own, never the one that was sent', async () => {
    for (const path of ['/v2/user/', '/healthz', '/nowhere', '/%zz', '/v2/user/?limit=x']) {
      const { headers } = await service.get(path, key, {
        'x-request-id': 'mine',
        'request-id': 'm',
      });
      expect(headers['x-request-id']).toMatch(uuid);
    }
  });

  it('is not to be stored, sniffed or framed', async () => {
    for (const path of ['/v2/user/', '/nowhere', '/v2/user/?limit=x', '/docs']) {
      const { headers } = await service.get(path, key);
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
      });
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect(headers['x-powered-by']).toBeUndefined();
    }
  });
});

describe('a path or method that leads nowhere', () => {
  it.each([
    '/v2',
    '/.',
    '/problems/nobody',
    '/problems/__proto__',
    '/v2/users',
    '/V2/user',
    '/v2//user',
    '//v2/user',
    '/v2/user/resolve/a/b',
    `/v2/user/${personas.amara.userId}/insurance/latest/`,
    '/v3/order/../../v2/user',
  ])('is not found: GET %s', async (path) => {
    expect((await service.get(path, key)).json()).toMatchObject({
      type: '/problems/not-found',
      status: 404,
    });
  });

  it.each(['HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY'])(
    'is not allowed on a known path: %s',
    async (method) => {
      for (const path of paths) {
        const answer = await service.request(method, path, { 'x-service-api-key': key });
        expect(answer.status).toBe(405);
        expect(answer.headers.allow).toBe('GET');
        expect(answer.headers['content-type']).toContain('application/problem+json');
        expect(answer.body === '').toBe(method === 'HEAD');
      }
    },
  );
});

describe('a malformed request', () => {
  it.each(['/v2/user/resolve/%', '/v2/user/resolve/%zz', '/v2/user/resolve/%c3%28', '/%'])(
    'is refused for its path: %s',
    async (path) => {
      expect((await service.get(path, key)).json()).toMatchObject({
        type: '/problems/malformed-request',
        status: 400,
        errors: [{ parameter: 'path', reason: 'must be valid percent-encoded UTF-8' }],
      });
    },
  );

  it.each(['/v2/user/?limit=%', '/v2/user/?%zz=1', '/v2/user/?limit=%ff'])(
    'is refused for its query: %s',
    async (path) => {
      expect((await service.get(path, key)).json()).toMatchObject({
        status: 400,
        errors: [{ parameter: 'query' }],
      });
    },
  );

  it.each(paths)('is refused for a body: %s', async (path) => {
    for (const [header, body] of [
      ['content-length: 2', '{}'],
      ['transfer-encoding: chunked', '0\r\n\r\n'],
    ]) {
      const answer = await raw(
        `GET ${path} HTTP/1.1\r\nhost: x\r\nx-service-api-key: ${key}\r\n${header!}\r\n\r\n${body!}`,
      );
      expectRawProblem(answer, 400, 'malformed-request');
      expect(JSON.parse(answer.body)).toMatchObject({ errors: [{ parameter: 'body' }] });
    }
  });

  it.each([
    ['no host', 'GET /v2/user/ HTTP/1.1\r\nconnection: close\r\n\r\n'],
    ['two hosts', 'GET /v2/user/ HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n'],
    ['no HTTP at all', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
    ['an unknown method', 'BREW /v2/user/ HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['an unknown version', 'GET /v2/user/ HTTP/9.9\r\nhost: x\r\n\r\n'],
    ['no path', 'GET * HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'],
    ['a fragment', 'GET /v2/user#x HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'],
    ['bare line feeds', 'GET /v2/user HTTP/1.1\nhost: x\n\n'],
  ])('is refused as a problem document: %s', async (_what, text) => {
    expectRawProblem(await raw(Buffer.from(text, 'latin1')), 400, 'malformed-request');
  });

  it.each([
    ['content-length with transfer-encoding', 'content-length: 4\r\ntransfer-encoding: chunked'],
    ['transfer-encoding with content-length', 'transfer-encoding: chunked\r\ncontent-length: 4'],
    ['two lengths', 'content-length: 4\r\ncontent-length: 5'],
    ['a header folded over two lines', 'x-note: one\r\n two'],
    ['a space before the colon', 'x-note : one'],
    ['a NUL in a header', 'x-note: o\0ne'],
  ])('is not read as a second request: %s', async (_what, lines) => {
    const head = `GET /v2/user HTTP/1.1\r\nhost: x\r\nx-service-api-key: ${key}\r\n${lines}\r\n\r\n`;
    const answer = await raw(`${head}0\r\n\r\nGET /healthz HTTP/1.1\r\nhost: x\r\n\r\n`);
    expectRawProblem(answer, 400, 'malformed-request');
    expect(answer.body).not.toContain('HTTP/1.1');
  });

  it('is refused for two keys, even the same', async () => {
    for (const second of [key, 'other']) {
      const keys = `x-service-api-key: ${key}\r\nX-Service-Api-Key: ${second}`;
      const head = `GET /v2/user HTTP/1.1\r\nhost: x\r\n${keys}\r\nconnection: close\r\n\r\n`;
      expectRawProblem(await raw(head), 400, 'malformed-request');
    }
  });
});

describe('a whole address instead of a path', () => {
  it('is answered as its path', async () => {
    const answer = await raw(
      `GET http://x/v2/user/resolve/${personas.amara.clientUserId} HTTP/1.1\r\nhost: x\r\nx-service-api-key: ${key}\r\nconnection: close\r\n\r\n`,
    );
    expect(answer.status).toBe(200);
    const beginning = await raw('GET http://x HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    expect(beginning.status).toBe(200);
    const nowhere = await raw('GET http://x/y HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    expectRawProblem(nowhere, 404, 'not-found');
  });
});

describe('a request over a limit', () => {
  it('is 414 for a path parameter of more than 1024 characters', async () => {
    const most = await service.get(`/v2/user/resolve/${'%2F'.repeat(1024)}`, key);
    expect(most.json()).toMatchObject({ type: '/problems/not-found', status: 404 });
    const over = await service.get(`/v2/user/resolve/${'a'.repeat(1025)}`, key);
    expect(over.json()).toMatchObject({ type: '/problems/uri-too-long', status: 414 });
  });

  it('is 414 for a long address', async () => {
    const answer = await raw(`GET /v2/user/?x=${'a'.repeat(17_000)} HTTP/1.1\r\nhost: x\r\n\r\n`);
    expectRawProblem(answer, 414, 'uri-too-long');
  });

  it('is 431 once for large headers, and drops what follows', async () => {
    const answer = await raw(
      `GET / HTTP/1.1\r\nhost: x\r\n`,
      ...Array.from({ length: 200 }, () => `x-a: ${'a'.repeat(8000)}\r\n`),
    );
    expectRawProblem(answer, 431, 'headers-too-large');
  });
});

describe('a slow sender', () => {
  it('gets 408 in the end, however regularly it sends, and others are served meanwhile', async () => {
    const strict = await testService([], { limits: { headersMs: 2000 } });
    const own = await strict.key(sampleTeamId);
    const slow = connect(strict.port, '127.0.0.1');
    let answer = '';
    slow.setEncoding('utf8').on('data', (part: string) => (answer += part));
    slow.on('error', () => undefined);
    const bytes = setInterval(() => slow.write('x'), 100);
    slow.write('GET /v2/user/ HTTP/1.1\r\nhost: x\r\nx-slow: ');
    const closed = once(slow, 'close');
    expect((await strict.get('/v2/user/', own)).status).toBe(200);
    await closed;
    clearInterval(bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 408 [^]*"type":"\/problems\/request-timeout"/u);
    await strict.close();
  });
});
