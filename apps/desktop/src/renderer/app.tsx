import { useState } from 'react';
import type { ReactElement } from 'react';
import { ChoosePin } from './screens/sign-in/pin.tsx';
import { LockScreen } from './screens/sign-in/lock.tsx';
import { SignInScreen } from './screens/sign-in/sign-in.tsx';
import { useArrival, useSettings, useStatus } from './state/app-state.ts';
import { ErrorBoundary } from './components/error-boundary.tsx';
import { FailedApp } from './shell/failed.tsx';
import { LinkQuestion } from './shell/links.tsx';
import { Shell } from './shell/shell.tsx';
import { useKeptFocus } from './shell/kept-focus.ts';
import { Toasts } from './shell/toast.tsx';
import { useZoomKeys } from './shell/zoom-keys.ts';
import { WorkspaceProvider } from './state/workspace.tsx';
import { TextProvider } from './text/text.tsx';

/** Leaving a phase unmounts everything about patients with it. */
export function App(): ReactElement {
  const { language } = useSettings();
  useKeptFocus();
  useZoomKeys();
  return (
    <TextProvider setting={language}>
      <Phase />
      <Toasts />
    </TextProvider>
  );
}

/** Whoever comes to the desk, or locks it, leaves a failure behind. */
function Phase(): ReactElement {
  const { phase } = useStatus();
  const arrival = useArrival();
  return (
    <ErrorBoundary key={`${phase} ${String(arrival)}`} fallback={() => <FailedApp />}>
      <ScreensOfPhase />
    </ErrorBoundary>
  );
}

function ScreensOfPhase(): ReactElement {
  const { phase } = useStatus();
  const arrival = useArrival();
  switch (phase) {
    case 'signedOut':
      return <SignInScreen />;
    case 'locked':
      return <LockScreen />;
    case 'signedIn':
      return <AtDesk key={arrival} />;
  }
}

function AtDesk(): ReactElement {
  const { people, current } = useStatus();
  const [isLater, setLater] = useState(false);
  const person = people.find(({ staffId }) => staffId === current);
  return (
    <>
      {person !== undefined && !person.pinSet && !isLater ? (
        <ChoosePin
          name={person.name}
          onLater={() => {
            setLater(true);
          }}
        />
      ) : (
        <WorkspaceProvider first={person?.role === 'auditor' ? 'accesses' : 'find'}>
          <Shell />
          <LinkQuestion />
        </WorkspaceProvider>
      )}
    </>
  );
}
