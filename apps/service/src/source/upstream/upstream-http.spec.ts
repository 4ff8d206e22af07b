import { describe, expect, it } from '@jest/globals';
import { HttpService } from '@nestjs/axios';
import { allowOnly, upstreamHttp } from './upstream-http.ts';
import { FaultyUpstream } from './upstream.testing.ts';

describe('the axios instance of upstreams', () => {
  it('reaches the listed addresses and nothing else, whatever it is asked', async () => {
    const listed = await FaultyUpstream.start();
    const other = await FaultyUpstream.start();
    const { axiosRef } = new HttpService();
    Object.assign(axiosRef.defaults, upstreamHttp());
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
});
