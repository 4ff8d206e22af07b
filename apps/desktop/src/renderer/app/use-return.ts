import { useEffectEvent, useLayoutEffect } from 'react';
import type { OpenPatient } from '../../shared/people.ts';
import { useLookUp } from './look-up.tsx';
import { TABS, useNavigation } from './navigation.tsx';
import { useSelection } from './selection.tsx';

/** Tells main which patient is on the screen; after a lock, opens the one that the same person had there. */
export function useReturn(): void {
  const { screen } = useNavigation();
  const { person } = useSelection();
  const { lookUp } = useLookUp();
  const shown = TABS.find((tab) => tab === screen);
  const clientUserId = shown === undefined ? undefined : person?.value.client_user_id;
  const onReturn = useEffectEvent((patient: OpenPatient) => {
    lookUp(patient.clientUserId, { screen: patient.screen });
  });
  useLayoutEffect(() => {
    let isHere = true;
    void window.caregate.takeReturn({}).then((answer) => {
      if (isHere && answer.ok && answer.value.patient) onReturn(answer.value.patient);
    });
    return () => {
      isHere = false;
    };
  }, []);
  // With the screen: what is locked in the next moment is what was seen.
  useLayoutEffect(() => {
    const isOpen = clientUserId !== undefined && shown !== undefined;
    void window.caregate.noteOpen(isOpen ? { patient: { clientUserId, screen: shown } } : {});
  }, [clientUserId, shown]);
}
