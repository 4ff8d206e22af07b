import { useSyncExternalStore } from 'react';
import type { Policy, Settings, Status } from '../../shared/app-state.ts';
import type { UpdateState } from '../../shared/update.ts';
import { unwrap } from './service-call.ts';

interface Store<T> {
  readonly get: () => T;
  readonly set: (value: T) => void;
  readonly use: () => T;
}

export function store<T>(first: T): Store<T> {
  let value = first;
  const listeners = new Set<() => void>();
  const get = (): T => value;
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    get,
    set: (next) => {
      value = next;
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, get, get),
  };
}

/** The hook of a value that is there once `subscribeToMain` has resolved. */
function known<T>({ use }: Store<T | undefined>): () => T {
  return () => {
    const value = use();
    if (value === undefined) throw new Error('subscribeToMain has not finished');
    return value;
  };
}

function setFirst<T>({ get, set }: Store<T | undefined>, value: T): void {
  if (get() === undefined) set(value);
}

const status = store<Status | undefined>(undefined);
const settings = store<Settings | undefined>(undefined);
const policy = store<Policy | undefined>(undefined);
const countdown = store<number | undefined>(undefined);
const online = store(true);
const update = store<UpdateState | undefined>(undefined);
const minutesLeft = store<number | undefined>(undefined);
const arrival = store(0);
const lastAtDesk = store<string | undefined>(undefined);

/** Subscribes to main's events, before the first screen. Resolves when status and settings are known. */
export async function subscribeToMain(): Promise<void> {
  const { caregate } = window;
  caregate.onStatusChanged((next) => {
    const before = status.get();
    const isAnother = next.current !== undefined && next.current !== lastAtDesk.get();
    if (next.phase === 'signedOut' || isAnother) minutesLeft.set(undefined);
    if (isAnother) lastAtDesk.set(next.current);
    // Before the status, so that no frame shows the previous person's screens to the next.
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
  caregate.onUpdateChanged(update.set);
  caregate.onSignOutSoon(({ minutes }) => {
    minutesLeft.set(minutes);
  });
  const [statusNow, settingsNow, policyNow, updateNow] = await Promise.all([
    unwrap(caregate.status({})),
    unwrap(caregate.settings({})),
    unwrap(caregate.policy({})),
    unwrap(caregate.update({})),
  ]);
  // Events that came meanwhile are newer.
  if (status.get() === undefined) lastAtDesk.set(statusNow.current);
  setFirst(status, statusNow);
  setFirst(settings, settingsNow);
  setFirst(policy, policyNow);
  setFirst(update, updateNow);
}

export const useStatus = known(status);
export const useProviderName = (): string | undefined => status.use()?.provider?.name;
export const useSettings = known(settings);
export const usePolicy = known(policy);
export const useLastAtDesk = lastAtDesk.use;
/** Goes up each time that somebody comes to the desk, even if the one before never left it. */
export const useArrival = arrival.use;
/** Seconds until the lock, in its last minute. */
export const useLockCountdown = countdown.use;
export const useUpdate = update.use;
export const useOnline = online.use;
/** Minutes until the longest sign-in ends, when it is near. */
export const useMinutesLeft = minutesLeft.use;

function isArrival(before: Status | undefined, { phase, current }: Status): boolean {
  if (phase !== 'signedIn') return false;
  return before?.phase !== 'signedIn' || before.current !== current;
}
