import { Suspense, useEffect } from 'react';
import type { ReactElement } from 'react';
import { Waiting } from '../components/waiting.tsx';
import { RAIL, SCREENS } from '../screens/screens.ts';
import { useText } from '../text/text.tsx';
import { useDesk } from './desk.tsx';
import type { Desk } from './desk.tsx';
import { PatientBar } from './patient-bar.tsx';
import { Rail } from './rail.tsx';
import { StatusBar } from './status-bar.tsx';
import styles from './shell.module.css';

/** The rail, the person's bar, the screen, the status bar. */
export function Shell(): ReactElement {
  const text = useText();
  const desk = useDesk();
  const { title, view: View } = SCREENS[desk.screen];
  useKeys(desk);
  return (
    <div className={styles['shell']}>
      <Rail />
      <PatientBar />
      <main className={styles['screen']} aria-label={text(title)}>
        <Suspense fallback={<Waiting />}>
          {/* A person's screen is made anew for the next person: nothing can stay behind under another name. */}
          <View key={desk.person?.value.user_id ?? 'nobody'} />
        </Suspense>
      </main>
      <StatusBar />
    </div>
  );
}

function useKeys(desk: Desk): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!act(event, desk)) return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('keydown', onKey);
    };
  }, [desk]);
}

/** Does what a key of the shell means; false where it means nothing. */
function act(event: KeyboardEvent, desk: Desk): boolean {
  const { key, shiftKey } = event;
  if (key === 'F8') {
    desk.toggleMask();
    return true;
  }
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return false;
  const numbered = RAIL[Number(key) - 1];
  if (numbered !== undefined) {
    if (!SCREENS[numbered].needsPerson || desk.person !== undefined) desk.go(numbered);
    return true;
  }
  switch (key.toLowerCase()) {
    case 'l':
      void window.caregate.lock({});
      return true;
    case 'n':
      if (shiftKey) void window.caregate.openWindow({});
      return shiftKey;
    default:
      return false;
  }
}
