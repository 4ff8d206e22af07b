import { PATIENT_SCREENS } from '../../shared/people.ts';
import { useEffect, useRef, type RefObject } from 'react';
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

/** The tabs of the open patient, in the order of their keys, from Ctrl+1. */
export const TABS = PATIENT_SCREENS satisfies readonly ScreenName[];

/** The screens of Ctrl+1 and Ctrl+2 while no patient is open. */
export const ALONE = ['find', 'labs'] as const satisfies readonly ScreenName[];

/** An auditor's screens, in the order of Ctrl+1 and Ctrl+2. */
export const AUDIT_RAIL = ['accesses', 'reviews'] as const satisfies readonly ScreenName[];

export function useNavigation() {
  const { go } = useWorkspace();
  return { screen: useWorkspaceState('screen'), visit: useWorkspaceState('visit'), go };
}

/** Focuses the main control of a screen on every visit. In a text field, it also selects the text. */
export function useAutoFocus<T extends HTMLElement>(): RefObject<T | null> {
  const { visit } = useNavigation();
  const control = useRef<T>(null);
  useEffect(() => {
    control.current?.focus();
    if (control.current instanceof HTMLInputElement) control.current.select();
  }, [visit]);
  return control;
}
