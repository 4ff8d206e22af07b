import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { all, clientOf, failureOf } from '../testing/setup.ts';
import { TestServer } from '../testing/test-server.ts';
import type { HealthDataClient } from './client.ts';
import { AbortError, InvalidArgumentError, InvalidResponseError } from './errors/call-errors.ts';

let server: TestServer;
let client: HealthDataClient;

beforeAll(async () => {
  server = await TestServer.start();
  client = clientOf(server);
});
afterAll(() => server.stop());
beforeEach(() => {
  server.targets.length = 0;
});

/** A server of so many users that gives at most `most` a page, whatever is asked. */
function serveUsers(total: number, most = 500): void {
  server.answer = (request, response) => {
    const query = new URL(request.url ?? '', server.url).searchParams;
    const offset = Number(query.get('offset') ?? 0);
    const limit = Math.min(Number(query.get('limit') ?? 100), most);
    const users = Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, i) => ({
      user_id: `u${offset + i}`,
    }));
    response.end(JSON.stringify({ users, total, offset, limit }));
  };
}

async function iterated(pageSize?: number): Promise<string[]> {
  return (await all(client.users.iterate({ pageSize }))).map((user) => user.user_id);
}

describe('users.iterate', () => {
  it('goes through three pages', async () => {
    serveUsers(5);
    expect(await iterated(2)).toEqual(['u0', 'u1', 'u2', 'u3', 'u4']);
    expect(server.targets).toEqual([
      '/v2/user/?offset=0&limit=2',
      '/v2/user/?offset=2&limit=2',
      '/v2/user/?offset=4&limit=2',
    ]);
  });

  it('gives each user once for any total and page size, in no more requests than needed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(60), fc.integer({ min: 1, max: 70 }), async (total, pageSize) => {
        server.targets.length = 0;
        serveUsers(total);
        expect(await iterated(pageSize)).toEqual(Array.from({ length: total }, (_, i) => `u${i}`));
        expect(server.targets).toHaveLength(Math.max(1, Math.ceil(total / pageSize)));
      }),
      { numRuns: 40 },
    );
  });

  it('loses nobody when the server gives smaller pages than asked', async () => {
    serveUsers(10, 3);
    expect(await iterated(100)).toHaveLength(10);
  });

  it('asks for a page only when the loop gets there', async () => {
    serveUsers(50);
    for await (const user of client.users.iterate({ pageSize: 10 })) {
      if (user.user_id === 'u9') break;
    }
    expect(server.targets).toHaveLength(1);
  });

  it('refuses a server that ignores the offset', async () => {
    server.json({ users: [{ user_id: 'u0' }], total: 3, offset: 0, limit: 1 });
    expect(await failureOf(iterated(1))).toBeInstanceOf(InvalidResponseError);
    expect(server.targets).toHaveLength(2);
  });

  it('refuses an empty page before the total instead of ending early', async () => {
    server.json({ users: [], total: 3, offset: 0, limit: 1 });
    expect(await failureOf(iterated(1))).toBeInstanceOf(InvalidResponseError);
  });

  it('stops within a page when the caller aborts', async () => {
    serveUsers(10);
    const controller = new AbortController();
    const seen: string[] = [];
    const loop = async (): Promise<void> => {
      const { signal } = controller;
      for await (const user of client.users.iterate({ pageSize: 10 }, { signal })) {
        seen.push(user.user_id);
        if (seen.length === 3) controller.abort();
      }
    };
    expect(await failureOf(loop())).toBeInstanceOf(AbortError);
    expect(seen).toHaveLength(3);
  });

  it.each([0, 501, -1, 1.5, NaN])('refuses the page size %p before a request', async (pageSize) => {
    expect(await failureOf(iterated(pageSize))).toBeInstanceOf(InvalidArgumentError);
    expect(server.targets).toEqual([]);
  });
});

describe('users.list', () => {
  it.each([{ limit: 0 }, { limit: 501 }, { offset: -1 }, { offset: 0.5 }])(
    'refuses %p before a request',
    async (query) => {
      expect(await failureOf(client.users.list(query))).toBeInstanceOf(InvalidArgumentError);
      expect(server.targets).toEqual([]);
    },
  );

  it.each([0, -1, NaN, 2 ** 31])('refuses the timeout %p before a request', async (timeoutMs) => {
    const error = await failureOf(client.users.list({}, { timeoutMs }));
    expect(error).toBeInstanceOf(InvalidArgumentError);
    expect(server.targets).toEqual([]);
  });
});
