import { useCallback, useState } from 'react';
import { needsLook } from './identity-check.ts';
import type { IdentityCheck } from './identity-check.ts';

type Attempt = 'print' | 'copy';

export interface IdentityGate {
  readonly check: IdentityCheck;
  readonly isBlocked: boolean;
  readonly reason: string | undefined;
  readonly confirm: (reason: string) => void;
  readonly attempted: { readonly what: Attempt; readonly times: number } | undefined;
  readonly onAttempt: (what: Attempt) => void;
}

/** In visible characters: a shorter reason says nothing to the reader of the print. */
export const minReasonLength = 15;

/** The gate of one order under one person. A confirmation holds for this check, until the screen unmounts. */
export function useIdentityGate(check: IdentityCheck): IdentityGate {
  const subject = JSON.stringify(check);
  const [confirmed, setConfirmed] = useState<{
    readonly subject: string;
    readonly reason: string;
  }>();
  const [attempted, setAttempted] = useState<IdentityGate['attempted']>();
  const reason = confirmed?.subject === subject ? confirmed.reason : undefined;
  const confirm = useCallback(
    (confirmedReason: string) => {
      setConfirmed({ subject, reason: confirmedReason });
      setAttempted(undefined);
    },
    [subject],
  );
  const onAttempt = useCallback((what: Attempt) => {
    setAttempted((before) => ({ what, times: (before?.times ?? 0) + 1 }));
  }, []);
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
/** Letters, digits, punctuation and symbols, without those that render blank. */
const visible = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u;

export function visibleLength(text: string): number {
  return [...graphemes.segment(text)].filter(({ segment }) => visible.test(segment)).length;
}
