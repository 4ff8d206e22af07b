import type { Phase, Reason, Status } from '../../bridge/app-state.ts';
import type { People } from '../staff/people.ts';
import type { StaffSignIn } from '../staff/staff-sign-in.ts';
import type { Demo } from './demo.ts';
import type { KeyStore } from './key-store.ts';

interface DeskState {
  readonly phase: Phase;
  readonly reason: Reason | undefined;
  readonly address: string;
  readonly keyId: string | undefined;
  readonly keyStore: KeyStore;
  readonly staff: StaffSignIn;
  readonly demo: Demo | undefined;
  readonly people: People;
}

/** The status that the page gets: no key, no token. */
export function statusOf(state: DeskState): Status {
  const { phase, reason, address, keyId, keyStore, demo } = state;
  return {
    phase,
    ...(reason !== undefined && { reason }),
    address,
    ...(keyId !== undefined && { keyId }),
    ...(demo !== undefined && {
      demo: { roles: Object.keys(demo.keys), sampleClientUserId: demo.sampleClientUserId },
    }),
    canSaveKey: keyStore.canSave(),
    keySaved: isKeySaved(state),
    ...staffStatus(state),
  };
}

export function isKeySaved({
  phase,
  address,
  keyStore,
}: Pick<DeskState, 'phase' | 'address' | 'keyStore'>): boolean {
  switch (phase) {
    case 'signedOut':
      return keyStore.load(address) !== undefined;
    case 'signedIn':
      return keyStore.isStaged();
    case 'locked':
      return false;
  }
}

function staffStatus({
  address,
  staff,
  people,
}: DeskState): Omit<
  Status,
  'phase' | 'reason' | 'address' | 'keyId' | 'demo' | 'canSaveKey' | 'keySaved'
> {
  const info = staff.info(address);
  const desk = staff.desk(address);
  const { current, chosen } = people;
  const emergency = people.emergency(Date.now());
  const clinic = info?.clinic_name;
  const clinicTimeZone = info?.clinic_time_zone;
  return {
    ...(clinic !== undefined && { clinicName: clinic }),
    ...(clinicTimeZone !== undefined && { clinicTimeZone }),
    ...(desk !== undefined && { deskName: desk.name }),
    enrolled: desk !== undefined,
    ...(info?.provider && { provider: { name: info.provider.name } }),
    keys: info?.keys ?? true,
    pin: info?.pin ?? { min: 6, max: 12 },
    people: people.cards(),
    ...(current !== undefined && { current: current.staffId }),
    ...(chosen !== undefined && { chosen }),
    signingIn: staff.isPending,
    ...(emergency !== undefined && { emergency }),
  };
}
