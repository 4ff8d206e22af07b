import { describe, expect, it } from '@jest/globals';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import { UpstreamHttp } from './upstream-http.ts';
import { FaultyUpstream } from './upstream.testing.ts';

async function ask(http: UpstreamHttp, url: string): Promise<number> {
  const { signal } = new AbortController();
  const { status } = await http.request({
    ...{ method: 'GET', url, headers: {}, signal },
    maxBodyBytes: 1000,
  });
  return status;
}

/** The connection of the next request, as it is put aside for another one. */
function nextKept(): Promise<Socket> {
  const created = 'http.client.request.created';
  return new Promise((resolve) => {
    const onRequest = (message: unknown): void => {
      unsubscribe(created, onRequest);
      const { agent } = (
        message as { readonly request: ClientRequest & { agent: NodeJS.EventEmitter } }
      ).request;
      agent.once('free', resolve);
    };
    subscribe(created, onRequest);
  });
}

describe('the connections to upstreams', () => {
  it('reach the listed addresses and nothing else, whatever is asked', async () => {
    const listed = await FaultyUpstream.start();
    const other = await FaultyUpstream.start();
    const http = new UpstreamHttp([`${listed.url}/prefix`]);
    listed.says(200, '{}');
    other.says(200, '{}');
    const reached = (url: string): Promise<unknown> => ask(http, url).catch(() => 'refused');
    expect(await reached(`${listed.url}/prefix/v2/user/`)).toBe(200);
    expect(await reached(`${listed.url}/v2/user/`)).toBe('refused');
    expect(await reached(`${listed.url}/prefixed/`)).toBe('refused');
    expect(await reached(`${other.url}/prefix/`)).toBe('refused');
    expect(await reached(`${listed.url}@${new URL(other.url).host}/prefix/`)).toBe('refused');
    listed.says(302, '', { location: `${other.url}/` });
    expect(await reached(`${listed.url}/prefix/`)).toBe(302);
    expect(listed.requests).toHaveLength(2);
    expect(other.requests).toHaveLength(0);
    http.close();
    await Promise.all([listed.stop(), other.stop()]);
  });

  it.each([
    // Node's server adds how long where nothing is said of the connection.
    ['that does not say how long it keeps a connection', { connection: 'keep-alive' }, 30_000],
    ['that says how long: a second less', { 'keep-alive': 'timeout=5' }, 4000],
    ['that keeps it for longer', { 'keep-alive': 'timeout=65' }, 30_000],
  ])('keep a silent one to an upstream %s', async (_, headers, ms) => {
    const upstream = await FaultyUpstream.start();
    const http = new UpstreamHttp([upstream.url]);
    upstream.says(200, '{}', headers);
    const kept = nextKept();
    await ask(http, `${upstream.url}/`);
    expect((await kept).timeout).toBe(ms);
    http.close();
    await upstream.stop();
  });
});
