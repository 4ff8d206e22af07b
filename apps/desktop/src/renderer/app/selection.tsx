import { useWorkspace, useWorkspaceState, type WorkspaceState } from './workspace.tsx';

type Actions =
  | 'open'
  | 'close'
  | 'leave'
  | 'openOrder'
  | 'chooseOrder'
  | 'openOrderAlone'
  | 'openOverTime';

export function useSelection(): Pick<WorkspaceState, 'person' | 'found' | 'search' | 'order'> &
  Pick<ReturnType<typeof useWorkspace>, Actions> {
  const { open, close, leave, openOrder, chooseOrder, openOrderAlone, openOverTime } =
    useWorkspace();
  return {
    person: useWorkspaceState('person'),
    found: useWorkspaceState('found'),
    search: useWorkspaceState('search'),
    order: useWorkspaceState('order'),
    ...{ open, close, leave, openOrder, chooseOrder, openOrderAlone, openOverTime },
  };
}

/** The patient whose access history the auditor reads. */
export function useAuditSubject(): Pick<WorkspaceState, 'subject'> &
  Pick<ReturnType<typeof useWorkspace>, 'setSubject'> {
  return { subject: useWorkspaceState('subject'), setSubject: useWorkspace().setSubject };
}
