import { useCallback, useState } from 'react';
import { needsLook } from './identity-check.ts';
import type { IdentityCheck } from './identity-check.ts';

/** What somebody attempted before it was confirmed that the report is about the person. */
type Attempt = 'print' | 'copy';

/** Whether a report may leave the screen under the person who is open, and why not. */
export interface IdentityGate {
  readonly check: IdentityCheck;
  /** Nothing is printed or copied. */
  readonly isBlocked: boolean;
  /** Why it is the right person all the same; only where that had to be said. */
  readonly reason: string | undefined;
  readonly confirm: (reason: string) => void;
  /** What was attempted last, and how many times anything was; undefined before the first. */
  readonly attempted: { readonly what: Attempt; readonly times: number } | undefined;
  readonly onAttempt: (what: Attempt) => void;
}

/** At least so many characters that can be seen: shorter ones say nothing to whoever reads the paper. */
export const minReasonLength = 15;

/**
 * The gate of one order under one person. What was confirmed is of this check alone, and is in memory only: gone with
 * the screen, and so with the person, the order and the lock.
 */
export function useIdentityGate(check: IdentityCheck): IdentityGate {
  const subject = JSON.stringify(check);
  const [confirmed, setConfirmed] = useState<{
    readonly subject: string;
    readonly reason: string;
  }>();
  const [attempted, setAttempted] = useState<IdentityGate['attempted']>();
  const reason = confirmed?.subject === subject ? confirmed.reason : undefined;
  const confirm = useCallback(
    (given: string) => {
      setConfirmed({ subject, reason: given });
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
/** Letters, digits, punctuation and symbols; not those that are drawn as nothing, nor the blank of Braille. */
const visible = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * How many characters of a text can be seen, each with its accents counted once. Spaces, control and zero-width
 * characters, and accents with nothing to stand on, are none.
 */
export function visibleLength(text: string): number {
  return [...graphemes.segment(text)].filter(({ segment }) => visible.test(segment)).length;
}
