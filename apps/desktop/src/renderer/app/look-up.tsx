import { useWorkspace, useWorkspaceState } from './workspace.tsx';

export function useLookUp() {
  const { lookUp, lookUpScan, cancel, dismiss } = useWorkspace();
  const visit = useWorkspaceState('visit');
  const failed = useWorkspaceState('failed');
  return {
    ...{ lookUp, lookUpScan, cancel, dismiss },
    pending: useWorkspaceState('pending'),
    // A failure is shown only during the visit in which it happened.
    failure: failed?.visit === visit ? failed : undefined,
  };
}

export type LookUp = ReturnType<typeof useLookUp>;

/** Since an MRN may also be a UUID, only Labs treats a UUID as an order number. */
export function looksLikeOrder(code: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu.test(code);
}
