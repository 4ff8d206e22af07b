import { afterEach, describe, expect, it } from '@jest/globals';
import type { Transport } from '@caregate/api-client';
import { NodeTransport } from '@caregate/api-client/node';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { SourceError } from '../source-error.ts';
import { UpstreamGate } from './upstream-gate.ts';
import { UPSTREAM_CONNECTIONS, UpstreamSource } from './upstream-source.ts';
import { FaultyUpstream, KEY, result, upstreamOf, USER_ID } from './faulty-upstream.testing.ts';

/** No read here takes that long, on any machine. */
const LONG_MS = 600_000;

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

/** Tells how often connections were refused. */
class Watched implements Transport {
  refused = 0;
  readonly #inner: Transport;
  #waiting: { readonly count: number; readonly go: () => void } | undefined;

  constructor() {
    this.#inner = new NodeTransport(UPSTREAM_CONNECTIONS);
  }

  request: Transport['request'] = (request) =>
    this.#inner.request(request).catch((error: unknown) => {
      this.refused += 1;
      if (this.refused === this.#waiting?.count) this.#waiting.go();
      throw error;
    });

  async untilRefused(count: number): Promise<void> {
    if (this.refused < count) {
      await new Promise<void>((go) => (this.#waiting = { count, go }));
    }
  }
}

/** An address that refuses connections, and a start of an upstream there. */
async function down(): Promise<{ url: string; start: () => Promise<FaultyUpstream> }> {
  const stopped = await FaultyUpstream.start();
  const { url } = stopped;
  await stopped.stop();
  const start = async (): Promise<FaultyUpstream> => {
    const upstream = await FaultyUpstream.start(Number(new URL(url).port));
    upstream.says(200, JSON.stringify(result));
    stops.push(() => upstream.stop());
    return upstream;
  };
  return { url, start };
}
function sourceAt(url: string, transport: Transport): UpstreamSource {
  const settings = [...upstreamOf('', url, KEY).values()][0]!;
  return new UpstreamSource(settings, { transport, timeoutMs: LONG_MS });
}
const outcomeOf = (read: Promise<unknown>): Promise<string> =>
  read.then(
    () => 'read',
    (error: unknown) => (error as SourceError).kind,
  );

describe('while an upstream restarts', () => {
  it('reads wait for it, none fails, and each is sent once', async () => {
    const { url, start } = await down();
    const transport = new Watched();
    const source = sourceAt(url, transport);
    const reads = Array.from({ length: 200 }, () =>
      outcomeOf(source.read('labOrderResult', USER_ID)),
    );
    await transport.untilRefused(200);
    const upstream = await start();
    expect(new Set(await Promise.all(reads))).toEqual(new Set(['read']));
    expect(upstream.requests).toHaveLength(200);
    expect(source.degraded()).toBe(false);
  });

  it('a read whose caller goes does not wait', async () => {
    const { url } = await down();
    const transport = new Watched();
    const controller = new AbortController();
    const call = { requestId: 'r', signal: controller.signal };
    const read = outcomeOf(sourceAt(url, transport).read('labOrderResult', USER_ID, call));
    await transport.untilRefused(1);
    controller.abort();
    // Only its caller can have ended it: its own time is far away, and the upstream stays down.
    expect(await read).toBe('timeout');
  });

  it('what stays down fails at once after its time, and is read again when it is back', async () => {
    const { url, start } = await down();
    const transport = new Watched();
    const clock = { now: 0 };
    const gate = new UpstreamGate(transport, url, 400, () => clock.now);
    const { signal } = new AbortController();
    const read = (): ReturnType<Transport['request']> =>
      gate.request({ method: 'GET', url: `${url}/x`, headers: {}, signal, maxBodyBytes: 1000 });
    const patient = read();
    await transport.untilRefused(1);
    clock.now = 401;
    await expect(patient).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    // It did not knock again, but asked once: had it waited, the clock, which stands, would never have ended that.
    await expect(read()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(transport.refused).toBe(2);
    await start();
    expect((await read()).status).toBe(200);
    expect(transport.refused).toBe(2);
  });
});

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
