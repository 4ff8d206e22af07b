import type { EventOf } from '../../shared/channels.ts';
import { store } from '../api/app-state.ts';
import { warn } from './say.ts';

const link = store<EventOf<'linkAsked'> | undefined>(undefined);

export const useLink = link.use;

export function subscribeToLinks(): void {
  const { caregate } = window;
  // A newer link doesn't replace the one that somebody is reading.
  caregate.onLinkAsked((asked) => {
    if (link.get() === undefined) link.set(asked);
  });
  caregate.onLinkRefused(({ why }) => {
    if (link.get() === undefined) warn(`link.refused.${why}`);
  });
  // The question was for whoever was signed in.
  caregate.onStatusChanged(({ phase }) => {
    if (phase !== 'signedIn') closeLink();
  });
}

export function closeLink(): void {
  link.set(undefined);
}
