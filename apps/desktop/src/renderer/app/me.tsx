import { useQuery } from '@tanstack/react-query';
import type { Emergency, Me, Person as DeskPerson } from '../../shared/people.ts';
import { useStatus } from '../api/app-state.ts';
import { SCREEN_OPERATIONS, type ScreenName } from './navigation.tsx';
import { useSelection } from './selection.tsx';
import { callService } from '../api/service-call.ts';

type May = Me['permissions'][number]['may'];

function useMe(): Me | undefined {
  const { current = '' } = useStatus();
  const { data } = useQuery({
    queryKey: ['me', current],
    queryFn: async ({ signal }) => (await callService('me', {}, signal)).value,
    staleTime: Infinity,
  });
  return data;
}

export function useCurrentPerson(): DeskPerson | undefined {
  const { people, current } = useStatus();
  return people.find(({ staffId }) => staffId === current);
}

export function useRole(): string | undefined {
  return useCurrentPerson()?.role;
}

export function useIsAuditor(): boolean {
  return useRole() === 'auditor';
}

export function useEmergencyHere(): Emergency | undefined {
  const { emergency } = useStatus();
  const { person } = useSelection();
  return emergency?.userId === person?.value.user_id ? emergency : undefined;
}

/** Whether emergency access would permit more, and isn't active for the open patient. */
export function useCanAskEmergency(): boolean {
  const me = useMe();
  const emergency = useEmergencyHere();
  return emergency === undefined && me?.permissions.some(({ may }) => may === 'emergency') === true;
}

/** Returns `yes` until the permissions are loaded, since the service checks each request anyway. */
export function useMay(screen: ScreenName): May {
  return useMayAsk(SCREEN_OPERATIONS[screen]);
}

export function useMayAsk(operation: string | undefined): May {
  const me = useMe();
  const emergency = useEmergencyHere();
  const may = me?.permissions.find((one) => one.operation === operation)?.may ?? 'yes';
  return may === 'emergency' && emergency !== undefined ? 'yes' : may;
}
