import { lazy, Suspense, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ReactElement, RefObject } from 'react';
import { LookUpStatus, WithoutLookUpProblem } from '../components/look-up-status.tsx';
import { Loading } from '../components/loading.tsx';
import { EmergencyBanner } from '../screens/emergency/emergency-banner.tsx';
import { SCREENS } from '../screens/screens.ts';
import { useClearedCopies } from '../state/clipboard.ts';
import { useLookUp, useReopen } from '../state/look-up.tsx';
import { useLockCountdown, useMinutesLeft, useOnline, useStatus } from '../state/app-state.ts';
import { useToggleMask } from '../state/mask.tsx';
import { useIsAuditor, useMay } from '../state/me.tsx';
import { ALONE, AUDIT_RAIL, CommandsContext, TABS, useNavigation } from '../state/navigation.tsx';
import type { ScreenName } from '../state/navigation.tsx';
import { useRecents } from '../state/recents.tsx';
import { useSelection } from '../state/selection.tsx';
import { useText } from '../text/text.tsx';
import { useKeys } from './keys.ts';
import { PersonHeader } from './person-header.tsx';
import { Sidebar } from './sidebar.tsx';
import { useScans } from './use-scans.ts';
import { useTypeAhead } from './type-ahead.ts';
import styles from './shell.module.css';

const Palette = lazy(async () => ({ default: (await import('../palette/palette.tsx')).Palette }));
const RefusedScreen = lazy(async () => ({
  default: (await import('../screens/emergency/refused.tsx')).RefusedScreen,
}));
const KeyList = lazy(async () => ({ default: (await import('../palette/key-list.tsx')).KeyList }));

type Over = 'palette' | 'keys' | undefined;

export function Shell(): ReactElement {
  useClearedCopies();
  const text = useText();
  const { screen, visit, go } = useNavigation();
  const { person } = useSelection();
  const { pending, cancel, dismiss } = useLookUp();
  const toggleMask = useToggleMask();
  const [over, setOver] = useState<Over>();
  const closeOver = useCallback(() => {
    setOver(undefined);
  }, []);
  const isAuditor = useIsAuditor();
  const may = useMay(screen);
  const { people } = useStatus();
  useTypeAhead();
  useScans(closeOver);
  const View = SCREENS[screen];
  // Keyed by person: nothing stays behind under another's name.
  const subject = person?.value.user_id ?? 'nobody';
  const main = useRef<HTMLElement>(null);
  useFocusOnVisit(main, visit);
  const showKeys = useCallback(() => {
    setOver('keys');
  }, []);
  useEffect(() => {
    if (isAuditor && screen === 'find') go('accesses');
  }, [isAuditor, screen, go]);
  const hasHeader = person !== undefined && !isAuditor && TABS.some((name) => name === screen);
  const { people: recent } = useRecents();
  const before = recent.find(({ userId }) => userId !== person?.value.user_id);
  const { person: reopenPerson } = useReopen();
  const togglePalette = useCallback(() => {
    setOver((shown) => (shown === 'palette' ? undefined : 'palette'));
  }, []);
  const goTo = (next: ScreenName): void => {
    closeOver();
    go(next);
  };
  useKeys({
    numbered: isAuditor ? AUDIT_RAIL : person === undefined ? ALONE : TABS,
    people: people.map(({ staffId }) => staffId),
    toggleMask,
    go: goTo,
    find: () => {
      goTo(isAuditor ? 'accesses' : 'find');
    },
    before: () => {
      if (before === undefined || isAuditor) return;
      closeOver();
      reopenPerson(before);
    },
    togglePalette,
    showKeys,
    escape: pending === undefined ? dismiss : cancel,
  });
  return (
    <CommandsContext value={togglePalette}>
      <div className={styles['shell']}>
        <Sidebar />
        <div className={styles['work']}>
          {hasHeader && <PersonHeader />}
          <EmergencyBanner />
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
                  <View key={subject} />
                )}
              </WithoutLookUpProblem>
            </Suspense>
          </main>
          <Urgent />
        </div>
        <Suspense>
          {over === 'palette' && <Palette onClose={closeOver} showKeys={showKeys} />}
          {over === 'keys' && <KeyList onClose={closeOver} />}
        </Suspense>
      </div>
    </CommandsContext>
  );
}

function useFocusOnVisit(main: RefObject<HTMLElement | null>, visit: number): void {
  // Runs before `useAutoFocus`.
  useLayoutEffect(() => {
    main.current?.focus({ preventScroll: true });
  }, [main, visit]);
  // Until now a closing dialog kept the page inert.
  useEffect(() => {
    const isHere = main.current?.contains(document.activeElement) === true;
    if (!isHere) main.current?.focus({ preventScroll: true });
  }, [main, visit]);
}

function Urgent(): ReactElement {
  const text = useText();
  const online = useOnline();
  const countdown = useLockCountdown();
  const minutes = useMinutesLeft();
  return (
    <div className={`help bold ${styles['urgent'] ?? ''}`}>
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
