import { PATIENT_SCREENS } from '../../shared/people.ts';
import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';
import { useWorkspace, useWorkspaceState } from './workspace.tsx';

export const SCREEN_OPERATIONS = {
  find: 'resolveUser',
  labs: 'labOrderResult',
  insurance: 'latestInsurance',
  person: 'resolveUser',
  settings: undefined,
  about: undefined,
  accesses: 'listAuditEvents',
  reviews: 'listBreakGlass',
} as const;
export type ScreenName = keyof typeof SCREEN_OPERATIONS;

/** Of the open patient, by Ctrl and the place. */
export const TABS = PATIENT_SCREENS satisfies readonly ScreenName[];

/** Ctrl+1 and 2 without a person. */
export const ALONE = ['find', 'labs'] as const satisfies readonly ScreenName[];

/** Of an auditor, in the order of Ctrl+1 and 2. */
export const AUDIT_RAIL = ['accesses', 'reviews'] as const satisfies readonly ScreenName[];

export function useNavigation(): {
  readonly screen: ScreenName;
  readonly visit: number;
  readonly go: (screen: ScreenName) => void;
} {
  const { go } = useWorkspace();
  return { screen: useWorkspaceState('screen'), visit: useWorkspaceState('visit'), go };
}

/** For the main control of a screen: focused on every visit, a field with its text selected. */
export function useAutoFocus<T extends HTMLElement>(): RefObject<T | null> {
  const { visit } = useNavigation();
  const control = useRef<T>(null);
  useEffect(() => {
    control.current?.focus();
    if (control.current instanceof HTMLInputElement) control.current.select();
  }, [visit]);
  return control;
}
