import type { RecentOrder, RecentPerson } from '../features/search/recents.ts';
import { useSelection } from './selection.tsx';
import { useWorkspace, useWorkspaceState } from './workspace.tsx';
import type { Failure, WorkspaceState } from './workspace.tsx';

type Workspace = ReturnType<typeof useWorkspace>;

export function useSearchText(): Pick<WorkspaceState, 'typed' | 'begunOn'> &
  Pick<Workspace, 'setTyped' | 'begin'> {
  const { setTyped, begin } = useWorkspace();
  return {
    typed: useWorkspaceState('typed'),
    begunOn: useWorkspaceState('begunOn'),
    ...{ setTyped, begin },
  };
}

export interface LookUp extends Pick<Workspace, 'lookUp' | 'lookUpScan' | 'cancel' | 'dismiss'> {
  readonly pending: WorkspaceState['pending'];
  /** Shown only on the visit on which it happened. */
  readonly failure: Failure | undefined;
}

export function useLookUp(): LookUp {
  const { lookUp, lookUpScan, cancel, dismiss } = useWorkspace();
  const visit = useWorkspaceState('visit');
  const failed = useWorkspaceState('failed');
  return {
    ...{ lookUp, lookUpScan, cancel, dismiss },
    pending: useWorkspaceState('pending'),
    failure: failed?.visit === visit ? failed : undefined,
  };
}

/** Reopens recents by a new request, an order only under its own person. */
export function useReopen(): {
  readonly person: (recent: RecentPerson) => void;
  readonly order: (recent: RecentOrder) => void;
} {
  const { person: current, openOrder, openOrderAlone } = useSelection();
  const { lookUp } = useLookUp();
  return {
    person: ({ clientUserId }) => {
      lookUp(clientUserId);
    },
    order: ({ id, personId, clientUserId }) => {
      if (clientUserId === undefined) openOrderAlone(id);
      else if (personId === current?.value.user_id) openOrder(id);
      else lookUp(clientUserId, { order: id });
    },
  };
}

/** MRNs may be UUIDs too, so only Labs treats a code as an order number. */
export function looksLikeOrder(code: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu.test(code);
}
