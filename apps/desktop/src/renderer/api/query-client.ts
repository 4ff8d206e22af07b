import { QueryClient } from '@tanstack/react-query';
import type { Query, QueryCache } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

/** About four recent patients with all reads of Overview. */
const maxInactive = 30;

export function useQueryClientOfSignIn(): QueryClient {
  const [queries] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          // Main knows the network; failures are shown and retried by hand.
          queries: {
            retry: false,
            networkMode: 'always',
            refetchOnWindowFocus: false,
            refetchOnReconnect: false,
            staleTime: 60_000,
            gcTime: 5 * 60_000,
          },
        },
      }),
  );
  useEffect(() => {
    const end = limitInactive(queries.getQueryCache(), maxInactive);
    return () => {
      end();
      // Clear after the screens have unmounted: their garbage collection timers would keep answers for minutes.
      queueMicrotask(() => {
        queries.clear();
      });
    };
  }, [queries]);
  return queries;
}

export function limitInactive(cache: QueryCache, max: number): () => void {
  return cache.subscribe(({ type }) => {
    if (type !== 'observerRemoved') return;
    const inactive = cache
      .getAll()
      .filter((query) => query.getObserversCount() === 0 && getUpdatedAt(query) > 0)
      .toSorted((one, other) => getUpdatedAt(one) - getUpdatedAt(other));
    for (const query of inactive.slice(0, Math.max(0, inactive.length - max))) cache.remove(query);
  });
}

/** 0 while the first request is under way. */
function getUpdatedAt({ state }: Query): number {
  return Math.max(state.dataUpdatedAt, state.errorUpdatedAt);
}
