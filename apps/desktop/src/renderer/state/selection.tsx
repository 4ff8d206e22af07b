import { createContext, use, useCallback, useMemo, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import type { FoundPerson } from '@caregate/domain';
import { useNavigation } from './navigation.tsx';
import type { ScreenName } from './navigation.tsx';
import type { Person } from './person.ts';
import { useRecents } from './recents.tsx';

/** How a person is opened. */
export interface Opening {
  /** The screen to begin with; Overview without one. */
  readonly screen?: ScreenName | undefined;
  /** A lab order, whose result is shown. */
  readonly order?: string | undefined;
  /** What the search said of the person. */
  readonly found?: FoundPerson | undefined;
}

/** Whom the screens are about. */
export interface PersonSelection {
  readonly person: Person | undefined;
  /** What the search said of the person, if they were found by one. */
  readonly found: FoundPerson | undefined;
  /** Selects a person and shows a screen. */
  readonly open: (person: Person, opening?: Opening) => void;
  readonly close: () => void;
  /** The same without a screen to go to: nobody is shown from now on. */
  readonly leave: () => void;
}

/** Which lab order Labs shows. */
interface OrderSelection {
  readonly order: string | undefined;
  /** Shows an order's lab result; it is closed together with the person. */
  readonly openOrder: (id: string) => void;
  /** The same where Labs is shown already: keys go on from where they are. */
  readonly chooseOrder: (id: string) => void;
  /** The same without a person: whoever is open is closed. */
  readonly openOrderAlone: (id: string) => void;
}

const PersonContext = createContext<PersonSelection | undefined>(undefined);
const OrderContext = createContext<OrderSelection | undefined>(undefined);

export function SelectionProvider({ children }: { children: ReactNode }): ReactElement {
  const { go } = useNavigation();
  const { addPerson } = useRecents();
  const [person, setPerson] = useState<Person>();
  const [found, setFound] = useState<FoundPerson>();
  const [order, setOrder] = useState<string>();
  const open = useCallback(
    (selected: Person, opening: Opening = {}) => {
      setPerson(selected);
      setFound(opening.found);
      addPerson(selected);
      setOrder(opening.order);
      go(opening.order === undefined ? (opening.screen ?? 'person') : 'labs');
    },
    [go, addPerson],
  );
  const leave = useCallback(() => {
    setPerson(undefined);
    setFound(undefined);
    setOrder(undefined);
  }, []);
  const close = useCallback(() => {
    leave();
    go('find');
  }, [leave, go]);
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
      setFound(undefined);
      openOrder(id);
    },
    [openOrder],
  );
  const ofPerson = useMemo(
    () => ({ person, found, open, close, leave }),
    [person, found, open, close, leave],
  );
  const ofOrder = useMemo(
    () => ({ order, openOrder, chooseOrder: setOrder, openOrderAlone }),
    [order, openOrder, openOrderAlone],
  );
  return (
    <PersonContext value={ofPerson}>
      <OrderContext value={ofOrder}>{children}</OrderContext>
    </PersonContext>
  );
}

/** Only below WorkspaceProvider. */
export function usePerson(): PersonSelection {
  const selection = use(PersonContext);
  if (selection === undefined) throw new Error('usePerson needs a WorkspaceProvider above');
  return selection;
}

/** Only below WorkspaceProvider. */
export function useOrder(): OrderSelection {
  const selection = use(OrderContext);
  if (selection === undefined) throw new Error('useOrder needs a WorkspaceProvider above');
  return selection;
}
