import { useMemo } from 'react';
import type { Received } from '../../../../shared/channels.ts';
import { checkIdentity, isSamePatient, needsLook } from '../identity/identity-check.ts';
import { useRead } from '../../../api/read.ts';
import type { Read } from '../../../api/read.ts';
import { callService, ServiceProblem } from '../../../api/service-call.ts';
import { isSameTest, readPanel, readSubId, testIdentitiesOfVersion } from '@caregate/domain';
import type { BiomarkerResult, LabOrderResult, OrderHistory, TestIdentity } from '@caregate/domain';
import type { Replaced } from './earlier-values.ts';
import type { NameOf } from '../results/result-names.ts';
import type { Text } from '../../../i18n/text.tsx';

interface HistoryQuery {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Received<OrderHistory>>;
}

export function historyQuery(personId: string | undefined, orderId: string): HistoryQuery {
  return {
    queryKey: ['orderHistory', personId, orderId],
    queryFn: async ({ signal }) => {
      const received = await callService('orderHistory', { orderId }, signal);
      if (received.value.order_id.toLowerCase() === orderId.toLowerCase()) return received;
      throw new ServiceProblem({ kind: 'serverBroken', operation: 'orderHistory' });
    },
  };
}

export function useHistory(props: {
  readonly orderId: string;
  readonly personId: string | undefined;
  readonly enabled: boolean;
}): Read<OrderHistory> | undefined {
  const { orderId, personId, enabled } = props;
  const { queryKey, queryFn } = historyQuery(personId, orderId);
  const read = useRead(queryKey, queryFn, { enabled });
  return enabled ? read : undefined;
}

export interface Correction {
  readonly replaced: { readonly at: string; readonly result: LabOrderResult } | undefined;
  /** The earlier version may be about somebody else: nothing of it is shown. */
  readonly isOfAnother: boolean;
  readonly changes: readonly ChangedPair[];
  readonly wasOf: (result: BiomarkerResult) => Replaced | undefined;
}

export function useCorrection(
  result: LabOrderResult | undefined,
  history: OrderHistory | undefined,
  birthDates: readonly string[] | undefined,
): Correction {
  return useMemo(() => correctionOf(result, history, birthDates), [result, history, birthDates]);
}

export function correctionOf(
  result: LabOrderResult | undefined,
  history: OrderHistory | undefined,
  birthDates: readonly string[] | undefined,
): Correction {
  const before = history?.replaced;
  if (!before || result === undefined) return noCorrection;
  const isOther =
    !isSamePatient(result.metadata, before.result.metadata) ||
    needsLook(checkIdentity({ result: before.result, birthDates }));
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
}

export const noCorrection: Correction = {
  replaced: undefined,
  isOfAnother: false,
  changes: [],
  wasOf: () => undefined,
};

export interface Pair {
  readonly now: BiomarkerResult | undefined;
  readonly before: BiomarkerResult | undefined;
}

type Results = Pick<LabOrderResult, 'results'>;

/** Results that nothing tells apart meet in their order. */
export function pairsOf(now: Results, before: Results): readonly Pair[] {
  const left = identified(before);
  const paired = identified(now).map((mine): Pair => {
    const place = left.findIndex((other) => isSameInVersions(mine, other));
    const [found] = place === -1 ? [] : left.splice(place, 1);
    return { now: mine.result, before: found?.result };
  });
  return [...paired, ...left.map(({ result }): Pair => ({ now: undefined, before: result }))];
}

interface Identified {
  readonly result: BiomarkerResult;
  readonly identity: TestIdentity | undefined;
}

function identified({ results }: Results): Identified[] {
  const identities = testIdentitiesOfVersion(results);
  return results.map((result, place) => ({ result, identity: identities[place] }));
}

function isSameInVersions(one: Identified, other: Identified): boolean {
  return (
    (one.identity !== undefined &&
      other.identity !== undefined &&
      isSameTest(one.identity, other.identity)) ||
    namesOf(one.result) === namesOf(other.result)
  );
}

function namesOf(result: BiomarkerResult): string {
  const { name, slug, loinc, provider_id, unit } = result;
  return JSON.stringify([
    name,
    slug,
    loinc,
    provider_id,
    unit,
    readPanel(result),
    readSubId(result),
  ]);
}

type Change = 'result' | 'details' | 'added' | 'gone';

function changeOf({ now, before }: Pair): Change | undefined {
  if (now === undefined) return 'gone';
  if (before === undefined) return 'added';
  if (now.result !== before.result || (now.unit ?? '') !== (before.unit ?? '')) return 'result';
  return restOf(now) === restOf(before) ? undefined : 'details';
}

function restOf(result: BiomarkerResult): string {
  return JSON.stringify([
    result.value ?? null,
    result.type ?? null,
    result.min_range_value ?? null,
    result.max_range_value ?? null,
    result.is_above_max_range ?? null,
    result.is_below_min_range ?? null,
    result.interpretation ?? null,
    result.notes ?? null,
  ]);
}

export interface ChangedPair extends Pair {
  readonly change: Change;
}

export function changesOf(now: Results, before: Results): readonly ChangedPair[] {
  return pairsOf(now, before).flatMap((pair) => {
    const change = changeOf(pair);
    return change === undefined ? [] : [{ ...pair, change }];
  });
}

const mostSaid = 3;

export function changeSentences(
  changes: readonly ChangedPair[],
  nameOf: NameOf,
  text: Text,
): readonly string[] {
  if (changes.length === 0) return [text('changes.none')];
  const said = changes.slice(0, mostSaid).map((pair) => sentenceOf(pair, nameOf, text));
  const more = changes.length - said.length;
  return more === 0 ? said : [...said, text('changes.more', { count: more })];
}

function sentenceOf({ now, before, change }: ChangedPair, nameOf: NameOf, text: Text): string {
  const named = now ?? before;
  return text(`changes.${change}`, {
    // Bidirectional isolation.
    name: `\u2068${named === undefined ? '' : nameOf(named)}\u2069`,
    now: now === undefined ? '' : isolated(now.result, now.unit),
    before:
      before === undefined
        ? ''
        : isolated(before.result, before.unit === now?.unit ? undefined : before.unit),
  });
}

function isolated(value: string, unit: string | null | undefined): string {
  return `\u2066${unit ? `${value} ${unit}` : value}\u2069`;
}

/** What a corrected result was before, as in "was 5.6". */
export function wasText(was: Replaced, now: BiomarkerResult, text: Text): string {
  if (was === 'added') return text('changes.wasNone');
  const isSameUnit = (was.unit ?? '') === (now.unit ?? '');
  return text('changes.was', { before: isolated(was.result, isSameUnit ? undefined : was.unit) });
}
