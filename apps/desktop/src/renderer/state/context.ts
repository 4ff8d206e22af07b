import { createContext, use } from 'react';
import type { Context } from 'react';

/** A context without a default, and its hook, which throws outside of the WorkspaceProvider. */
export function workspaceContext<T>(): [Context<T | undefined>, () => T] {
  const context = createContext<T | undefined>(undefined);
  const useValue = (): T => {
    const value = use(context);
    if (value === undefined) throw new Error('Only below WorkspaceProvider');
    return value;
  };
  return [context, useValue];
}
