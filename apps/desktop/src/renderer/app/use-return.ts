import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { useStatus } from '../api/app-state.ts';
import { useLookUp } from './look-up.tsx';
import { TABS, useNavigation } from './navigation.tsx';
import { useSelection } from './selection.tsx';
import { useWorkspace, useWorkspaceState } from './workspace.tsx';

type Tab = (typeof TABS)[number];

/**
 * Reports to main which patient is open on which screen. After an unlock, it reopens the patient whom the same user had
 * open, unless the user starts to type.
 */
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
  // A layout effect reports at once what is shown, in case the desk is locked next. Search and Settings keep the patient open.
  useLayoutEffect(() => {
    if (tab !== undefined) lastTab.current = tab;
    const patient = clientUserId && { clientUserId, screen: lastTab.current };
    void window.caregate.noteOpen(patient ? { patient } : {});
    if (userId !== undefined && tab !== undefined) describe(userId, { screen: tab });
  }, [clientUserId, userId, tab, describe]);
}
