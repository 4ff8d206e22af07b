import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { LookUpStatus, WithoutLookUpProblem } from '../ui/look-up-status.tsx';
import { Loading } from '../ui/loading.tsx';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { useEmergencyOnHome } from '../features/search/home.tsx';
import { EmergencyBanner } from '../features/emergency/emergency-banner.tsx';
import { SCREENS } from './screens.ts';
import { useClearedCopies } from './clipboard.ts';
import { useLookUp } from './look-up.tsx';
import { useOnline, usePageState, useStatus } from '../api/app-state.ts';
import { useIsAuditor, useMay } from './me.tsx';
import { ALONE, AUDIT_RAIL, TABS, useNavigation, type ScreenName } from './navigation.tsx';
import { useSelection } from './selection.tsx';
import { useText } from '../i18n/text.tsx';
import { FailedScreen } from './failed.tsx';
import { keyboard, useCommand } from './keyboard.ts';
import { PersonHeader } from './person-header.tsx';
import { Sidebar } from './sidebar.tsx';
import { useReturn } from './use-return.ts';
import { useWorkspace, useWorkspaceState } from './workspace.tsx';
import { useScans } from './use-scans.ts';
import styles from './shell.module.css';

const RefusedScreen = lazy(() => import('../features/emergency/refused.tsx'));
const KeyList = lazy(() => import('./key-list.tsx'));

export function Shell() {
  useClearedCopies();
  const text = useText();
  const { screen, visit, go } = useNavigation();
  const { person } = useSelection();
  const { lookUp, pending, cancel, dismiss } = useLookUp();
  const { toggleMask } = useWorkspace();
  const [hasKeyList, setHasKeyList] = useState(false);
  const closeKeyList = (): void => setHasKeyList(false);
  const isAuditor = useIsAuditor();
  const may = useMay(screen);
  const { people } = useStatus();
  useReturn();
  useScans(closeKeyList);
  const View = SCREENS[screen];
  // Used as a key, it unmounts everything about the previous patient.
  const subject = person?.value.user_id ?? 'nobody';
  const main = useRef<HTMLElement>(null);
  useFocusOnVisit(main, visit);
  useEffect(() => {
    if (isAuditor && screen === 'find') go('accesses');
  }, [isAuditor, screen, go]);
  const hasEmergencyCard = useEmergencyOnHome() !== undefined;
  const hasFailed = useWorkspaceState('hasScreenFailed');
  const hasHeader =
    person !== undefined && !isAuditor && !hasFailed && TABS.some((name) => name === screen);
  const recents = useWorkspaceState('recents');
  const before = recents.find(({ userId }) => userId !== person?.value.user_id);
  const goTo = (next: ScreenName): void => {
    closeKeyList();
    go(next);
  };
  useCommand('screen', (digit) => {
    const numbered = isAuditor ? AUDIT_RAIL : person === undefined ? ALONE : TABS;
    const next = numbered[digit - 1];
    if (next !== undefined) goTo(next);
  });
  useCommand('switchUser', (digit) => {
    const next = people[digit - 1];
    if (next !== undefined) void window.caregate.switchTo({ staffId: next.staffId });
  });
  useCommand('search', () => goTo(isAuditor ? 'accesses' : 'find'));
  useCommand('previousPatient', () => {
    if (before === undefined || isAuditor) return;
    closeKeyList();
    lookUp(before.clientUserId);
  });
  useCommand('mask', toggleMask);
  useCommand('help', () => setHasKeyList(true));
  useCommand('escape', pending === undefined ? dismiss : cancel);
  return (
    <div className={styles['shell']}>
      <Sidebar />
      <div className={styles['work']}>
        {hasHeader && <PersonHeader />}
        {!hasEmergencyCard && <EmergencyBanner />}
        <main
          ref={main}
          tabIndex={-1}
          className={`${styles['screen'] ?? ''} ${hasHeader ? (styles['tabbed'] ?? '') : ''}`}
          data-panes={(screen === 'labs' && (may === 'yes' || may === 'mask')) || undefined}
          aria-label={text(`screen.${screen}`)}
        >
          {screen !== 'find' && !isAuditor && <LookUpStatus />}
          <Suspense fallback={<Loading />}>
            <WithoutLookUpProblem>
              {may === 'no' || may === 'emergency' ? (
                <RefusedScreen key={subject} screen={screen} may={may} />
              ) : (
                <ErrorBoundary
                  key={`${screen} ${subject}`}
                  fallback={(again) => <FailedScreen onReload={again} />}
                >
                  <View key={subject} />
                </ErrorBoundary>
              )}
            </WithoutLookUpProblem>
          </Suspense>
        </main>
        <Urgent />
      </div>
      <Suspense>{hasKeyList && <KeyList onClose={closeKeyList} />}</Suspense>
    </div>
  );
}

function useFocusOnVisit(main: RefObject<HTMLElement | null>, visit: number): void {
  // A layout effect runs before the effect of `useAutoFocus`.
  useLayoutEffect(() => {
    main.current?.focus({ preventScroll: true });
    const { forgetEarly } = keyboard;
    forgetEarly();
    return forgetEarly;
  }, [main, visit]);
  // While a dialog closes, the page is inert until the effects of the dialog have run.
  useEffect(() => {
    const isHere = main.current?.contains(document.activeElement) === true;
    if (!isHere) main.current?.focus({ preventScroll: true });
  }, [main, visit]);
}

function Urgent() {
  const text = useText();
  const online = useOnline();
  const countdown = usePageState('lockSeconds');
  const minutes = usePageState('minutesLeft');
  return (
    <div className={`row help bold ${styles['urgent'] ?? ''}`}>
      <span role="status">{online ? '' : text('status.lost')}</span>
      {countdown !== undefined && (
        <strong role="timer">{text('status.lockIn', { seconds: countdown })}</strong>
      )}
      {minutes !== undefined && (
        <strong role="status">{text('status.signOutIn', { minutes })}</strong>
      )}
    </div>
  );
}
