import { describe, expect, it } from '@jest/globals';
import { HttpService } from '@nestjs/axios';
import axios from 'axios';
import type { Socket } from 'node:net';
import { allowOnly, UpstreamHttp } from './upstream-http.ts';
import { FaultyUpstream } from './upstream.testing.ts';

describe('the axios instance of upstreams', () => {
  it('reaches the listed addresses and nothing else, whatever it is asked', async () => {
    const listed = await FaultyUpstream.start();
    const other = await FaultyUpstream.start();
    const { axiosRef } = new HttpService();
    Object.assign(axiosRef.defaults, new UpstreamHttp());
    allowOnly([`${listed.url}/prefix`], axiosRef);
    listed.says(200, '{}');
    other.says(200, '{}');
    const reached = async (url: string): Promise<unknown> =>
      axiosRef.request({ url }).then(
        ({ status }) => status,
        () => 'refused',
      );
    expect(await reached(`${listed.url}/prefix/v2/user/`)).toBe(200);
    expect(await reached(`${listed.url}/v2/user/`)).toBe('refused');
    expect(await reached(`${listed.url}/prefixed/`)).toBe('refused');
    expect(await reached(`${other.url}/prefix/`)).toBe('refused');
    expect(await reached(`${listed.url}@${new URL(other.url).host}/prefix/`)).toBe('refused');
    listed.says(302, '', { location: `${other.url}/` });
    expect(await reached(`${listed.url}/prefix/`)).toBe('refused');
    expect(listed.requests).toHaveLength(2);
    expect(other.requests).toHaveLength(0);
    await Promise.all([listed.stop(), other.stop()]);
  });

  it.each([
    // Node's server adds how long where nothing is said of the connection.
    ['that does not say how long it keeps a connection', { connection: 'keep-alive' }, 30_000],
    ['that says how long: a second less', { 'keep-alive': 'timeout=5' }, 4000],
    ['that keeps it for longer', { 'keep-alive': 'timeout=65' }, 30_000],
  ])('keeps a silent connection to an upstream %s', async (_, headers, ms) => {
    const upstream = await FaultyUpstream.start();
    const pool = new UpstreamHttp();
    upstream.says(200, '{}', headers);
    const kept = new Promise<Socket>((resolve) => pool.httpAgent.once('free', resolve));
    await axios.create(pool).request({ url: upstream.url });
    expect((await kept).timeout).toBe(ms);
    expect(Object.values(pool.httpAgent.freeSockets).flat()).toHaveLength(1);
    pool.httpAgent.destroy();
    await upstream.stop();
  });
});
