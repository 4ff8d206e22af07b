import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { AuditSubjectProvider } from './audit-subject.tsx';
import { useStatus } from './app-state.ts';
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
  const { people, current } = useStatus();
  const isAuditor = people.find(({ staffId }) => staffId === current)?.role === 'auditor';
  return (
    <QueryClientProvider client={queries}>
      <NavigationProvider first={isAuditor ? 'accesses' : 'find'}>
        <MaskProvider>
          <RecentsProvider>
            <SelectionProvider>
              <NoticeProvider>
                <LookUpProvider>
                  <AuditSubjectProvider>{children}</AuditSubjectProvider>
                </LookUpProvider>
              </NoticeProvider>
            </SelectionProvider>
          </RecentsProvider>
        </MaskProvider>
      </NavigationProvider>
    </QueryClientProvider>
  );
}
