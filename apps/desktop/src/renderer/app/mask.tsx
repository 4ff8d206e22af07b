import { useWorkspaceState } from './workspace.tsx';

export const hidden = '••••';

export function useMasked(): boolean {
  return useWorkspaceState('isMasked');
}

/** Replaces a value with a placeholder while the mask is on. An absent value stays absent. */
export function useMask(): <T>(value: T) => T | string {
  const masked = useMasked();
  return (value) =>
    masked && value !== undefined && value !== null && value !== '' ? hidden : value;
}
