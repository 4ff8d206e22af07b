import { useMemo } from 'react';
import type { BiomarkerResult, LabOrderResult, User } from '@caregate/domain';
import { checkIdentity, isSamePatient, needsLook } from '../identity/identity-check.ts';
import { changesOf } from './versions.ts';
import type { ChangedPair } from './versions.ts';
import type { History } from './use-history.ts';

/** What is known of the version that a report replaced. */
export interface Correction {
  readonly replaced: { readonly at: string; readonly result: LabOrderResult } | undefined;
  /** The version before may be about somebody else: nothing of it is shown. */
  readonly isOfAnother: boolean;
  readonly changes: readonly ChangedPair[];
  /** A result of the report as the version before had it, where it was another one. */
  readonly wasOf: (result: BiomarkerResult) => BiomarkerResult | 'added' | undefined;
}

/** Compares a report with the version that it replaced, where the service has that and it is of the same person. */
export function useCorrection(
  result: LabOrderResult,
  history: History | undefined,
  person: User | undefined,
): Correction {
  const before = history?.value?.replaced;
  return useMemo(() => {
    if (!before) return none;
    const isOther =
      !isSamePatient(result.metadata, before.result.metadata) ||
      needsLook(checkIdentity({ result: before.result, person }));
    if (isOther) return { ...none, isOfAnother: true };
    const changes = changesOf(result, before.result);
    const was = new Map(
      changes.flatMap(({ now, before: earlier, change }) => {
        if (now === undefined || change === 'details') return [];
        return [[now, earlier ?? 'added'] as const];
      }),
    );
    return {
      replaced: { at: before.replaced_at, result: before.result },
      isOfAnother: false,
      changes,
      wasOf: (one) => was.get(one),
    };
  }, [before, result, person]);
}

const none: Correction = {
  replaced: undefined,
  isOfAnother: false,
  changes: [],
  wasOf: () => undefined,
};
