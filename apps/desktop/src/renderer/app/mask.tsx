import { createContext, use, useCallback, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';

export const hidden = '••••';

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

/** The value, or the placeholder under the mask; missing values stay missing. */
export function useMask(): <T>(value: T) => T | string {
  const masked = useMasked();
  return (value) =>
    masked && value !== undefined && value !== null && value !== '' ? hidden : value;
}
