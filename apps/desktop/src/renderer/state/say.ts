import type { Problem } from '../../bridge/problem.ts';
import type { MessageKey, Values } from '../text/text.tsx';
import { store } from './app-state.ts';

/** An event goes by itself; a warning or a problem stays until it is closed or replaced. */
export type Said =
  | { readonly kind: 'event'; readonly key: MessageKey; readonly values: Values }
  | { readonly kind: 'warning'; readonly key: MessageKey; readonly values: Values }
  | { readonly kind: 'problem'; readonly key: MessageKey; readonly problem: Problem };

const said = store<Said | undefined>(undefined);

export const useSaid = said.use;

export function say(key: MessageKey, values: Values = {}): void {
  said.set({ kind: 'event', key, values });
}

export function warn(key: MessageKey, values: Values = {}): void {
  said.set({ kind: 'warning', key, values });
}

export function complain(key: MessageKey, problem: Problem): void {
  said.set({ kind: 'problem', key, problem });
}

export function unsay(): void {
  said.set(undefined);
}

/** Takes away a warning or a problem; an event goes by itself. */
export function unwarn(): void {
  if (said.get()?.kind !== 'event') unsay();
}
