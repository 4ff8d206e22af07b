import { createContext, use, useCallback, useMemo, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import type { User } from '@caregate/domain';
import type { Received } from '../../bridge/channels.ts';
import { MaskContext } from '../components/mask.ts';
import type { ScreenName } from '../screens/names.ts';
import { noRecents, withOrder, withPerson } from './recents.ts';
import type { RecentOrder, RecentPerson } from './recents.ts';

/** The person that every screen but Find is about. */
export type Person = Received<User>;

export interface Desk {
  readonly screen: ScreenName;
  readonly go: (screen: ScreenName) => void;
  /** Goes up each time that somebody comes to a screen, also to the one that is shown. */
  readonly visit: number;
  readonly person: Person | undefined;
  /** Chooses a person and shows the Person screen; with an order, its lab result. */
  readonly open: (person: Person, order?: string) => void;
  readonly close: () => void;
  /** The last ten, newest first. In memory only: gone with the lock and with the sign-out. */
  readonly recents: readonly RecentPerson[];
  /** The lab order to show. */
  readonly order: string | undefined;
  /** Shows an order's lab result; gives way with the person. */
  readonly openOrder: (id: string) => void;
  /** The same under nobody: whoever is open is closed. */
  readonly openOrderAlone: (id: string) => void;
  /** The last ten orders, newest first, each with the person it was opened under. In memory only. */
  readonly recentOrders: readonly RecentOrder[];
  /** The service answered with this order's result, under the person who is open. */
  readonly noteOrder: (id: string) => void;
  readonly forgetRecents: () => void;
  /** Whether what tells who somebody is, is hidden from people who look on. */
  readonly masked: boolean;
  readonly toggleMask: () => void;
}

const DeskContext = createContext<Desk | undefined>(undefined);

export function DeskProvider({ children }: { children: ReactNode }): ReactElement {
  const { screen, visit, go } = useScreen();
  const [person, setPerson] = useState<Person>();
  const [order, setOrder] = useState<string>();
  const [masked, setMasked] = useState(false);
  const { recents, recentOrders, addOrder, addPerson, forgetRecents } = useRecents();
  const open = useCallback(
    (chosen: Person, itsOrder?: string) => {
      setPerson(chosen);
      addPerson(chosen);
      setOrder(itsOrder);
      go(itsOrder === undefined ? 'person' : 'labs');
    },
    [go, addPerson],
  );
  const close = useCallback(() => {
    setPerson(undefined);
    setOrder(undefined);
    go('find');
  }, [go]);
  const openOrder = useCallback(
    (id: string) => {
      setOrder(id);
      go('labs');
    },
    [go],
  );
  const openOrderAlone = useCallback(
    (id: string) => {
      setPerson(undefined);
      openOrder(id);
    },
    [openOrder],
  );
  const noteOrder = useCallback(
    (id: string) => {
      addOrder(id, person);
    },
    [addOrder, person],
  );
  const toggleMask = useCallback(() => {
    setMasked((before) => !before);
  }, []);
  const desk = useMemo(
    () => ({
      screen,
      visit,
      go,
      person,
      open,
      close,
      recents,
      order,
      openOrder,
      openOrderAlone,
      recentOrders,
      noteOrder,
      forgetRecents,
      masked,
      toggleMask,
    }),
    [
      screen,
      visit,
      go,
      person,
      open,
      close,
      recents,
      order,
      openOrder,
      openOrderAlone,
      recentOrders,
      noteOrder,
      forgetRecents,
      masked,
      toggleMask,
    ],
  );
  return (
    <DeskContext value={desk}>
      <MaskContext value={masked}>{children}</MaskContext>
    </DeskContext>
  );
}

function useScreen() {
  const [{ screen, visit }, setShown] = useState<{ screen: ScreenName; visit: number }>({
    screen: 'find',
    visit: 0,
  });
  const go = useCallback((next: ScreenName) => {
    setShown((before) => ({ screen: next, visit: before.visit + 1 }));
  }, []);
  return { screen, visit, go };
}

function useRecents() {
  const [{ people, orders }, setRecents] = useState(noRecents);
  const addPerson = useCallback(({ value }: Person) => {
    const { user_id: userId, client_user_id: clientUserId } = value;
    const noted = { userId, clientUserId, at: new Date() };
    setRecents((before) => withPerson(before, noted));
  }, []);
  const addOrder = useCallback((id: string, person: Person | undefined) => {
    const personId = person?.value.user_id;
    const noted = { id, personId, clientUserId: person?.value.client_user_id, at: new Date() };
    setRecents((before) => withOrder(before, noted));
  }, []);
  const forgetRecents = useCallback(() => {
    setRecents(noRecents);
  }, []);
  return { recents: people, recentOrders: orders, addPerson, addOrder, forgetRecents };
}

/** The screen, the person and the mask. Only below DeskProvider. */
export function useDesk(): Desk {
  const desk = use(DeskContext);
  if (desk === undefined) throw new Error('useDesk needs a DeskProvider above');
  return desk;
}
