import { afterEach, describe, expect, it } from '@jest/globals';
import type { Transport } from '@caregate/api-client';
import { NodeTransport } from '@caregate/api-client/node';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { SourceError } from '../source-error.ts';
import { UPSTREAM_CONNECTIONS, UpstreamSource } from './upstream-source.ts';
import { KEY, result, upstreamOf, USER_ID } from './faulty-upstream.testing.ts';

/** No read here takes that long, on any machine. */
const LONG_MS = 600_000;

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

function sourceAt(url: string, transport: Transport): UpstreamSource {
  const settings = [...upstreamOf('', url, KEY).values()][0]!;
  return new UpstreamSource(settings, { transport, timeoutMs: LONG_MS });
}
const outcomeOf = (read: Promise<unknown>): Promise<string> =>
  read.then(
    () => 'read',
    (error: unknown) => (error as SourceError).kind,
  );

describe('a kept connection that the upstream has closed', () => {
  const body = JSON.stringify(result);
  const answerTo = (request: string): string => {
    const [echo = ''] = /^x-client-request-id: .*$/imu.exec(request) ?? [];
    return `HTTP/1.1 200 OK\r\n${echo}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  };

  /** An upstream that does with a request what is said, by how many came over its connection before. */
  async function listening(onRequest: (socket: Socket, answer: string, before: number) => void) {
    const counts = { requests: 0 };
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      let before = 0;
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('data', (request) => {
        counts.requests += 1;
        onRequest(socket, answerTo(String(request)), before);
        before += 1;
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const transport = new NodeTransport(UPSTREAM_CONNECTIONS);
    stops.push(async () => {
      transport.close();
      sockets.forEach((socket) => socket.destroy());
      server.close();
      await once(server, 'close');
    });
    return { source: sourceAt(url, transport), counts };
  }

  it('fails no read where all that were kept have ended: the second request is over a new one', async () => {
    // As a firewall in between does that has forgotten them: each ends when something is sent, and never before.
    const { source, counts } = await listening((socket, answer, before) => {
      if (before > 0) socket.resetAndDestroy();
      else socket.write(answer);
    });
    const read = (): Promise<string> => outcomeOf(source.read('labOrderResult', USER_ID));
    await Promise.all(Array.from({ length: 24 }, read));
    for (let at = 0; at < 24; at += 1) {
      counts.requests = 0;
      expect(await read()).toBe('read');
      expect(counts.requests).toBe(2);
    }
    expect(source.degraded()).toBe(false);
  });
});
