import { useEffect, useEffectEvent, useState } from 'react';
import type { Insurance } from '@caregate/domain';
import { useMay } from '../../../app/me.tsx';
import { useBirthDates } from '../../patient/identity.ts';
import { useInsurance } from '../../insurance/use-insurance.ts';
import type { Person } from '../../patient/person.ts';
import { needsLook, type IdentityCheck } from './identity-check.ts';

interface IdentitySources {
  readonly birthDates: readonly string[] | undefined;
  readonly insurance: Insurance | undefined;
  readonly isPending: boolean;
}

/** Reads the data with which a report is compared. It is read once in a session. */
export function useIdentitySources(person: Person | undefined): IdentitySources {
  const contact = useBirthDates(person);
  const may = useMay('insurance');
  const primary = useInsurance(person?.value.user_id ?? '', 'primary', {
    isWanted: person !== undefined && (may === 'yes' || may === 'mask'),
    staleTime: Infinity,
  });
  const insurance = primary.data?.value;
  return {
    birthDates: contact.birthDates,
    insurance,
    isPending: contact.isPending || (primary.isFetching && insurance === undefined),
  };
}

type Attempt = 'print' | 'copy';

export interface IdentityGate {
  readonly check: IdentityCheck;
  readonly isBlocked: boolean;
  readonly reason: string | undefined;
  readonly confirm: (reason: string) => void;
  readonly attempted: { readonly what: Attempt; readonly times: number } | undefined;
  readonly onAttempt: (what: Attempt) => void;
}

/** The minimum number of visible characters. The reason is printed with the report. */
export const minReasonLength = 15;

/** Blocks print and copy until the user confirms the identity. The confirmation ends when the component unmounts. */
export function useIdentityGate(check: IdentityCheck): IdentityGate {
  const subject = JSON.stringify(check);
  const [confirmed, setConfirmed] = useState<{
    readonly subject: string;
    readonly reason: string;
  }>();
  const [attempted, setAttempted] = useState<IdentityGate['attempted']>();
  const reason = confirmed?.subject === subject ? confirmed.reason : undefined;
  const confirm = (confirmedReason: string): void => {
    setConfirmed({ subject, reason: confirmedReason });
    setAttempted(undefined);
  };
  const onAttempt = (what: Attempt): void =>
    setAttempted((before) => ({ what, times: (before?.times ?? 0) + 1 }));
  const needed = needsLook(check);
  return {
    check,
    isBlocked: needed && reason === undefined,
    reason: needed ? reason : undefined,
    confirm,
    attempted,
    onAttempt,
  };
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** Matches letters, digits, punctuation and symbols, except those that render blank. */
const visible = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u;

export function countVisibleCharacters(text: string): number {
  return [...graphemes.segment(text)].filter(({ segment }) => visible.test(segment)).length;
}

/** Blocks copy, cut and drag outside of text fields. It also blocks selection, since Linux copies selected text. */
export function useCopyGuard(gate: Pick<IdentityGate, 'isBlocked' | 'onAttempt'>): void {
  const { isBlocked } = gate;
  const onAttempt = useEffectEvent(gate.onAttempt);
  useEffect(() => {
    if (!isBlocked) return undefined;
    const refuse = (event: Event): void => {
      if (isInField(event)) return;
      event.preventDefault();
      // `useClearedCopies` would otherwise copy the text.
      event.stopImmediatePropagation();
      if (event.type !== 'selectstart') onAttempt('copy');
    };
    if (!isField(document.activeElement)) getSelection()?.removeAllRanges();
    const kinds = ['copy', 'cut', 'dragstart', 'selectstart'] as const;
    for (const kind of kinds) document.addEventListener(kind, refuse, true);
    return () => {
      for (const kind of kinds) document.removeEventListener(kind, refuse, true);
    };
  }, [isBlocked]);
}

function isInField({ target }: Event): boolean {
  return isField(target instanceof Text ? target.parentElement : target);
}

function isField(element: EventTarget | null): boolean {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
}
