import { QueryClientProvider } from '@tanstack/react-query';
import { useLayoutEffect } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { AuditSubjectProvider } from './audit-subject.tsx';
import { EarlyKeysProvider } from './early-keys.tsx';
import { LookUpProvider, SearchTextProvider } from './look-up.tsx';
import { MaskProvider } from './mask.tsx';
import { NavigationProvider } from './navigation.tsx';
import type { ScreenName } from './navigation.tsx';
import { useQueryClientOfSignIn } from '../api/query-client.ts';
import { RecentsProvider } from '../features/search/recents.tsx';
import { HeaderEndProvider } from './refresh.tsx';
import { unsayAll } from './say.ts';
import { SelectionProvider } from './selection.tsx';

/** State of one sign-in, gone at lock and sign-out. */
export function WorkspaceProvider(props: {
  readonly first: ScreenName;
  readonly children?: ReactNode;
}): ReactElement {
  const { first, children } = props;
  const queries = useQueryClientOfSignIn();
  useLayoutEffect(() => unsayAll, []);
  return (
    <QueryClientProvider client={queries}>
      <NavigationProvider first={first}>
        <EarlyKeysProvider>
          <MaskProvider>
            <RecentsProvider>
              <SelectionProvider>
                <SearchTextProvider>
                  <LookUpProvider>
                    <AuditSubjectProvider>
                      <HeaderEndProvider>{children}</HeaderEndProvider>
                    </AuditSubjectProvider>
                  </LookUpProvider>
                </SearchTextProvider>
              </SelectionProvider>
            </RecentsProvider>
          </MaskProvider>
        </EarlyKeysProvider>
      </NavigationProvider>
    </QueryClientProvider>
  );
}
