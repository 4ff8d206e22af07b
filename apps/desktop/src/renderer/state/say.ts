import type { Problem } from '../../bridge/problem.ts';
import type { MessageKey, Values } from '../text/text.tsx';
import { store } from './app-state.ts';

/** What just happened, a warning that waits until it was read, or what went wrong. */
export type Said =
  | { readonly kind: 'event'; readonly key: MessageKey; readonly values: Values }
  | { readonly kind: 'warning'; readonly key: MessageKey; readonly values: Values }
  | { readonly kind: 'problem'; readonly key: MessageKey; readonly problem: Problem };

const said = store<Said | undefined>(undefined);

export const useSaid = said.use;

/** Tells what happened; it goes by itself. */
export function say(key: MessageKey, values: Values = {}): void {
  said.set({ kind: 'event', key, values });
}

/** Stays until it is closed, or something else is said. */
export function warn(key: MessageKey, values: Values = {}): void {
  said.set({ kind: 'warning', key, values });
}

/** Says what was not done, and why. */
export function complain(key: MessageKey, problem: Problem): void {
  said.set({ kind: 'problem', key, problem });
}

export function unsay(): void {
  said.set(undefined);
}

/** Takes a warning or a problem away; what just happened goes by itself. */
export function unwarn(): void {
  if (said.get()?.kind !== 'event') unsay();
}
