import { useSyncExternalStore } from 'react';
import type { Policy, Settings, Status } from '../../bridge/app-state.ts';
import type { UpdateState } from '../../bridge/update.ts';
import type { WitnessState } from '../../bridge/witness.ts';
import { unwrap } from './service-call.ts';

interface Store<T> {
  readonly get: () => T;
  readonly set: (value: T) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

/** A value outside React that components subscribe to. */
function store<T>(first: T): Store<T> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function first<T>({ get, set }: Store<T | undefined>, value: T): void {
  if (get() === undefined) set(value);
}

const status = store<Status | undefined>(undefined);
const settings = store<Settings | undefined>(undefined);
const policy = store<Policy | undefined>(undefined);
const countdown = store<number | undefined>(undefined);
const online = store(true);
const witness = store<WitnessState | undefined>(undefined);
const update = store<UpdateState | undefined>(undefined);
const minutesLeft = store<number | undefined>(undefined);
const arrival = store(0);
const lastAtDesk = store<string | undefined>(undefined);

/** Subscribes to main's events, before the first screen. Resolves when status and settings are known. */
export async function subscribeToMain(): Promise<void> {
  const { caregate } = window;
  caregate.onStatusChanged((next) => {
    const before = status.get();
    // They are of one person's sign-in.
    const isAnother = next.current !== undefined && next.current !== lastAtDesk.get();
    if (next.phase === 'signedOut' || isAnother) minutesLeft.set(undefined);
    if (isAnother) lastAtDesk.set(next.current);
    // First, so that no frame has what was open before under somebody else.
    if (isArrival(before, next)) arrival.set(arrival.get() + 1);
    status.set(next);
  });
  caregate.onSettingsChanged(settings.set);
  caregate.onLockCountdown(({ seconds }) => {
    countdown.set(seconds);
  });
  caregate.onConnection(({ state }) => {
    online.set(state === 'online');
  });
  caregate.onWitnessChanged(witness.set);
  caregate.onUpdateChanged(update.set);
  caregate.onSignOutSoon(({ minutes }) => {
    minutesLeft.set(minutes);
  });
  const [statusNow, settingsNow, policyNow, witnessNow, updateNow] = await Promise.all([
    unwrap(caregate.status({})),
    unwrap(caregate.settings({})),
    unwrap(caregate.policy({})),
    unwrap(caregate.witness({})),
    unwrap(caregate.update({})),
  ]);
  // What main told since is newer.
  if (status.get() === undefined) lastAtDesk.set(statusNow.current);
  first(status, statusNow);
  first(settings, settingsNow);
  first(policy, policyNow);
  first(witness, witnessNow);
  first(update, updateNow);
}

/** Who is signed in, or that it is locked. Only after `subscribeToMain`. */
export function useStatus(): Status {
  return known(useStore(status));
}

/** The staff member who was at the desk last, by id. */
export function useLastAtDesk(): string | undefined {
  return useStore(lastAtDesk);
}

/** Goes up each time that somebody comes to the desk, also where the one before never left it. */
export function useArrival(): number {
  return useStore(arrival);
}

export function useSettings(): Settings {
  return known(useStore(settings));
}

/** What the policy of the computer fixes; the same from the start to the end of the program. */
export function usePolicy(): Policy {
  return known(useStore(policy));
}

/** Seconds until the lock in its last minute. */
export function useLockCountdown(): number | undefined {
  return useStore(countdown);
}

/** What is known of the audit log of the service. */
export function useWitness(): WitnessState | undefined {
  return useStore(witness);
}

/** What is known of newer versions of this program. */
export function useUpdate(): UpdateState | undefined {
  return useStore(update);
}

/** Whether the service answered when it was last asked. */
export function useOnline(): boolean {
  return useStore(online);
}

/** Minutes until the longest sign-in ends, when it is near. */
export function useMinutesLeft(): number | undefined {
  return useStore(minutesLeft);
}

/** The same where a page is rendered to text, as specs do. */
function useStore<T>({ subscribe, get }: Store<T>): T {
  return useSyncExternalStore(subscribe, get, get);
}

function isArrival(before: Status | undefined, { phase, current, keyId }: Status): boolean {
  if (phase !== 'signedIn') return false;
  return before?.phase !== 'signedIn' || before.current !== current || before.keyId !== keyId;
}

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('subscribeToMain has not finished');
  return value;
}
