import { INTERPRETATIONS, type LabOrderResult, type LabResultMetadata } from '@caregate/domain';
import { buildObservationKey, findReplacedKey } from './results/observation-key.ts';
import type { StoredMissing, StoredResult, ReportedOrder } from './report.ts';

type Entry =
  | { readonly key: string; readonly measured: StoredResult }
  | { readonly key: string; readonly missing: StoredMissing };

/**
 * Applies a message to the stored result of an order. A reported observation replaces the stored one with the same
 * test, sub-ID and panel, in its place; all others stay. The status is `partial` while a result is preliminary or the
 * order is incomplete, else `corrected` if a result was corrected, else `final`. The interpretation is the worst one
 * of the results.
 */
export function mergeResult(
  before: LabOrderResult | undefined,
  order: Pick<ReportedOrder, 'status' | 'metadata' | 'observations'>,
): LabOrderResult {
  // A Map keeps the position of a key that is set again.
  const merged = Map.groupBy(listEntries(before), ({ key }) => key);
  const storedKeys = [...merged.keys()];
  const reported = new Map<string, Entry[]>();
  for (const observation of order.observations) {
    const { status } = observation;
    const key =
      findReplacedKey(observation.key, storedKeys, 'CDWU'.includes(status)) ?? observation.key;
    const entries =
      reported.get(key) ?? (status === 'U' ? (merged.get(key) ?? []).map(toFinal) : []);
    reported.set(key, entries);
    if ('measured' in observation || 'missing' in observation) {
      entries.push(observation);
    }
  }
  reported.forEach((entries, key) => merged.set(key, entries));
  const entries = [...merged.values()].flat();
  const results = entries.flatMap((entry) => ('measured' in entry ? [entry.measured] : []));
  const missing = entries.flatMap((entry) => ('missing' in entry ? [entry.missing] : []));
  const { missing_results: _replaced, ...otherMembers } = before ?? {};
  const { interpretation, ...metadata } = before?.metadata ?? {};
  // If the old interpretation came from the worst result, it must not outlive that result.
  const isWorst = interpretation === findWorst(getStoredResults(before)).interpretation;
  const status = findStatus(order, results) ?? (entries.length > 0 ? 'final' : undefined);
  return {
    ...otherMembers,
    metadata: {
      ...metadata,
      ...(interpretation !== undefined && !isWorst && { interpretation }),
      ...order.metadata,
      ...(status !== undefined && { status }),
      ...findWorst(results),
    },
    results,
    ...(missing.length > 0 && { missing_results: missing }),
  };
}

function toFinal(entry: Entry): Entry {
  if ('missing' in entry) {
    return entry;
  }
  const { observation_status: _preliminary, ...measured } = entry.measured;
  return { key: entry.key, measured };
}

/** An unknown interpretation counts as abnormal. */
function findWorst(results: readonly StoredResult[]): Pick<LabResultMetadata, 'interpretation'> {
  const { abnormal, critical, normal } = INTERPRETATIONS;
  const words = results.flatMap(({ interpretation }) => interpretation ?? []);
  const isCritical = words.some((word) => word.split(', ').includes(critical));
  return words.length === 0
    ? {}
    : {
        interpretation: isCritical
          ? critical
          : words.every((word) => word === normal)
            ? normal
            : abnormal,
      };
}

function getStoredResults(before: LabOrderResult | undefined): readonly StoredResult[] {
  return before?.results ?? [];
}

function listEntries(before: LabOrderResult | undefined): Entry[] {
  const measured = getStoredResults(before);
  const missing = (before?.missing_results ?? []) as StoredMissing[];
  return [
    ...measured.map((each) => ({ key: buildObservationKey(each), measured: each })),
    ...missing.map((each) => ({ key: buildObservationKey(each), missing: each })),
  ];
}

function findStatus(
  { status }: Pick<ReportedOrder, 'status'>,
  results: readonly StoredResult[],
): LabResultMetadata['status'] | undefined {
  const hasStatus = (wanted: string): boolean =>
    results.some(({ observation_status }) => observation_status === wanted);
  if (status === 'partial' || hasStatus('P')) {
    return 'partial';
  }
  return status === 'corrected' || hasStatus('C') ? 'corrected' : undefined;
}
