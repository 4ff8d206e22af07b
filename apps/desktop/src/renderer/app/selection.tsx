import { useWorkspace, useWorkspaceState } from './workspace.tsx';

export function useSelection() {
  const { close, leave, openOrder, chooseOrder, openOrderAlone, openOverTime } = useWorkspace();
  return {
    person: useWorkspaceState('person'),
    found: useWorkspaceState('found'),
    search: useWorkspaceState('search'),
    order: useWorkspaceState('order'),
    ...{ close, leave, openOrder, chooseOrder, openOrderAlone, openOverTime },
  };
}

/** The patient whose access history the auditor reads. */
export function useAuditSubject() {
  return { subject: useWorkspaceState('subject'), setSubject: useWorkspace().setSubject };
}
