import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testService, type TestService } from '../http/service.testing.ts';

let service: TestService;

beforeAll(async () => {
  service = await testService([]);
});

afterAll(async () => {
  await service.close();
});

interface Document {
  readonly paths: Record<string, Record<string, { security?: unknown[] }>>;
}

describe('what the service tells of itself', () => {
  it('is where the service answers: each path with its method, asking for a key where it says so', async () => {
    const { paths } = (await service.get('/openapi.json')).json() as Document;
    const expected: unknown[] = [];
    const seen: unknown[] = [];
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { security }] of Object.entries(methods)) {
        const answer = await service.request(
          method.toUpperCase(),
          path.replaceAll(/\{\w+\}/gu, 'x'),
        );
        expected.push([method, path, security === undefined ? 401 : 200]);
        seen.push([method, path, answer.status]);
      }
    }
    expect(seen).toEqual(expected);
  });

  it('takes /docs/ for /docs', async () => {
    const answer = await service.get('/docs/');
    expect([answer.status, answer.headers.location]).toEqual([302, '../docs']);
  });

  it('lets the page run nothing but its own files', async () => {
    const { headers } = await service.get('/docs');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).not.toContain('unsafe');
  });
});
