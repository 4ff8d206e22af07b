import { useCallback, useMemo, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import type { FoundPerson } from '@caregate/domain';
import { workspaceContext } from './context.ts';
import { useNavigation } from './navigation.tsx';
import type { ScreenName } from './navigation.tsx';
import type { Person } from './person.ts';
import { useRecents } from './recents.tsx';

/** How a person is opened. */
export interface Opening {
  /** The first screen; Overview by default. */
  readonly screen?: ScreenName | undefined;
  /** A lab order whose result is shown. */
  readonly order?: string | undefined;
  /** The person's row in the search. */
  readonly found?: FoundPerson | undefined;
}

/** Whom the screens are about. */
export interface PersonSelection {
  readonly person: Person | undefined;
  /** The person's row in the search, if they were found by one. */
  readonly found: FoundPerson | undefined;
  /** Selects a person and shows a screen. */
  readonly open: (person: Person, opening?: Opening) => void;
  /** Closes the person and goes to Find. */
  readonly close: () => void;
  /** Closes the person and stays on the screen. */
  readonly leave: () => void;
}

/** Which lab order Labs shows; closed together with the person. */
interface OrderSelection {
  readonly order: string | undefined;
  /** Goes to Labs and shows the order. */
  readonly openOrder: (id: string) => void;
  /** Shows the order without a new visit, so that the focus stays. */
  readonly chooseOrder: (id: string) => void;
  /** Closes the person and opens the order without one. */
  readonly openOrderAlone: (id: string) => void;
}

const [PersonContext, usePerson] = workspaceContext<PersonSelection>();
const [OrderContext, useOrder] = workspaceContext<OrderSelection>();
export { useOrder, usePerson };

interface Selected {
  readonly person?: Person;
  readonly found?: FoundPerson | undefined;
  readonly order?: string | undefined;
}

export function SelectionProvider({ children }: { children: ReactNode }): ReactElement {
  const { go } = useNavigation();
  const { addPerson } = useRecents();
  const [{ person, found, order }, setSelected] = useState<Selected>({});
  const open = useCallback(
    (selected: Person, { screen = 'person', order, found }: Opening = {}) => {
      setSelected({ person: selected, found, order });
      addPerson(selected);
      go(order === undefined ? screen : 'labs');
    },
    [go, addPerson],
  );
  const leave = useCallback(() => {
    setSelected({});
  }, []);
  const close = useCallback(() => {
    leave();
    go('find');
  }, [leave, go]);
  const chooseOrder = useCallback((id: string) => {
    setSelected((before) => ({ ...before, order: id }));
  }, []);
  const openOrder = useCallback(
    (id: string) => {
      chooseOrder(id);
      go('labs');
    },
    [chooseOrder, go],
  );
  const openOrderAlone = useCallback(
    (id: string) => {
      leave();
      openOrder(id);
    },
    [leave, openOrder],
  );
  const ofPerson = useMemo(
    () => ({ person, found, open, close, leave }),
    [person, found, open, close, leave],
  );
  const ofOrder = useMemo(
    () => ({ order, openOrder, chooseOrder, openOrderAlone }),
    [order, openOrder, chooseOrder, openOrderAlone],
  );
  return (
    <PersonContext value={ofPerson}>
      <OrderContext value={ofOrder}>{children}</OrderContext>
    </PersonContext>
  );
}
