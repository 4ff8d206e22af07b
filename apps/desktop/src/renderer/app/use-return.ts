import { useEffectEvent, useLayoutEffect } from 'react';
import { useStatus } from '../api/app-state.ts';
import { useLookUp } from './look-up.tsx';
import { TABS, useNavigation } from './navigation.tsx';
import { useSelection } from './selection.tsx';

/** Tells main which patient is on the screen; after a lock, opens the one that the same person had there. */
export function useReturn(): void {
  const { returnTo } = useStatus();
  const { screen } = useNavigation();
  const { person } = useSelection();
  const { lookUp } = useLookUp();
  const shown = TABS.find((tab) => tab === screen);
  const clientUserId = shown === undefined ? undefined : person?.value.client_user_id;
  const onReturn = useEffectEvent(() => {
    if (returnTo !== undefined) lookUp(returnTo.clientUserId, { screen: returnTo.screen });
  });
  useLayoutEffect(() => {
    onReturn();
  }, []);
  // With the screen: what is locked in the next moment is what was seen.
  useLayoutEffect(() => {
    const isOpen = clientUserId !== undefined && shown !== undefined;
    void window.caregate.noteOpen(isOpen ? { patient: { clientUserId, screen: shown } } : {});
  }, [clientUserId, shown]);
}
