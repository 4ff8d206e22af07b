import { describe, expect, it } from '@jest/globals';
import { UpstreamHttp } from './upstream-http.ts';
import { FaultyUpstream } from '@caregate/data-store/testing';

async function ask(http: UpstreamHttp, url: string): Promise<number> {
  const { signal } = new AbortController();
  const { status } = await http.request({
    ...{ method: 'GET', url, headers: {}, signal },
    maxBodyBytes: 1000,
  });
  return status;
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
});
