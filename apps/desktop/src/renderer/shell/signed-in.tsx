import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { holdFew } from '../service/hold-few.ts';
import { DeskProvider } from './desk.tsx';
import { Shell } from './shell.tsx';

/** The ten recent people, each with an insurance and an order. */
const mostHeld = 30;

/** Everything that lives as long as a sign-in is unlocked: the answers, the person chosen, the screens. */
export function SignedIn(): ReactElement {
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
    const end = holdFew(queries.getQueryCache(), mostHeld);
    return () => {
      end();
      // After the screens have let go: one that does so later starts a wait that holds its answer for minutes.
      queueMicrotask(() => {
        queries.clear();
      });
    };
  }, [queries]);
  return (
    <QueryClientProvider client={queries}>
      <DeskProvider>
        <Shell />
      </DeskProvider>
    </QueryClientProvider>
  );
}
