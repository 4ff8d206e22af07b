import { useWorkspace, useWorkspaceState } from './workspace.tsx';
import type { Failure, WorkspaceState } from './workspace.tsx';

type Workspace = ReturnType<typeof useWorkspace>;

export interface LookUp extends Pick<Workspace, 'lookUp' | 'lookUpScan' | 'cancel' | 'dismiss'> {
  readonly pending: WorkspaceState['pending'];
  /** The failure is shown only during the visit in which it happened. */
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

/** Since an MRN may also be a UUID, only Labs treats a UUID as an order number. */
export function looksLikeOrder(code: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu.test(code);
}
