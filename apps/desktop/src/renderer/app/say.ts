import type { Problem } from '../../shared/problem.ts';
import type { MessageKey, Values } from '../i18n/text.tsx';
import { changePage, pageState } from '../api/app-state.ts';

/** An event goes by itself; a warning or a problem stays until it is closed. */
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

/** Takes away the notice with this text, and no other. */
export function unsay(key: MessageKey): void {
  changePage({ notices: pageState().notices.filter((notice) => notice.key !== key) });
}

export function unsayAll(): void {
  changePage({ notices: [] });
}

/** The same text again replaces itself, so that its time begins anew. */
function add(notice: Notice): void {
  unsay(notice.key);
  changePage({ notices: [...pageState().notices, notice] });
}
