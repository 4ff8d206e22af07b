import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { useStatus } from '../api/app-state.ts';
import { useLookUp } from './look-up.tsx';
import { TABS, useNavigation } from './navigation.tsx';
import { useSelection } from './selection.tsx';
import { useWorkspace, useWorkspaceState } from './workspace.tsx';

type Tab = (typeof TABS)[number];

/** Notes which patient is open on which screen; after a lock, opens the one that the same person had, unless they type meanwhile. */
export function useReturn(): void {
  const { returnTo } = useStatus();
  const { screen } = useNavigation();
  const { person } = useSelection();
  const { lookUp, cancel, pending } = useLookUp();
  const typed = useWorkspaceState('typed');
  const tab = TABS.find((one) => one === screen);
  const lastTab = useRef<Tab>('person');
  const { describe } = useWorkspace();
  const { client_user_id: clientUserId, user_id: userId } = person?.value ?? {};
  const onReturn = useEffectEvent(() => {
    if (returnTo === undefined) return;
    lookUp(returnTo.clientUserId, { screen: returnTo.screen, isReturn: true });
  });
  useLayoutEffect(() => {
    onReturn();
  }, []);
  const isOvertaken = pending?.isReturn === true && typed !== '';
  useEffect(() => {
    if (isOvertaken) cancel();
  }, [isOvertaken, cancel]);
  // With the screen: what is locked in the next moment is what was seen. Search and Settings keep the patient open.
  useLayoutEffect(() => {
    if (tab !== undefined) lastTab.current = tab;
    const patient = clientUserId && { clientUserId, screen: lastTab.current };
    void window.caregate.noteOpen(patient ? { patient } : {});
    if (userId !== undefined && tab !== undefined) describe(userId, { screen: tab });
  }, [clientUserId, userId, tab, describe]);
}
