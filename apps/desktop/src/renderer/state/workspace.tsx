import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { LookUpProvider } from './look-up.tsx';
import { MaskProvider } from './mask.tsx';
import { NavigationProvider } from './navigation.tsx';
import { NoticeProvider } from './notice.tsx';
import { useQueryClientOfSignIn } from './query-client.ts';
import { RecentsProvider } from './recents.tsx';
import { SelectionProvider } from './selection.tsx';

/** All that lives as long as a sign-in is unlocked: the answers, whom they are about, what was asked for. */
export function WorkspaceProvider({ children }: { children: ReactNode }): ReactElement {
  const queries = useQueryClientOfSignIn();
  return (
    <QueryClientProvider client={queries}>
      <NavigationProvider>
        <MaskProvider>
          <RecentsProvider>
            <SelectionProvider>
              <NoticeProvider>
                <LookUpProvider>{children}</LookUpProvider>
              </NoticeProvider>
            </SelectionProvider>
          </RecentsProvider>
        </MaskProvider>
      </NavigationProvider>
    </QueryClientProvider>
  );
}
