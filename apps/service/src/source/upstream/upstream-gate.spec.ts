import { describe, expect, it } from '@jest/globals';
import { AxiosTransport } from '@caregate/api-client/axios';
import { HttpService } from '@nestjs/axios';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ProblemError } from '../../problem/problem-error.ts';
import { upstreamHttp } from './upstream-http.ts';
import { UpstreamSource } from './upstream-source.ts';
import { FaultyUpstream, KEY, result, upstreamOf, USER_ID } from './upstream.testing.ts';

async function downAndSource(timeoutMs: number): Promise<{ port: number; source: UpstreamSource }> {
  const upstream = await FaultyUpstream.start();
  const { url } = upstream;
  await upstream.stop();
  const settings = [...upstreamOf('', url, KEY).values()][0]!;
  const transport = new AxiosTransport(new HttpService().axiosRef);
  return {
    port: Number(new URL(url).port),
    source: new UpstreamSource(settings, { transport, timeoutMs }),
  };
}
const statusOf = (read: Promise<unknown>): Promise<number> =>
  read.then(
    () => 200,
    (error: unknown) => (error as ProblemError).status,
  );

describe('while an upstream restarts', () => {
  it('reads wait for it, none fails, and each is sent once', async () => {
    const { port, source } = await downAndSource(8000);
    const reads = Array.from({ length: 200 }, () => statusOf(source.labOrderResult('', USER_ID)));
    await delay(700);
    const upstream = await FaultyUpstream.start(port);
    upstream.says(200, JSON.stringify(result));
    expect(new Set(await Promise.all(reads))).toEqual(new Set([200]));
    expect(upstream.requests).toHaveLength(200);
    expect(source.degraded()).toBe(false);
    await upstream.stop();
  });

  it('a read whose caller goes does not wait', async () => {
    const { source } = await downAndSource(8000);
    const controller = new AbortController();
    const call = { requestId: 'r', signal: controller.signal };
    const read = statusOf(source.labOrderResult('', USER_ID, call));
    await delay(100);
    const began = performance.now();
    controller.abort();
    expect(await read).toBe(504);
    expect(performance.now() - began).toBeLessThan(1000);
  });

  it('what stays down fails at once after its time, and is read again when it is back', async () => {
    const { port, source } = await downAndSource(400);
    await statusOf(source.labOrderResult('', USER_ID));
    await delay(100);
    const began = performance.now();
    expect(await statusOf(source.labOrderResult('', USER_ID))).toBe(502);
    expect(performance.now() - began).toBeLessThan(350);
    const upstream = await FaultyUpstream.start(port);
    upstream.says(200, JSON.stringify(result));
    expect(await statusOf(source.labOrderResult('', USER_ID))).toBe(200);
    await upstream.stop();
  });
});

describe('a kept connection that the upstream has closed', () => {
  const body = JSON.stringify(result);
  const answer = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

  /** An upstream that does with a request what is said, by how many came over its connection before. */
  async function listening(onRequest: (socket: Socket, before: number) => void) {
    const counts = { requests: 0 };
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      let before = 0;
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('data', () => {
        counts.requests += 1;
        onRequest(socket, before);
        before += 1;
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const settings = [...upstreamOf('', `http://127.0.0.1:${port}`, KEY).values()][0]!;
    const http = new HttpService();
    Object.assign(http.axiosRef.defaults, upstreamHttp());
    const transport = new AxiosTransport(http.axiosRef);
    const stop = async (): Promise<void> => {
      sockets.forEach((socket) => socket.destroy());
      server.close();
      await once(server, 'close');
    };
    return { source: new UpstreamSource(settings, { transport, timeoutMs: 8000 }), counts, stop };
  }

  it('is no failure of the upstream: the read is tried again over another', async () => {
    let restarts = false;
    const { source, counts, stop } = await listening((socket, before) => {
      if (restarts && before > 0) socket.resetAndDestroy();
      else socket.write(answer);
      restarts &&= counts.requests < 60;
    });
    // Of the thirty connections twenty-four are kept, and all of those end at once.
    for (let round = 0; round < 2; round += 1) {
      const reads = Array.from({ length: 30 }, () => statusOf(source.labOrderResult('', USER_ID)));
      expect(new Set(await Promise.all(reads))).toEqual(new Set([200]));
      restarts = true;
    }
    await stop();
    // Each that ended was tried again, out of the budget.
    expect(counts.requests).toBeGreaterThanOrEqual(30 + 30 + 24);
    expect(counts.requests).toBeLessThanOrEqual(30 + 30 + 30);
    expect(source.degraded()).toBe(false);
  });
});
