import { useMemo, useState } from 'react';
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
interface PersonSelection {
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
  const [ofPersonActions, ofOrderActions] = useMemo(() => {
    const leave = (): void => {
      setSelected({});
    };
    const chooseOrder = (id: string): void => {
      setSelected((before) => ({ ...before, order: id }));
    };
    const openOrder = (id: string): void => {
      chooseOrder(id);
      go('labs');
    };
    const open = (opened: Person, opening: Opening = {}): void => {
      setSelected({ person: opened, found: opening.found, order: opening.order });
      addPerson(opened);
      go(opening.order === undefined ? (opening.screen ?? 'person') : 'labs');
    };
    const close = (): void => {
      leave();
      go('find');
    };
    const openOrderAlone = (id: string): void => {
      leave();
      openOrder(id);
    };
    return [
      { open, close, leave },
      { openOrder, chooseOrder, openOrderAlone },
    ];
  }, [go, addPerson]);
  const ofPerson = useMemo(
    () => ({ person, found, ...ofPersonActions }),
    [person, found, ofPersonActions],
  );
  const ofOrder = useMemo(() => ({ order, ...ofOrderActions }), [order, ofOrderActions]);
  return (
    <PersonContext value={ofPerson}>
      <OrderContext value={ofOrder}>{children}</OrderContext>
    </PersonContext>
  );
}
