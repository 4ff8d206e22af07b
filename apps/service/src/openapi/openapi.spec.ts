import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testService, type TestService } from '../testing/service.testing.ts';

let service: TestService;

beforeAll(async () => {
  service = await testService([]);
});

afterAll(async () => {
  await service.close();
});

describe('what the service tells of itself', () => {
  it('begins at / with where to read on, by references that lead there from any address', async () => {
    const answer = await service.get('/');
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    const { name, version, ...references } = answer.json() as Record<string, string>;
    const { info } = (await service.get('/openapi.json')).json() as {
      info: { title: string; version: string };
    };
    expect([name, version]).toEqual([info.title, info.version]);
    expect(Object.keys(references)).toEqual(['documentation', 'openapi', 'health']);
    for (const reference of Object.values(references)) {
      const { pathname } = new URL(reference, 'http://service.example/');
      expect([reference, (await service.get(pathname)).status]).toEqual([reference, 200]);
      expect(new URL(reference, 'http://proxy.example/health/').pathname).toBe(
        `/health${pathname}`,
      );
    }
  });

  it('takes /docs/ for /docs', async () => {
    const answer = await service.get('/docs/');
    expect([answer.status, answer.headers.location]).toEqual([302, '../docs']);
  });
});
