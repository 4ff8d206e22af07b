import type { BiomarkerResult, MissingBiomarkerResult, SourceMarker } from '@caregate/domain';
import type { Random } from '../random.ts';
import { wordOf } from '../random.ts';
import type { Biomarker, CodedBiomarker, NumericBiomarker, Range } from './biomarker.ts';

interface Naming {
  readonly name: string;
  readonly slug: string;
  readonly loinc: string;
  readonly loinc_slug: string;
  readonly provider_id: string;
  readonly source_markers: SourceMarker[];
}

const namings = new Map<string, Naming>();

/** A number as the laboratory reports it, with flags that follow from number and range. */
export function numericResult(
  one: NumericBiomarker,
  value: number,
  range: Range,
  timestamp: string,
): BiomarkerResult {
  const [lowest, highest] = range;
  const undetected = one.detection !== undefined && value < one.detection;
  const known = undetected ? one.detection : value;
  const below = lowest !== null && known < lowest;
  const above = highest !== null && known > highest;
  const critical =
    (one.critical?.[0] ?? -Infinity) > known || (one.critical?.[1] ?? Infinity) < known;
  const text = known.toFixed(one.decimals);
  return {
    ...namingOf(one),
    value: known,
    result: undetected ? `<${text}` : text,
    type: 'numeric',
    unit: one.unit,
    timestamp,
    min_range_value: lowest,
    max_range_value: highest,
    is_above_max_range: above,
    is_below_min_range: below,
    interpretation: critical ? 'critical' : above || below ? 'abnormal' : 'normal',
    ...(critical ? { notes: 'Confirmed on repeat analysis. Ordering provider notified.' } : {}),
  };
}

/** A result in words: no value, and no flags but an interpretation where the answer has one. */
export function codedResult(
  random: Random,
  one: CodedBiomarker,
  timestamp: string,
): BiomarkerResult {
  const answer = random.weighted(one.answers);
  const [lowest = null, highest = null] = one.range ?? [];
  return {
    ...namingOf(one),
    value: null,
    result: answer.result,
    type: one.kind,
    timestamp,
    ...(one.unit === undefined ? {} : { unit: one.unit }),
    min_range_value: lowest,
    max_range_value: highest,
    ...(highest === null || answer.abnormal === undefined
      ? {}
      : { is_above_max_range: answer.abnormal, is_below_min_range: false }),
    ...(answer.abnormal === undefined
      ? {}
      : { interpretation: answer.abnormal ? 'abnormal' : 'normal' }),
  };
}

export function missingResult(
  one: Biomarker,
  failure: string,
  note: string,
): MissingBiomarkerResult {
  return { ...namingOf(one), inferred_failure_type: failure, note };
}

function namingOf({ name, slug, loinc }: Biomarker): Naming {
  let naming = namings.get(slug);
  if (naming === undefined) {
    const word = wordOf(slug);
    const providerId = String(100_000 + (word % 900_000));
    naming = {
      name,
      slug,
      loinc,
      loinc_slug: slug,
      provider_id: providerId,
      source_markers: [{ marker_id: 1 + (word % 9973), name, slug, provider_id: providerId }],
    };
    namings.set(slug, naming);
  }
  return naming;
}
