import { useMemo, useState } from 'react';
import type { FoundPerson } from '@caregate/domain';
import { provided } from './context.tsx';
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

/** Whom the screens are about, and which lab order Labs shows; closed together. */
interface Selection {
  readonly person: Person | undefined;
  /** The person's row in the search, if they were found by one. */
  readonly found: FoundPerson | undefined;
  /** Selects a person and shows a screen. */
  readonly open: (person: Person, opening?: Opening) => void;
  /** Closes the person and goes to Find. */
  readonly close: () => void;
  /** Closes the person and stays on the screen. */
  readonly leave: () => void;
  readonly order: string | undefined;
  /** Goes to Labs and shows the order. */
  readonly openOrder: (id: string) => void;
  /** Shows the order without a new visit, so that the focus stays. */
  readonly chooseOrder: (id: string) => void;
  /** Closes the person and opens the order without one. */
  readonly openOrderAlone: (id: string) => void;
}

const nobody = { person: undefined, found: undefined, order: undefined };

export const [SelectionProvider, useSelection] = provided((): Selection => {
  const { go } = useNavigation();
  const { addPerson } = useRecents();
  const [selected, setSelected] = useState<Pick<Selection, keyof typeof nobody>>(nobody);
  const actions = useMemo(() => {
    const leave = (): void => {
      setSelected(nobody);
    };
    const chooseOrder = (order: string): void => {
      setSelected((before) => ({ ...before, order }));
    };
    const openOrder = (id: string): void => {
      chooseOrder(id);
      go('labs');
    };
    const open = (person: Person, { screen = 'person', order, found }: Opening = {}): void => {
      setSelected({ person, found, order });
      addPerson(person);
      go(order === undefined ? screen : 'labs');
    };
    const close = (): void => {
      leave();
      go('find');
    };
    const openOrderAlone = (id: string): void => {
      leave();
      openOrder(id);
    };
    return { open, close, leave, openOrder, chooseOrder, openOrderAlone };
  }, [go, addPerson]);
  return useMemo(() => ({ ...selected, ...actions }), [selected, actions]);
});
