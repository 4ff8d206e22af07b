import { useSyncExternalStore } from 'react';
import type { AppState, DeepLink, Policy, Settings, Status } from '../../shared/app-state.ts';
import type { UpdateState } from '../../shared/update.ts';
import type { Toast } from '../app/toasts.ts';
import { unwrap } from './service-call.ts';

/** The state of the window. Most of it comes from main, and it doesn't depend on the user. */
interface PageState extends AppState {
  readonly lastAtDesk?: string | undefined;
  /** A link from another program that waits for confirmation. */
  readonly link?: DeepLink | undefined;
  readonly toasts: readonly Toast[];
}

// The state is complete once `subscribeToMain` has resolved, which is before the first screen.
let state = { toasts: [] } as unknown as PageState;
const listeners = new Set<() => void>();

export function getPageState(): PageState {
  return state;
}

export function changePage(change: Partial<PageState>): void {
  state = { ...state, ...change };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function usePageState<K extends keyof PageState>(key: K): PageState[K] {
  const read = (): PageState[K] => state[key];
  return useSyncExternalStore(subscribe, read, read);
}

export async function subscribeToMain(): Promise<void> {
  window.caregate.onState(({ link: _link, ...change }) =>
    changePage({ ...change, ...(change.status && toPageChange(change.status)) }),
  );
  const answer = await unwrap(window.caregate.state({}));
  // Changes that arrived during the request are newer than its answer.
  changePage({ ...answer, lastAtDesk: answer.status.current, ...state });
}

/** Updates the state that depends on the user, and drops the link if the user changes. */
function toPageChange({ phase, current }: Status): Partial<PageState> {
  const isSame = phase === 'signedIn' && current === state.lastAtDesk;
  return {
    lastAtDesk: current ?? state.lastAtDesk,
    ...(!isSame && { link: undefined }),
  };
}

export const useStatus = (): Status => usePageState('status');
/** Undefined until main has sent the status. */
export const useProviderName = (): string | undefined =>
  (usePageState('status') as Status | undefined)?.provider?.name;
export const useSettings = (): Settings => usePageState('settings');
export const usePolicy = (): Policy => usePageState('policy');
export const useUpdate = (): UpdateState => usePageState('update');
export const useOnline = (): boolean => usePageState('online');
