import { useWorkspace, useWorkspaceState } from './workspace.tsx';

export const hidden = '••••';

export function useMasked(): boolean {
  return useWorkspaceState('isMasked');
}

export function useToggleMask(): () => void {
  return useWorkspace().toggleMask;
}

/** The value, or the placeholder under the mask; missing values stay missing. */
export function useMask(): <T>(value: T) => T | string {
  const masked = useMasked();
  return (value) =>
    masked && value !== undefined && value !== null && value !== '' ? hidden : value;
}
