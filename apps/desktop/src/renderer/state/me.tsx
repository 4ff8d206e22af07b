import { useQuery } from '@tanstack/react-query';
import type { Emergency, Me, Person as DeskPerson } from '../../bridge/people.ts';
import { useStatus } from './app-state.ts';
import type { ScreenName } from './navigation.tsx';
import { usePerson } from './selection.tsx';
import { unwrap } from './service-call.ts';

type May = Me['permissions'][number]['may'];

/** What each screen reads of the service. */
const operations: Readonly<Record<ScreenName, string | undefined>> = {
  find: 'resolveUser',
  labs: 'labOrderResult',
  activity: 'mindfulnessMinutes',
  insurance: 'latestInsurance',
  recents: 'resolveUser',
  today: 'resolveUser',
  person: 'resolveUser',
  details: 'resolveUser',
  settings: undefined,
  about: undefined,
  accesses: 'listAuditEvents',
  reviews: 'listBreakGlass',
  alarms: 'listAuditAlarms',
  log: 'auditCheckpoint',
};

/** Whoever is at the desk; undefined until the service has said so, and where it can't. */
export function useMe(): Me | undefined {
  const { current, keyId } = useStatus();
  const { data } = useQuery({
    queryKey: ['me', current ?? keyId ?? ''],
    queryFn: () => unwrap(window.caregate.me({})),
    staleTime: Infinity,
  });
  return data;
}

/** Whoever is at the desk, as the desk knows them: a staff member. Undefined for a key that is bound to nobody. */
export function useCurrentPerson(): DeskPerson | undefined {
  const { people, current } = useStatus();
  return people.find(({ staffId }) => staffId === current);
}

/** The role of whoever is at the desk; undefined where it isn't known. */
export function useRole(): string | undefined {
  const me = useMe();
  return useCurrentPerson()?.role ?? me?.role;
}

/** Whether this is an auditor's desk: screens of the log, and none of people. */
export function useIsAuditor(): boolean {
  return useRole() === 'auditor';
}

/** Emergency access to whoever is open. */
export function useEmergencyHere(): Emergency | undefined {
  const { emergency } = useStatus();
  const { person } = usePerson();
  return emergency?.userId === person?.value.user_id ? emergency : undefined;
}

/** What whoever is at the desk may do on a screen now; `yes` where nothing is known, since the service decides. */
export function useMay(screen: ScreenName): May {
  return useMayAsk(operations[screen]);
}

/** The same of one operation of the service. */
export function useMayAsk(operation: string | undefined): May {
  const me = useMe();
  const emergency = useEmergencyHere();
  const may = me?.permissions.find((one) => one.operation === operation)?.may ?? 'yes';
  return may === 'emergency' && emergency !== undefined ? 'yes' : may;
}
