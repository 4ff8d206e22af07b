import { isSameTest, readPanel, readSubId, identifyVersionTests } from '@caregate/domain';
import type { BiomarkerResult, LabOrderResult, OrderHistory, TestIdentity } from '@caregate/domain';
import type { Received } from '../../../../shared/channels.ts';
import { useRead, type Read } from '../../../api/read.ts';
import { callService, ServiceProblem } from '../../../api/service-call.ts';
import type { Text } from '../../../i18n/text.tsx';
import { checkIdentity, isSamePatient, needsLook } from '../identity/identity-check.ts';
import type { GetName } from '../results/result-names.ts';
import type { Replaced } from './earlier-values.ts';

export function createHistoryQuery(
  personId: string | undefined,
  orderId: string,
): {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Received<OrderHistory>>;
} {
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
  const { queryKey, queryFn } = createHistoryQuery(personId, orderId);
  const read = useRead(queryKey, queryFn, { enabled });
  return enabled ? read : undefined;
}

export interface Correction {
  /** Undefined if no earlier version is shown. */
  readonly changes: readonly Change[] | undefined;
  /** Whether the earlier version may be about another patient. If so, nothing of it is shown. */
  readonly isOfAnother: boolean;
  readonly findReplaced: (result: BiomarkerResult) => Replaced | undefined;
}

export const noCorrection: Correction = {
  changes: undefined,
  isOfAnother: false,
  findReplaced: () => undefined,
};

export function findCorrection(
  result: LabOrderResult | undefined,
  history: OrderHistory | undefined,
  birthDates: readonly string[] | undefined,
): Correction {
  const before = history?.replaced?.result;
  if (before === undefined || result === undefined) return noCorrection;
  const isOfAnother =
    !isSamePatient(result.metadata, before.metadata) ||
    needsLook(checkIdentity({ result: before, birthDates }));
  if (isOfAnother) return { ...noCorrection, isOfAnother };
  const changes = findChanges(result, before);
  const replaced = new Map(
    changes.flatMap(({ now, before: earlier, kind }) =>
      now === undefined || kind === 'details' ? [] : [[now, earlier ?? 'added'] as const],
    ),
  );
  return { changes, isOfAnother, findReplaced: (one) => replaced.get(one) };
}

interface Pair {
  readonly now: BiomarkerResult | undefined;
  readonly before: BiomarkerResult | undefined;
}

interface Change extends Pair {
  /** `details` means that anything but the result and its unit changed. */
  readonly kind: 'result' | 'details' | 'added' | 'gone';
}

type Results = Pick<LabOrderResult, 'results'>;

export function findChanges(now: Results, before: Results): readonly Change[] {
  return pairResults(now, before).flatMap((pair) => {
    const kind = classifyPair(pair);
    return kind === undefined ? [] : [{ ...pair, kind }];
  });
}

/** Pairs the results of the same test. Indistinguishable results are paired by their order. */
export function pairResults(now: Results, before: Results): readonly Pair[] {
  const unpaired = identifyResults(before);
  const paired = identifyResults(now).map((current): Pair => {
    const place = unpaired.findIndex((other) => isSameInVersions(current, other));
    const [found] = place === -1 ? [] : unpaired.splice(place, 1);
    return { now: current.result, before: found?.result };
  });
  return [...paired, ...unpaired.map(({ result }): Pair => ({ now: undefined, before: result }))];
}

interface IdentifiedResult {
  readonly result: BiomarkerResult;
  readonly identity: TestIdentity | undefined;
}

function identifyResults({ results }: Results): IdentifiedResult[] {
  const identities = identifyVersionTests(results);
  return results.map((result, place) => ({ result, identity: identities[place] }));
}

function isSameInVersions(one: IdentifiedResult, other: IdentifiedResult): boolean {
  return (
    (one.identity !== undefined &&
      other.identity !== undefined &&
      isSameTest(one.identity, other.identity)) ||
    serializeNames(one.result) === serializeNames(other.result)
  );
}

function serializeNames(result: BiomarkerResult): string {
  const { name, slug, loinc, provider_id: provider, unit } = result;
  const names = [name, slug, loinc, provider, unit, readPanel(result), readSubId(result)];
  return JSON.stringify(names);
}

function classifyPair({ now, before }: Pair): Change['kind'] | undefined {
  if (now === undefined) return 'gone';
  if (before === undefined) return 'added';
  if (now.result !== before.result || (now.unit ?? '') !== (before.unit ?? '')) return 'result';
  return serializeDetails(now) === serializeDetails(before) ? undefined : 'details';
}

const DETAILS = [
  ...(['value', 'type', 'min_range_value', 'max_range_value', 'interpretation', 'notes'] as const),
  ...(['is_above_max_range', 'is_below_min_range'] as const),
] as const;

function serializeDetails(result: BiomarkerResult): string {
  return JSON.stringify(DETAILS.map((member) => result[member] ?? null));
}

const MAX_SENTENCES = 3;

/** Describes what a correction changed. "No result differs" is said only of a report that is marked as corrected. */
export function describeChanges(
  { changes, isOfAnother }: Pick<Correction, 'changes' | 'isOfAnother'>,
  isCorrected: boolean,
  getName: GetName,
  text: Text,
): readonly string[] {
  if (isOfAnother) return [text('changes.otherPerson')];
  if (changes === undefined) return [];
  if (changes.length === 0) return isCorrected ? [text('changes.none')] : [];
  const sentences = changes.slice(0, MAX_SENTENCES).map(({ now, before, kind }) => {
    const changed = now ?? before;
    return text(`changes.${kind}`, {
      // These are the characters for bidirectional isolation.
      name: `\u2068${changed ? getName(changed) : ''}\u2069`,
      now: now ? isolateValue(now.result, now.unit) : '',
      before: before
        ? isolateValue(before.result, before.unit === now?.unit ? '' : before.unit)
        : '',
    });
  });
  const more = changes.length - sentences.length;
  return more === 0 ? sentences : [...sentences, text('changes.more', { count: more })];
}

/** Formats what a corrected result was before, such as "was 5.6". */
export function formatReplaced(replaced: Replaced, now: BiomarkerResult, text: Text): string {
  if (replaced === 'added') return text('changes.wasNone');
  const isSameUnit = (replaced.unit ?? '') === (now.unit ?? '');
  return text('changes.was', {
    before: isolateValue(replaced.result, isSameUnit ? '' : replaced.unit),
  });
}

function isolateValue(value: string, unit: string | null | undefined): string {
  return `\u2066${unit ? `${value} ${unit}` : value}\u2069`;
}
