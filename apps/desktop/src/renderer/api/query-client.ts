import { QueryClient, type Query, type QueryCache } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

/** Enough for about four recent patients with all reads of Overview. */
const maxInactive = 30;

export function useQueryClientOfSignIn(): QueryClient {
  const [queries] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          // Main monitors the network, and users retry failed reads themselves.
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
      // Clear the cache after the screens have unmounted, since an unmounted query would keep its answer for minutes.
      queueMicrotask(() => queries.clear());
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

/** Returns 0 during the first request. */
function getUpdatedAt({ state }: Query): number {
  return Math.max(state.dataUpdatedAt, state.errorUpdatedAt);
}
