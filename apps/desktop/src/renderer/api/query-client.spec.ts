import { describe, expect, it } from '@jest/globals';
import { notifyManager, QueryClient, QueryObserver } from '@tanstack/react-query';
import { limitInactive } from './query-client.ts';

notifyManager.setScheduler((callback) => {
  callback();
});

function setUp(max: number): { client: QueryClient; cached: () => string[] } {
  const client = new QueryClient();
  limitInactive(client.getQueryCache(), max);
  const cached = (): string[] =>
    client
      .getQueryCache()
      .getAll()
      .map(({ queryKey }) => String(queryKey[0]));
  return { client, cached };
}

/** Observes a query as a screen does, without requesting it. The returned function stops observing. */
function show(client: QueryClient, key: string, at: number): () => void {
  const end = new QueryObserver(client, { queryKey: [key], enabled: false }).subscribe(() => {});
  client.setQueryData([key], key, { updatedAt: at });
  return end;
}

describe('limitInactive', () => {
  it('removes the oldest answers and keeps those that a screen shows', () => {
    const { client, cached } = setUp(2);
    show(client, 'shown', 1);
    ['a', 'b', 'c', 'd'].forEach((key, at) => {
      show(client, key, at + 2)();
    });
    expect(cached()).toEqual(['shown', 'c', 'd']);
    client.clear();
  });

  it('keeps a query in progress', async () => {
    const { client, cached } = setUp(0);
    let answer: (text: string) => void = () => {};
    const queryFn = (): Promise<string> =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const answered = client.query({ queryKey: ['asked'], queryFn });
    show(client, 'a', 1)();
    expect(cached()).toEqual(['asked']);
    answer('there');
    await answered;
    show(client, 'b', 2)();
    expect(cached()).toEqual([]);
  });
});
