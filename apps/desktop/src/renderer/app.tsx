import type { ReactElement } from 'react';
import { LockScreen } from './screens/sign-in/lock.tsx';
import { WitnessNote } from './screens/about/witness-note.tsx';
import { SignInScreen } from './screens/sign-in/sign-in.tsx';
import { useSettings, useStatus } from './state/app-state.ts';
import { Shell } from './shell/shell.tsx';
import { useZoomKeys } from './shell/zoom-keys.ts';
import { WorkspaceProvider } from './state/workspace.tsx';
import { TextProvider } from './text/text.tsx';

/** Signed out, signed in or locked. Leaving one unmounts it, and everything about patients with it. */
export function App(): ReactElement {
  const { language } = useSettings();
  useZoomKeys();
  return (
    <TextProvider setting={language}>
      <Phase />
    </TextProvider>
  );
}

function Phase(): ReactElement {
  const { phase } = useStatus();
  switch (phase) {
    case 'signedOut':
      return <SignInScreen />;
    case 'locked':
      return <LockScreen />;
    case 'signedIn':
      return (
        <>
          <WorkspaceProvider>
            <Shell />
          </WorkspaceProvider>
          <WitnessNote />
        </>
      );
  }
}
