import type { Problem } from '../../shared/problem.ts';
import type { MessageKey, Values } from '../i18n/text.tsx';
import { changePage, getPageState } from '../api/app-state.ts';

/** Information disappears after a while. A warning or an error stays until the user closes it. */
export type Toast =
  | { readonly kind: 'info'; readonly key: MessageKey; readonly values: Values }
  | { readonly kind: 'warning'; readonly key: MessageKey; readonly values: Values }
  | { readonly kind: 'error'; readonly key: MessageKey; readonly problem: Problem };

export const toast = {
  info: (key: MessageKey, values: Values = {}): void => add({ kind: 'info', key, values }),
  warn: (key: MessageKey, values: Values = {}): void => add({ kind: 'warning', key, values }),
  error: (key: MessageKey, problem: Problem): void => add({ kind: 'error', key, problem }),
  /** Removes only the toast with this text. */
  dismiss: (key: MessageKey): void =>
    changePage({ toasts: getPageState().toasts.filter((one) => one.key !== key) }),
  clear: (): void => changePage({ toasts: [] }),
};

/** A toast with the same text is replaced, so that its time restarts. */
function add(added: Toast): void {
  toast.dismiss(added.key);
  changePage({ toasts: [...getPageState().toasts, added] });
}
