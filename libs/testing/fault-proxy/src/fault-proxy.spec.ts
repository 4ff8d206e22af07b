import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { gunzipSync } from 'node:zlib';
import { invertedBits } from './raw-response.ts';
import type { Fault } from './fault.ts';
import { FaultProxy } from './fault-proxy.ts';
import { CERTIFICATE, CERTIFICATE_KEY } from './localhost-certificate.ts';

const BODY = '{"a":"right"}';
let upstream: Server;
let to: string;
let proxy: FaultProxy;

beforeAll(async () => {
  upstream = createServer((request, response) => {
    response.setHeader('x-path', request.url ?? '');
    response.end(BODY);
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  to = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
});
afterAll(() => {
  upstream.closeAllConnections();
  upstream.close();
});
afterEach(() => proxy.stop());

const REQUEST = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`;

interface Heard {
  readonly text: string;
  readonly ended: 'whole' | 'end' | 'close' | 'reset';
}

/** Sends this and listens until `isWhole`, or until the other side ends it. */
function hear(socket: Socket, sent: string, isWhole: (text: string) => boolean): Promise<Heard> {
  let text = '';
  socket.setEncoding('latin1');
  return new Promise((resolve) => {
    const done = (ended: Heard['ended']): void => {
      resolve({ text, ended });
    };
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (isWhole(text)) done('whole');
    });
    socket.on('end', () => {
      done('end');
    });
    socket.on('close', () => {
      done('close');
    });
    socket.on('error', () => {
      done('reset');
    });
    socket.write(sent);
  });
}

async function through(
  fault: Fault,
  isWhole = (text: string) => text.endsWith(BODY),
): Promise<Heard & { socket: Socket }> {
  proxy = await FaultProxy.start({ to });
  proxy.faultOf = () => fault;
  const { port } = new URL(proxy.url);
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
  return { ...(await hear(socket, REQUEST('/one'), isWhole)), socket };
}

describe('a request through the proxy', () => {
  it('without a fault has the upstream’s answer on a connection that stays, and is counted', async () => {
    const { text, ended, socket } = await through({ kind: 'none' });
    expect(ended).toBe('whole');
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/u);
    expect(text).toContain('connection: keep-alive');
    const next = await hear(socket, REQUEST('/two'), (more) => more.endsWith(BODY));
    expect(next.text).toContain('x-path: /two');
    expect(proxy.requests.map(({ path }) => path)).toEqual(['/one', '/two']);
    expect(proxy.connections).toBe(1);
  });

  it('answers requests sent at once one after the other', async () => {
    proxy = await FaultProxy.start({ to });
    proxy.faultOf = (path) => ({ kind: 'latency', ms: path === '/a' ? 50 : 0 });
    const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1');
    const sent = REQUEST('/a') + REQUEST('/b');
    const { text } = await hear(socket, sent, (all) => all.split(BODY).length === 3);
    expect(text.indexOf('x-path: /a')).toBeLessThan(text.indexOf('x-path: /b'));
  });

  it('is cut off in three ways', async () => {
    const cut = async (kind: 'reset' | 'half-closed' | 'truncated') => {
      const heard = await through({ kind, bytes: 20 });
      const { writable } = heard.socket;
      heard.socket.destroy();
      if (kind !== 'truncated') await proxy.stop();
      return { ...heard, writable };
    };
    expect((await cut('reset')).ended).toBe('reset');
    const half = await cut('half-closed');
    expect([half.text.length, half.ended, half.writable]).toEqual([20, 'end', true]);
    const truncated = await cut('truncated');
    expect([truncated.text.length, truncated.ended]).toEqual([20, 'end']);
  });

  it('is garbage, all of it or the body', async () => {
    const turned = invertedBits(Buffer.from(BODY)).toString('latin1');
    const isWhole = (text: string): boolean => text.endsWith(turned);
    expect((await through({ kind: 'garbage', part: 'body' }, isWhole)).text).toMatch(/^HTTP/u);
    await proxy.stop();
    expect((await through({ kind: 'garbage', part: 'all' }, isWhole)).text).not.toMatch(/HTTP/u);
  });

  it.each([10, -10])('has a content-length wrong by %d', async (by) => {
    const { text } = await through({ kind: 'content-length', by });
    expect(text).toContain(`content-length: ${BODY.length + by}\r\n`);
    expect(text.endsWith(BODY)).toBe(true);
  });

  it('unpacks to as much as was said', async () => {
    const bytes = 1024 * 1024;
    const length = (text: string): number => Number(/content-length: (\d+)/u.exec(text)?.[1]);
    const bodyIn = (text: string): string => text.split('\r\n\r\n')[1] ?? '';
    const { text } = await through(
      { kind: 'gzip-bomb', bytes },
      (all) => bodyIn(all).length === length(all),
    );
    expect(text).toContain('content-encoding: gzip');
    const packed = Buffer.from(bodyIn(text), 'latin1');
    expect(packed.length).toBeLessThan(bytes / 100);
    const body = gunzipSync(packed).toString();
    expect([body.length, body.trim()]).toEqual([bytes, BODY]);
  });

  it('gets 429 without the upstream', async () => {
    const fault = { kind: 'too-many', retryAfterSeconds: 7 } as const;
    const { text } = await through(fault, (all) => all.endsWith('}'));
    expect(text).toMatch(/^HTTP\/1\.1 429 /u);
    expect(text).toContain('retry-after: 7\r\n');
    expect(text).not.toContain('x-path');
  });

  it.each([0, 30])('comes twice, the second %d ms later', async (ms) => {
    const { text } = await through({ kind: 'doubled', ms }, (all) => all.split(BODY).length === 3);
    expect(text.match(/HTTP\/1\.1 200/gu)).toHaveLength(2);
  });
});

describe('with TLS', () => {
  it('is the same, each connection for itself', async () => {
    proxy = await FaultProxy.start({ to, tls: { cert: CERTIFICATE, key: CERTIFICATE_KEY } });
    const ask = async (path: string): Promise<Heard> => {
      const port = Number(new URL(proxy.url).port);
      const socket = connectTls({
        host: '127.0.0.1',
        port,
        ca: CERTIFICATE,
        servername: 'localhost',
      });
      return hear(socket, REQUEST(path), (text) => text.endsWith(BODY));
    };
    const heard = await Promise.all([ask('/a'), ask('/b')]);
    expect(heard.map(({ text }) => /x-path: (\S+)/u.exec(text)?.[1])).toEqual(['/a', '/b']);
    proxy.faultOf = () => ({ kind: 'reset', bytes: 0 });
    expect((await ask('/c')).text).toBe('');
  });
});
