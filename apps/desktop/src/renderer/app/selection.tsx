import { useMemo, useState } from 'react';
import type { FoundPerson } from '@caregate/domain';
import { provided } from './context.tsx';
import { useNavigation } from './navigation.tsx';
import type { ScreenName } from './navigation.tsx';
import type { Person } from '../features/patient/person.ts';
import { useRecents } from '../features/search/recents.tsx';

export interface Opening {
  /** The first screen; Overview by default. */
  readonly screen?: ScreenName | undefined;
  readonly order?: string | undefined;
  readonly found?: FoundPerson | undefined;
  readonly search?: SearchAnswer | undefined;
}

/** The search that found the patient. */
interface SearchAnswer {
  readonly receivedAt: string;
  /** Everybody whom it found, if it was by name and complete: nobody else has this name. */
  readonly people: readonly FoundPerson[] | undefined;
}

interface Selection {
  readonly person: Person | undefined;
  readonly found: FoundPerson | undefined;
  readonly search: SearchAnswer | undefined;
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

const nobody = { person: undefined, found: undefined, search: undefined, order: undefined };

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
    const open = (person: Person, opening: Opening = {}): void => {
      const { screen = 'person', order, found, search } = opening;
      setSelected({ person, found, search, order });
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
