import { useMemo } from 'react';
import type { BiomarkerResult, LabOrderResult, OrderHistory, User } from '@caregate/domain';
import { checkIdentity, isSamePatient, needsLook } from '../../../state/orders/identity-check.ts';
import { changesOf } from './versions.ts';
import type { ChangedPair } from './versions.ts';

/** The version that a report replaced, and what changed. */
export interface Correction {
  readonly replaced: { readonly at: string; readonly result: LabOrderResult } | undefined;
  /** The earlier version may be about somebody else: nothing of it is shown. */
  readonly isOfAnother: boolean;
  readonly changes: readonly ChangedPair[];
  /** A changed result as the earlier version had it. */
  readonly wasOf: (result: BiomarkerResult) => BiomarkerResult | 'added' | undefined;
}

/** Compares a report with the version that it replaced, if the service has that and it is of the same person. */
export function useCorrection(
  result: LabOrderResult | undefined,
  history: OrderHistory | undefined,
  person: User | undefined,
): Correction {
  const before = history?.replaced;
  return useMemo(() => {
    if (!before || result === undefined) return noCorrection;
    const isOther =
      !isSamePatient(result.metadata, before.result.metadata) ||
      needsLook(checkIdentity({ result: before.result, person }));
    if (isOther) return { ...noCorrection, isOfAnother: true };
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

export const noCorrection: Correction = {
  replaced: undefined,
  isOfAnother: false,
  changes: [],
  wasOf: () => undefined,
};
