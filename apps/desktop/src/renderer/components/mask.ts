import { createContext, use } from 'react';

/** What stands for a value that the mask hides. */
export const hidden = '••••';

export const MaskContext = createContext(false);

/** Whether what tells who somebody is, is hidden (F8). */
export function useMasked(): boolean {
  return use(MaskContext);
}

/** The value, or what stands for it under the mask; what isn't given stays so. */
export function useMask(): <T>(value: T) => T | string {
  const masked = useMasked();
  return (value) =>
    masked && value !== undefined && value !== null && value !== '' ? hidden : value;
}
