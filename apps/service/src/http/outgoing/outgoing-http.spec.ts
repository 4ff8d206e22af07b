import { afterEach, expect, it, jest } from '@jest/globals';
import type { TransportRequest } from '@caregate/api-client';
import { FaultyUpstream } from '@caregate/data-store/testing';
import { OutgoingHttp } from './outgoing-http.ts';

const http = new OutgoingHttp({ keepAlive: false });
afterEach(() => {
  jest.restoreAllMocks();
});

it('what the service sends arrives with its own headers, past a proxy of the environment, and follows no redirect', async () => {
  const server = await FaultyUpstream.start();
  server.says(307, 'elsewhere', { location: `${server.url}/elsewhere`, 'x-several': 'a' });
  const [http_proxy, all_proxy] = ['http://127.0.0.1:1', 'http://127.0.0.1:1'];
  jest.replaceProperty(process, 'env', { ...process.env, http_proxy, all_proxy });
  const request: TransportRequest = {
    method: 'POST',
    url: `${server.url}/a%2Fb?c=%20d`,
    body: '{"é":1}',
    headers: { 'x-service-api-key': 'k' },
    signal: new AbortController().signal,
    maxBodyBytes: 9,
  };
  const answer = await http.request(request);
  expect([answer.status, answer.body]).toEqual([307, 'elsewhere']);
  expect(answer.headers).toMatchObject({ location: `${server.url}/elsewhere`, 'x-several': 'a' });
  expect(server.requests).toHaveLength(1);
  const [{ method, url, headers } = {}] = server.requests;
  expect([method, url]).toEqual(['POST', '/a%2Fb?c=%20d']);
  expect(Object.keys(headers ?? {}).toSorted()).toEqual(
    ['accept-encoding', 'connection', 'content-length', 'host', 'x-service-api-key'].toSorted(),
  );
  await expect(http.request({ ...request, maxBodyBytes: 8 })).rejects.toThrow('too-large');
  await server.stop();
  await expect(http.request(request)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});
