import type { Reason, Status } from '../../shared/app-state.ts';
import { withoutNullish } from '../without-nullish.ts';
import type { ReturnPlace } from '../lock/return-place.ts';
import type { SignInInfo } from '../staff/answers.ts';
import type { EnrolledDesk } from '../staff/desk-store.ts';
import type { PersonSession } from '../staff/person-session.ts';
import { DEMO_PIN, type Demo } from './demo.ts';

export type DeskState =
  | { readonly phase: 'signedOut'; readonly reason?: Reason }
  | {
      readonly phase: 'locked';
      readonly reason: Reason;
      readonly selectedStaffId?: string | undefined;
    }
  | { readonly phase: 'signedIn'; readonly person: PersonSession };

interface DeskSnapshot {
  readonly state: DeskState;
  readonly address: string;
  readonly info: SignInInfo | undefined;
  readonly desk: EnrolledDesk | undefined;
  readonly demo: Demo | undefined;
  readonly people: readonly PersonSession[];
  readonly returnPlace: ReturnPlace;
  readonly isSigningIn: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Builds the status for the page, which never includes a token. */
export function buildStatus(snapshot: DeskSnapshot): Status {
  const { state, address, info, desk, demo, people, returnPlace, isSigningIn, now } = snapshot;
  const person = state.phase === 'signedIn' ? state.person : undefined;
  const returning = state.phase === 'locked' ? returnPlace.findReturningPerson(now) : undefined;
  return withoutNullish({
    phase: state.phase,
    reason: 'reason' in state ? state.reason : undefined,
    address,
    demo: demo && { staff: demo.staff, pin: DEMO_PIN },
    clinicName: info?.clinic_name,
    deskName: desk?.name,
    enrolled: desk !== undefined,
    provider: info?.provider && { name: info.provider.name },
    pin: info?.pin ?? { min: 6, max: 12 },
    people: people.map((one) => one.toPerson()),
    current: person?.staffId,
    returning: returning && {
      staffId: returning.staffId,
      until: new Date(returning.until).toISOString(),
    },
    returnTo: person && returnPlace.returnTo,
    selectedStaffId: 'selectedStaffId' in state ? state.selectedStaffId : undefined,
    signingIn: isSigningIn,
    emergency: person?.findEmergency(Date.now()),
  });
}
