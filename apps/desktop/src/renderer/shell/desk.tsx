import { createContext, use, useCallback, useMemo, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import type { User } from '@caregate/domain';
import type { Received } from '../../bridge/channels.ts';
import type { ScreenName } from '../screens/screens.ts';

/** The person that every screen but Find is about. */
export type Person = Received<User>;

export interface Desk {
  readonly screen: ScreenName;
  readonly go: (screen: ScreenName) => void;
  readonly person: Person | undefined;
  /** Chooses a person and shows the Person screen. */
  readonly open: (person: Person) => void;
  readonly close: () => void;
  /** The last ten, newest first. In memory only: gone with the lock and with the sign-out. */
  readonly recents: readonly Person[];
  /** Whether birth dates and ids are hidden from people who look on. */
  readonly masked: boolean;
  readonly toggleMask: () => void;
}

const DeskContext = createContext<Desk | undefined>(undefined);
const mostRecents = 10;

export function DeskProvider({ children }: { children: ReactNode }): ReactElement {
  const [screen, go] = useState<ScreenName>('find');
  const [person, setPerson] = useState<Person>();
  const [recents, setRecents] = useState<readonly Person[]>([]);
  const [masked, setMasked] = useState(false);
  const open = useCallback((chosen: Person) => {
    setPerson(chosen);
    setRecents((before) =>
      [chosen, ...before.filter(({ value }) => value.user_id !== chosen.value.user_id)].slice(
        0,
        mostRecents,
      ),
    );
    go('person');
  }, []);
  const close = useCallback(() => {
    setPerson(undefined);
    go('find');
  }, []);
  const toggleMask = useCallback(() => {
    setMasked((before) => !before);
  }, []);
  const desk = useMemo(
    () => ({ screen, go, person, open, close, recents, masked, toggleMask }),
    [screen, person, open, close, recents, masked, toggleMask],
  );
  return <DeskContext value={desk}>{children}</DeskContext>;
}

/** The screen, the person and the mask. Only below DeskProvider. */
export function useDesk(): Desk {
  const desk = use(DeskContext);
  if (desk === undefined) throw new Error('useDesk needs a DeskProvider above');
  return desk;
}
