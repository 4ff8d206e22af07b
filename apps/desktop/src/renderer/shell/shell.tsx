import {
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { ReactElement, RefObject } from 'react';
import { Waiting } from '../components/waiting.tsx';
import type { ScreenName } from '../screens/names.ts';
import { SCREENS } from '../screens/screens.ts';
import { useText } from '../text/text.tsx';
import { useDesk } from './desk.tsx';
import { useKeys } from './keys.ts';
import { LookUpProvider, useLookUp } from './look-up.tsx';
import { BesideNotes, Notes } from './notes.tsx';
import { PatientBar } from './patient-bar.tsx';
import { Rail } from './rail.tsx';
import { StatusBar, Urgent } from './status-bar.tsx';
import { useCopying } from './use-copying.ts';
import styles from './shell.module.css';

const Palette = lazy(async () => ({ default: (await import('../palette/palette.tsx')).Palette }));
const KeyList = lazy(async () => ({ default: (await import('../palette/key-list.tsx')).KeyList }));

type Over = 'palette' | 'keys' | undefined;

/** The rail, the person's bar, the screen, the status bar; over them the palette or the list of keys. */
export function Shell(): ReactElement {
  useCopying();
  const [over, setOver] = useState<Over>();
  const clear = useCallback(() => {
    setOver(undefined);
  }, []);
  return (
    <LookUpProvider onScan={clear}>
      <Frame over={over} setOver={setOver} clear={clear} />
    </LookUpProvider>
  );
}

function Frame(props: {
  readonly over: Over;
  readonly setOver: (change: Over | ((before: Over) => Over)) => void;
  readonly clear: () => void;
}): ReactElement {
  const { over, setOver, clear } = props;
  const text = useText();
  const desk = useDesk();
  const { pending, cancel, dismiss } = useLookUp();
  const { title, view: View } = SCREENS[desk.screen];
  // A person's screen is made anew for the next person and order: nothing can stay behind under another name.
  const subject = `${desk.person?.value.user_id ?? 'nobody'} ${desk.order ?? ''}`;
  const main = useRef<HTMLElement>(null);
  useFocusOnArrival(main, desk.visit);
  const showKeys = useCallback(() => {
    setOver('keys');
  }, [setOver]);
  const isPending = pending !== undefined;
  const keyParts = useMemo(
    () => ({
      desk,
      go: (screen: ScreenName) => {
        clear();
        desk.go(screen);
      },
      togglePalette: () => {
        setOver((before) => (before === 'palette' ? undefined : 'palette'));
      },
      showKeys,
      escape: () => {
        if (isPending) cancel();
        else dismiss();
      },
    }),
    [desk, clear, setOver, showKeys, isPending, cancel, dismiss],
  );
  useKeys(keyParts);
  return (
    <div className={styles['shell']}>
      <Rail />
      <PatientBar />
      <main ref={main} tabIndex={-1} className={styles['screen']} aria-label={text(title)}>
        {desk.screen !== 'find' && <Notes />}
        <Suspense fallback={<Waiting />}>
          <BesideNotes>
            <View key={subject} />
          </BesideNotes>
        </Suspense>
      </main>
      <Urgent />
      <StatusBar />
      <Suspense>
        {over === 'palette' && <Palette onClose={clear} showKeys={showKeys} />}
        {over === 'keys' && <KeyList onClose={clear} />}
      </Suspense>
    </div>
  );
}

/** Each time that somebody comes to a screen it has the focus, or its own place has: see `useArrival`. */
function useFocusOnArrival(main: RefObject<HTMLElement | null>, visit: number): void {
  // Before the screen's own place takes it.
  useLayoutEffect(() => {
    main.current?.focus({ preventScroll: true });
  }, [main, visit]);
  // A dialog that closes by the same key makes the page inert until now.
  useEffect(() => {
    const isHere = main.current?.contains(document.activeElement) === true;
    if (!isHere) main.current?.focus({ preventScroll: true });
  }, [main, visit]);
}
