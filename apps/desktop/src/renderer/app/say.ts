import type { Problem } from '../../shared/problem.ts';
import type { MessageKey, Values } from '../i18n/text.tsx';
import { changePage, pageState } from '../api/app-state.ts';

/** A notice of an event disappears; a warning or a problem stays until it is closed. */
export type Notice =
  | { readonly kind: 'event'; readonly key: MessageKey; readonly values: Values }
  | { readonly kind: 'warning'; readonly key: MessageKey; readonly values: Values }
  | { readonly kind: 'problem'; readonly key: MessageKey; readonly problem: Problem };

export function say(key: MessageKey, values: Values = {}): void {
  add({ kind: 'event', key, values });
}

export function warn(key: MessageKey, values: Values = {}): void {
  add({ kind: 'warning', key, values });
}

export function complain(key: MessageKey, problem: Problem): void {
  add({ kind: 'problem', key, problem });
}

/** Removes only the notice with this text. */
export function unsay(key: MessageKey): void {
  changePage({ notices: pageState().notices.filter((notice) => notice.key !== key) });
}

export function unsayAll(): void {
  changePage({ notices: [] });
}

/** The same text replaces its earlier notice, so that its time restarts. */
function add(notice: Notice): void {
  unsay(notice.key);
  changePage({ notices: [...pageState().notices, notice] });
}
