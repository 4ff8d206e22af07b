import { useState } from 'react';
import { ChoosePin } from '../features/sign-in/pin.tsx';
import { LockScreen } from '../features/sign-in/lock.tsx';
import { SignInScreen } from '../features/sign-in/sign-in.tsx';
import type { ZoomStep } from '../../shared/app-state.ts';
import { useSettings, useStatus } from '../api/app-state.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { FailedApp } from './failed.tsx';
import { LinkQuestion } from './links.tsx';
import { Shell } from './shell.tsx';
import { useRestoreFocus } from './kept-focus.ts';
import { useCommand } from './keyboard.ts';
import { useCurrentPerson } from './me.tsx';
import { Toasts } from './toast.tsx';
import { WorkspaceProvider } from './workspace.tsx';
import { TextProvider } from '../i18n/text.tsx';

/** The root component. A change of the phase unmounts everything about patients. */
export function App() {
  const { language } = useSettings();
  useRestoreFocus();
  useWindowCommands();
  return (
    <TextProvider setting={language}>
      <Phase />
      <Toasts />
    </TextProvider>
  );
}

/** These commands are registered above all error boundaries, so that they also work after a screen has failed. */
function useWindowCommands(): void {
  const { phase } = useStatus();
  const changeZoom = (step: ZoomStep): void => void window.caregate.changeSettings({ zoom: step });
  useCommand('lock', () => void window.caregate.lock({}), { isOn: phase === 'signedIn' });
  useCommand('zoomIn', () => changeZoom('in'));
  useCommand('zoomOut', () => changeZoom('out'));
  useCommand('zoomReset', () => changeZoom('reset'));
}

/** The key resets the error boundary at each sign-in and lock. */
function Phase() {
  const { phase, current } = useStatus();
  return (
    <ErrorBoundary key={`${phase} ${current ?? ''}`} fallback={() => <FailedApp />}>
      <ScreensOfPhase />
    </ErrorBoundary>
  );
}

function ScreensOfPhase() {
  const { phase, current } = useStatus();
  switch (phase) {
    case 'signedOut':
      return <SignInScreen />;
    case 'locked':
      return <LockScreen />;
    case 'signedIn':
      return <SignedInScreens key={current} />;
  }
}

function SignedInScreens() {
  const person = useCurrentPerson();
  const [isLater, setLater] = useState(false);
  return person !== undefined && !person.pinSet && !isLater ? (
    <ChoosePin name={person.name} onLater={() => setLater(true)} />
  ) : (
    <WorkspaceProvider first={person?.role === 'auditor' ? 'accesses' : 'find'}>
      <Shell />
      <LinkQuestion />
    </WorkspaceProvider>
  );
}
