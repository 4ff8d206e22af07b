import { describe, expect, it } from '@jest/globals';
import { notifyManager, QueryClient, QueryObserver } from '@tanstack/react-query';
import fc from '@caregate/seeded';
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

/** Shows an answer as the screens do, asked for elsewhere; what it gives back takes it off the screen. */
function show(client: QueryClient, key: string, at: number): () => void {
  const end = new QueryObserver(client, { queryKey: [key], enabled: false }).subscribe(() => {});
  client.setQueryData([key], key, { updatedAt: at });
  return end;
}

describe('limitInactive', () => {
  it('lets the answers go that came first', () => {
    const { client, cached } = setUp(2);
    ['a', 'b', 'c', 'd'].forEach((key, at) => {
      show(client, key, at + 1)();
    });
    expect(cached()).toEqual(['c', 'd']);
    client.clear();
  });

  it('keeps what is still being asked for', async () => {
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

  it('never holds more than so many that no screen shows, and all that one shows', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 5 }),
        fc.array(fc.record({ key: fc.nat({ max: 20 }), stays: fc.boolean() }), { maxLength: 60 }),
        (max, steps) => {
          const { client, cached } = setUp(max);
          const shown = new Set<string>();
          steps.forEach(({ key, stays }, at) => {
            const hide = show(client, String(key), at + 1);
            if (stays) shown.add(String(key));
            else hide();
            if (!stays) {
              expect(cached().filter((one) => !shown.has(one)).length).toBeLessThanOrEqual(max);
            }
            expect(cached()).toEqual(expect.arrayContaining([...shown]));
          });
          client.clear();
        },
      ),
    );
  });
});
