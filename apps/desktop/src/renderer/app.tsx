import type { ReactElement } from 'react';
import { LockScreen } from './screens/lock/lock.tsx';
import { WitnessNote } from './screens/about/witness-note.tsx';
import { SignInScreen } from './screens/sign-in/sign-in.tsx';
import { useSettings, useStatus } from './service/app-state.ts';
import { SignedIn } from './shell/signed-in.tsx';
import { useZoomKeys } from './shell/zoom-keys.ts';
import { TextProvider } from './text/text.tsx';

/** One of three: signed out, signed in, locked. What is left is unmounted, and everything about patients with it. */
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
          <SignedIn />
          <WitnessNote />
        </>
      );
  }
}
