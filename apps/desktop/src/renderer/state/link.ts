import type { EventOf } from '../../bridge/channels.ts';
import { store } from './app-state.ts';

type LinkState =
  | { readonly asked: EventOf<'linkAsked'> }
  | { readonly refused: EventOf<'linkRefused'>['why'] }
  | undefined;

const link = store<LinkState>(undefined);

/** A link from another program that waits for confirmation, or was refused. */
export const useLink = link.use;

const isAsked = (state: LinkState): boolean => state !== undefined && 'asked' in state;

/** Subscribes to links of other programs, before the first screen. */
export function subscribeToLinks(): void {
  const { caregate } = window;
  // A newer link doesn't replace the one that somebody is reading.
  caregate.onLinkAsked((asked) => {
    if (!isAsked(link.get())) link.set({ asked });
  });
  caregate.onLinkRefused(({ why }) => {
    if (!isAsked(link.get())) link.set({ refused: why });
  });
  // The question was for whoever was signed in.
  caregate.onStatusChanged(({ phase }) => {
    if (phase !== 'signedIn' && isAsked(link.get())) closeLink();
  });
}

export function closeLink(): void {
  link.set(undefined);
}
