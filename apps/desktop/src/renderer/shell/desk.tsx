import { createContext, use, useCallback, useMemo, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import type { User } from '@caregate/domain';
import type { Received } from '../../bridge/channels.ts';
import type { ScreenName } from '../screens/screens.ts';

/** The person that every screen but Find is about. */
export type Person = Received<User>;

export interface RecentOrder {
  readonly id: string;
  readonly personId: string | undefined;
}

export interface Desk {
  readonly screen: ScreenName;
  readonly go: (screen: ScreenName) => void;
  readonly person: Person | undefined;
  /** Chooses a person and shows the Person screen. */
  readonly open: (person: Person) => void;
  readonly close: () => void;
  /** The last ten, newest first. In memory only: gone with the lock and with the sign-out. */
  readonly recents: readonly Person[];
  /** The lab order to show. */
  readonly order: string | undefined;
  /** Shows an order's lab result; gives way with the person. */
  readonly openOrder: (id: string) => void;
  /** The last ten orders, newest first, each with the person it was opened under. In memory only. */
  readonly recentOrders: readonly RecentOrder[];
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
  const [order, setOrder] = useState<string>();
  const [recentOrders, setRecentOrders] = useState<readonly RecentOrder[]>([]);
  const [masked, setMasked] = useState(false);
  const open = useCallback((chosen: Person) => {
    setPerson(chosen);
    setOrder(undefined);
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
    setOrder(undefined);
    go('find');
  }, []);
  const personId = person?.value.user_id;
  const openOrder = useCallback(
    (id: string) => {
      setOrder(id);
      setRecentOrders((before) =>
        [
          { id, personId },
          ...before.filter((one) => one.id !== id || one.personId !== personId),
        ].slice(0, mostRecents),
      );
      go('labs');
    },
    [personId],
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
      recentOrders,
      masked,
      toggleMask,
    }),
    [screen, person, open, close, recents, order, openOrder, recentOrders, masked, toggleMask],
  );
  return <DeskContext value={desk}>{children}</DeskContext>;
}

/** The screen, the person and the mask. Only below DeskProvider. */
export function useDesk(): Desk {
  const desk = use(DeskContext);
  if (desk === undefined) throw new Error('useDesk needs a DeskProvider above');
  return desk;
}
