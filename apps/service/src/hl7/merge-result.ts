import type { LabOrderResult, LabResultMetadata } from '@caregate/domain';
import { observationKey } from './results/observation-key.ts';
import type { KeptMissing, KeptResult, ReportedOrder } from './report.ts';

type Entry =
  | { readonly key: string; readonly measured: KeptResult }
  | { readonly key: string; readonly missing: KeptMissing };

/**
 * The result after a message: what it reports replaces what was kept under the same code and sub-id, in its place; all else stays.
 * The status is `partial` while a result is preliminary or the order incomplete, else `corrected` if one was corrected.
 */
export function mergeResult(
  before: LabOrderResult | undefined,
  order: Pick<ReportedOrder, 'status' | 'metadata' | 'observations'>,
): LabOrderResult {
  const reported = new Map<string, Entry[]>();
  for (const observation of order.observations) {
    const entries = reported.get(observation.key) ?? [];
    reported.set(observation.key, entries);
    if ('measured' in observation || 'missing' in observation) {
      entries.push(observation);
    }
  }
  // In a map, a key that is set again keeps its place.
  const merged = new Map<string, Entry[]>();
  for (const entry of keptIn(before)) {
    const same = merged.get(entry.key);
    if (same === undefined) {
      merged.set(entry.key, [entry]);
    } else {
      same.push(entry);
    }
  }
  reported.forEach((entries, key) => merged.set(key, entries));
  const entries = [...merged.values()].flat();
  const results = entries.flatMap((entry) => ('measured' in entry ? [entry.measured] : []));
  const missing = entries.flatMap((entry) => ('missing' in entry ? [entry.missing] : []));
  const { missing_results: _replaced, ...rest } = before ?? {};
  const status = statusOf(order, results) ?? (entries.length > 0 ? 'final' : undefined);
  return {
    ...rest,
    metadata: { ...before?.metadata, ...order.metadata, ...(status !== undefined && { status }) },
    results,
    ...(missing.length > 0 && { missing_results: missing }),
  };
}

function keptIn(before: LabOrderResult | undefined): Entry[] {
  const measured = (before?.results ?? []) as KeptResult[];
  const missing = (before?.missing_results ?? []) as KeptMissing[];
  return [
    ...measured.map((each) => ({ key: observationKey(each), measured: each })),
    ...missing.map((each) => ({ key: observationKey(each), missing: each })),
  ];
}

function statusOf(
  { status }: Pick<ReportedOrder, 'status'>,
  results: readonly KeptResult[],
): LabResultMetadata['status'] | undefined {
  const isAny = (wanted: string): boolean =>
    results.some(({ observation_status }) => observation_status === wanted);
  if (status === 'partial' || isAny('P')) {
    return 'partial';
  }
  return status === 'corrected' || isAny('C') ? 'corrected' : undefined;
}
