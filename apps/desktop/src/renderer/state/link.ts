import { useSyncExternalStore } from 'react';
import type { EventOf } from '../../bridge/channels.ts';

export type LinkState =
  | { readonly asked: EventOf<'linkAsked'> }
  | { readonly refused: EventOf<'linkRefused'>['why'] }
  | undefined;

let state: LinkState;
const listeners = new Set<() => void>();

function set(next: LinkState): void {
  state = next;
  for (const listener of listeners) listener();
}

/** Subscribes to links of other programs, before the first screen. */
export function subscribeToLinks(): void {
  const { caregate } = window;
  caregate.onLinkAsked((asked) => {
    // While somebody reads one, no other takes its place under the finger.
    if (state === undefined || !('asked' in state)) set({ asked });
  });
  caregate.onLinkRefused(({ why }) => {
    if (state === undefined || !('asked' in state)) set({ refused: why });
  });
  // Asked of whoever was there, and of nobody after them.
  caregate.onStatusChanged(({ phase }) => {
    if (phase !== 'signedIn') forgetAsked();
  });
}

function forgetAsked(): void {
  if (state !== undefined && 'asked' in state) set(undefined);
}

/** A link that is asked about, or that was refused. */
export function useLink(): LinkState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
    () => state,
  );
}

export function closeLink(): void {
  set(undefined);
}
