import { QueryClient } from '@tanstack/react-query';
import type { Query, QueryCache } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

/** The ten recent people, each with an insurance and an order. */
const maxInactive = 30;

/** The answers of one sign-in: gone from memory when what uses this unmounts. */
export function useQueryClientOfSignIn(): QueryClient {
  const [queries] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          // Main knows whether there is a network; a failure is shown, and tried again when someone asks.
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
      // After the screens have unmounted: one that does so later starts a timer that holds its answer for minutes.
      queueMicrotask(() => {
        queries.clear();
      });
    };
  }, [queries]);
  return queries;
}

/**
 * Keeps at most `max` answers that no screen shows; the oldest go first. With a time limit alone, a busy hour would
 * keep everybody of its last minutes. Returns a function that stops it.
 */
export function limitInactive(cache: QueryCache, max: number): () => void {
  return cache.subscribe(({ type }) => {
    if (type !== 'observerRemoved') return;
    const inactive = cache
      .getAll()
      // What is still being fetched is about to be shown.
      .filter((query) => query.getObserversCount() === 0 && updatedAt(query) > 0)
      .toSorted((one, other) => updatedAt(one) - updatedAt(other));
    for (const query of inactive.slice(0, Math.max(0, inactive.length - max))) cache.remove(query);
  });
}

/** Milliseconds since the epoch of an answer or a problem; 0 before. */
function updatedAt({ state }: Query): number {
  return Math.max(state.dataUpdatedAt, state.errorUpdatedAt);
}
