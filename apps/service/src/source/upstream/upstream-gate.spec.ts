import { describe, expect, it } from '@jest/globals';
import { AxiosTransport } from '@caregate/api-client/axios';
import { HttpService } from '@nestjs/axios';
import { setTimeout as delay } from 'node:timers/promises';
import { ProblemError } from '../../problem/problem-error.ts';
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
