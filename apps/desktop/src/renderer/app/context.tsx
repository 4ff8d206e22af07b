import { createContext, use } from 'react';
import type { ReactElement, ReactNode } from 'react';

/** State of the workspace: its provider, and its hook, which throws outside of it. */
export function provided<T, P extends object = object>(
  useValue: (props: P) => T,
): [
  Provider: (props: P & { readonly children?: ReactNode }) => ReactElement,
  useProvided: () => T,
] {
  const Context = createContext<T | undefined>(undefined);
  const Provider = (props: P & { readonly children?: ReactNode }): ReactElement => (
    <Context value={useValue(props)}>{props.children}</Context>
  );
  const useProvided = (): T => {
    const value = use(Context);
    if (value === undefined) throw new Error('Only below WorkspaceProvider');
    return value;
  };
  return [Provider, useProvided];
}
