import { createContext, use, useCallback, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';

/** What stands for a value that the mask hides. */
export const hidden = '••••';

/** Whether what tells who somebody is, is hidden from people who look on (F8). */
export const MaskContext = createContext(false);
const ToggleContext = createContext<() => void>(() => undefined);

export function MaskProvider({ children }: { children: ReactNode }): ReactElement {
  const [masked, setMasked] = useState(false);
  const toggle = useCallback(() => {
    setMasked((before) => !before);
  }, []);
  return (
    <ToggleContext value={toggle}>
      <MaskContext value={masked}>{children}</MaskContext>
    </ToggleContext>
  );
}

export function useMasked(): boolean {
  return use(MaskContext);
}

export function useToggleMask(): () => void {
  return use(ToggleContext);
}

/** The value, or what stands for it under the mask; what isn't given stays so. */
export function useMask(): <T>(value: T) => T | string {
  const masked = useMasked();
  return (value) =>
    masked && value !== undefined && value !== null && value !== '' ? hidden : value;
}
