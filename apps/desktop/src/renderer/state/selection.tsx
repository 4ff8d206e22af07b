import { useMemo, useState } from 'react';
import type { FoundPerson } from '@caregate/domain';
import { provided } from './context.tsx';
import { useNavigation } from './navigation.tsx';
import type { ScreenName } from './navigation.tsx';
import type { Person } from './person.ts';
import { useRecents } from './recents.tsx';

export interface Opening {
  /** The first screen; Overview by default. */
  readonly screen?: ScreenName | undefined;
  readonly order?: string | undefined;
  readonly found?: FoundPerson | undefined;
}

interface Selection {
  readonly person: Person | undefined;
  readonly found: FoundPerson | undefined;
  readonly open: (person: Person, opening?: Opening) => void;
  /** Closes the person and goes to Find. */
  readonly close: () => void;
  /** Closes the person and stays on the screen. */
  readonly leave: () => void;
  readonly order: string | undefined;
  readonly openOrder: (id: string) => void;
  /** Shows the order without a new visit, so that the focus stays. */
  readonly chooseOrder: (id: string) => void;
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
