import { createContext, use, useCallback, useMemo, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useNavigation } from './navigation.tsx';
import type { Person } from './person.ts';
import { useRecents } from './recents.tsx';

/** Whom the screens are about. */
export interface PersonSelection {
  readonly person: Person | undefined;
  /** Selects a person and shows the Person screen; with an order, its lab result. */
  readonly open: (person: Person, order?: string) => void;
  readonly close: () => void;
}

/** Which lab order Labs shows. */
interface OrderSelection {
  readonly order: string | undefined;
  /** Shows an order's lab result; it is closed together with the person. */
  readonly openOrder: (id: string) => void;
  /** The same without a person: whoever is open is closed. */
  readonly openOrderAlone: (id: string) => void;
}

const PersonContext = createContext<PersonSelection | undefined>(undefined);
const OrderContext = createContext<OrderSelection | undefined>(undefined);

export function SelectionProvider({ children }: { children: ReactNode }): ReactElement {
  const { go } = useNavigation();
  const { addPerson } = useRecents();
  const [person, setPerson] = useState<Person>();
  const [order, setOrder] = useState<string>();
  const open = useCallback(
    (selected: Person, itsOrder?: string) => {
      setPerson(selected);
      addPerson(selected);
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
  const ofPerson = useMemo(() => ({ person, open, close }), [person, open, close]);
  const ofOrder = useMemo(
    () => ({ order, openOrder, openOrderAlone }),
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
