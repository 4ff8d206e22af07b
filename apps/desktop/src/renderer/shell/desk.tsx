import { createContext, use, useCallback, useMemo, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import type { User } from '@caregate/domain';
import type { Received } from '../../bridge/channels.ts';
import type { ScreenName } from '../screens/names.ts';

/** The person that every screen but Find is about. */
export type Person = Received<User>;

/** Ids alone: to be shown again, a person is asked for again, and the service records that. */
export interface RecentPerson {
  readonly userId: string;
  readonly clientUserId: string;
  /** When the person was last opened. */
  readonly at: Date;
}

export interface RecentOrder {
  readonly id: string;
  /** Under whom it was opened; without both, under nobody. */
  readonly personId: string | undefined;
  readonly clientUserId: string | undefined;
  readonly at: Date;
}

export interface Desk {
  readonly screen: ScreenName;
  readonly go: (screen: ScreenName) => void;
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
  readonly forgetRecents: () => void;
  /** Whether birth dates and ids are hidden from people who look on. */
  readonly masked: boolean;
  readonly toggleMask: () => void;
}

const DeskContext = createContext<Desk | undefined>(undefined);
const mostRecents = 10;

export function DeskProvider({ children }: { children: ReactNode }): ReactElement {
  const [screen, go] = useState<ScreenName>('find');
  const [person, setPerson] = useState<Person>();
  const [order, setOrder] = useState<string>();
  const [masked, setMasked] = useState(false);
  const { recents, recentOrders, noteOrder, notePerson, forgetRecents } = useRecents();
  const open = useCallback(
    (chosen: Person, itsOrder?: string) => {
      setPerson(chosen);
      notePerson(chosen);
      setOrder(itsOrder);
      if (itsOrder !== undefined) noteOrder(itsOrder, chosen);
      go(itsOrder === undefined ? 'person' : 'labs');
    },
    [notePerson, noteOrder],
  );
  const close = useCallback(() => {
    setPerson(undefined);
    setOrder(undefined);
    go('find');
  }, []);
  const openOrder = useCallback(
    (id: string) => {
      setOrder(id);
      noteOrder(id, person);
      go('labs');
    },
    [person, noteOrder],
  );
  const openOrderAlone = useCallback(
    (id: string) => {
      setPerson(undefined);
      setOrder(id);
      noteOrder(id, undefined);
      go('labs');
    },
    [noteOrder],
  );
  const toggleMask = useCallback(() => {
    setMasked((before) => !before);
  }, []);
  const desk = useMemo(
    () => ({
      screen,
      go,
      person,
      open,
      close,
      recents,
      order,
      openOrder,
      openOrderAlone,
      recentOrders,
      forgetRecents,
      masked,
      toggleMask,
    }),
    [
      screen,
      person,
      open,
      close,
      recents,
      order,
      openOrder,
      openOrderAlone,
      recentOrders,
      forgetRecents,
      masked,
      toggleMask,
    ],
  );
  return <DeskContext value={desk}>{children}</DeskContext>;
}

function useRecents() {
  const [recents, setRecents] = useState<readonly RecentPerson[]>([]);
  const [recentOrders, setRecentOrders] = useState<readonly RecentOrder[]>([]);
  const notePerson = useCallback(({ value }: Person) => {
    const { user_id: userId, client_user_id: clientUserId } = value;
    const noted = { userId, clientUserId, at: new Date() };
    setRecents((before) => first(noted, before, (one) => one.userId === userId));
  }, []);
  const noteOrder = useCallback((id: string, person: Person | undefined) => {
    const personId = person?.value.user_id;
    const noted = { id, personId, clientUserId: person?.value.client_user_id, at: new Date() };
    setRecentOrders((before) =>
      first(noted, before, (one) => one.id === id && one.personId === personId),
    );
  }, []);
  const forgetRecents = useCallback(() => {
    setRecents([]);
    setRecentOrders([]);
  }, []);
  return { recents, recentOrders, notePerson, noteOrder, forgetRecents };
}

/** The list with this one first, and once. */
function first<T>(noted: T, before: readonly T[], isSame: (one: T) => boolean): readonly T[] {
  return [noted, ...before.filter((one) => !isSame(one))].slice(0, mostRecents);
}

/** The screen, the person and the mask. Only below DeskProvider. */
export function useDesk(): Desk {
  const desk = use(DeskContext);
  if (desk === undefined) throw new Error('useDesk needs a DeskProvider above');
  return desk;
}
