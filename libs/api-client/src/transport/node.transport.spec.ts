import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CertificateAuthority, type Issued } from '@caregate/certificates';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { brotliCompressSync, deflateSync } from 'node:zlib';
import { startProxy } from '../../testing/proxy-server.ts';
import type { ProxyServer } from '../../testing/proxy-server.ts';
import { createClient, getFailure } from '../../testing/setup.ts';
import { TestServer, until } from '../../testing/test-server.ts';
import { InvalidArgumentError, NetworkError } from '../errors/call-errors.ts';
import type { RetryOptions } from '../resilience/retries.ts';
import { NodeTransport } from './node.transport.ts';
import type { NodeTransportOptions } from './node.transport.ts';

const USER = { user_id: 'u1' };
let authority: CertificateAuthority;
let certificate: Issued;
let server: TestServer;
let secure: Server;
let secureUrl: string;
let proxy: ProxyServer;
const transports: NodeTransport[] = [];

beforeAll(async () => {
  authority = await CertificateAuthority.create();
  certificate = await authority.issue({ names: ['localhost'] });
});
beforeEach(async () => {
  server = await TestServer.start();
  server.json(USER);
  secure = createServer(certificate, (_, response) => {
    response.end(JSON.stringify(USER));
  });
  await new Promise<void>((resolve) => secure.listen(0, 'localhost', resolve));
  secureUrl = `https://localhost:${(secure.address() as AddressInfo).port}`;
  proxy = await startProxy();
});
afterEach(async () => {
  for (const transport of transports.splice(0)) transport.close();
  await proxy.stop();
  await server.stop();
  secure.closeAllConnections();
  await new Promise((resolve) => secure.close(resolve));
});

function usersOver(
  options: NodeTransportOptions,
  baseUrl = server.url,
  retries: false | RetryOptions = false,
): ReturnType<typeof createClient>['users'] {
  const transport = new NodeTransport(options);
  transports.push(transport);
  return createClient(server, { baseUrl, transport, retries, timeoutMs: 600_000 }).users;
}

/** Collects the client ports of requests. Each connection has its own. */
function countConnections(): Set<number | undefined> {
  const ports = new Set<number | undefined>();
  server.answer = (request, response) => {
    ports.add(request.socket.remotePort);
    setTimeout(() => response.end(JSON.stringify(USER)), 10);
  };
  return ports;
}

describe('the pool of NodeTransport', () => {
  it('sends one request after the other over one connection', async () => {
    const ports = countConnections();
    const users = usersOver({});
    for (let i = 0; i < 5; i += 1) await users.resolve('x');
    expect(ports.size).toBe(1);
  });

  it('goes on over a new connection where a kept one was closed, though others are kept', async () => {
    const seen = new Set<number | undefined>();
    const wereKept: boolean[] = [];
    const first: ServerResponse[] = [];
    server.answer = ({ socket }, response) => {
      const isKept = seen.has(socket.remotePort);
      seen.add(socket.remotePort);
      wereKept.push(isKept);
      if (isKept) socket.resetAndDestroy();
      else if (first.push(response) > 3) response.end(JSON.stringify(USER));
      // Three requests at the same time, each on its own connection.
      else if (first.length === 3) for (const each of first) each.end(JSON.stringify(USER));
    };
    const users = usersOver({}, server.url, { baseMs: 1 });
    await Promise.all([1, 2, 3].map(() => users.resolve('x')));
    await users.resolve('x');
    expect(wereKept).toEqual([false, false, false, true, false]);
  });

  it('says of a failure whether the connection was a kept one, and nothing of what was sent', async () => {
    server.answer = (_, response) => response.destroy();
    const transport = new NodeTransport();
    transports.push(transport);
    const failure: unknown = await transport
      .request({
        ...{ method: 'GET', url: server.url, maxBodyBytes: 1000 },
        headers: { 'x-service-api-key': 'cg_live_sesame' },
        signal: new AbortController().signal,
      })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'ECONNRESET', request: { reusedSocket: false } });
    expect(inspect(failure, { depth: null, showHidden: true })).not.toContain('sesame');
  });

  it('closes a connection that idles too long', async () => {
    const users = usersOver({ idleMs: 30 });
    let closed = false;
    server.answer = (request, response) => {
      request.socket.once('end', () => (closed = true));
      response.end(JSON.stringify(USER));
    };
    await users.resolve('x');
    // The client ended the connection: a timeout of the server would not send an end.
    await until(() => closed);
  });
});

describe('bodies over NodeTransport', () => {
  it.each([
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ] as const)('are read from %s', async (encoding, compress) => {
    server.text(compress(JSON.stringify(USER)), 200, { 'content-encoding': encoding });
    expect(await usersOver({}).resolve('x')).toEqual(USER);
  });

  it('that are not what their encoding says, or end too early, are a failure of the network', async () => {
    const compressed = deflateSync(JSON.stringify({ ...USER, more: 'x'.repeat(2000) }));
    for (const body of [Buffer.from('{"user_id":"u1"}'), compressed.subarray(0, 12)]) {
      server.text(body, 200, { 'content-encoding': 'deflate' });
      expect(await getFailure(usersOver({}).resolve('x'))).toBeInstanceOf(NetworkError);
    }
  });
});

describe('certificates', () => {
  it('are refused when nobody vouches for them, without a retry', async () => {
    const error = await getFailure(usersOver({}, secureUrl).resolve('x'));
    expect(error).toMatchObject({ name: 'NetworkError', code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
  });

  it('are trusted when given, for their own name alone', async () => {
    expect(await usersOver({ ca: authority.pem }, secureUrl).resolve('x')).toEqual(USER);
    const other = secureUrl.replace('localhost', '127.0.0.1');
    const error = await getFailure(usersOver({ ca: [authority.pem] }, other).resolve('x'));
    // Either no server listens on ::1, or its certificate doesn't match. No response is accepted.
    expect(['ERR_TLS_CERT_ALTNAME_INVALID', 'ECONNREFUSED']).toContain(
      (error as NetworkError).code,
    );
  });
});

describe('a proxy', () => {
  it('is asked for a tunnel to an https server, and the certificate is the server’s own', async () => {
    const users = usersOver({ proxy: proxy.url, ca: authority.pem }, secureUrl);
    for (let i = 0; i < 3; i += 1) expect(await users.resolve('x')).toEqual(USER);
    expect(proxy.requests).toEqual([`CONNECT ${secureUrl.slice('https://'.length)}`]);
    const untrusting = usersOver({ proxy: proxy.url }, secureUrl);
    expect(await getFailure(untrusting.resolve('x'))).toMatchObject({
      code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    });
  });

  it('is asked for an http server by the whole URL', async () => {
    const users = usersOver({ proxy: proxy.url });
    expect(await users.resolve('x')).toEqual(USER);
    expect(proxy.requests).toEqual([`GET ${server.url}/v2/user/resolve/x`]);
  });

  it('gets the user name and password of its URL', async () => {
    const url = proxy.url.replace('//', '//clinic:s%40same@');
    await usersOver({ proxy: url, ca: authority.pem }, secureUrl).resolve('x');
    await usersOver({ proxy: url }).resolve('x');
    const expected = `Basic ${Buffer.from('clinic:s@same').toString('base64')}`;
    expect(proxy.authorizations).toEqual([expected, expected]);
  });

  it.each([
    [407, 'ERR_PROXY_AUTHORIZATION'],
    [403, 'ERR_PROXY'],
  ])('that answers %i is a failure with a code', async (status, code) => {
    proxy.status = status;
    const error = await getFailure(usersOver({ proxy: proxy.url }, secureUrl).resolve('x'));
    expect(error).toMatchObject({ name: 'NetworkError', code });
  });

  it.each(['proxy.example:3128', 'socks5://sesame@proxy.example', ''])(
    'of %p is refused and not repeated',
    (url) => {
      const make = (): NodeTransport => new NodeTransport({ proxy: url });
      expect(make).toThrow(InvalidArgumentError);
      expect(make).not.toThrow(/sesame/);
    },
  );

  it('shows its password in no inspection', () => {
    const transport = new NodeTransport({ proxy: 'http://clinic:sesame@proxy.example' });
    transports.push(transport);
    expect(inspect(transport, { depth: null, showHidden: true })).not.toContain('sesame');
  });
});
