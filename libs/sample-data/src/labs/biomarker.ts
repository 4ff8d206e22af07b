import type { BiomarkerResult, MissingBiomarkerResult, SourceMarker } from '@caregate/domain';
import laboratory from '../data/laboratory.json' with { type: 'json' };
import type { Person } from '../person.ts';
import { hashText, type Random } from '../random.ts';

/** Lower and upper bound of a reference range; null means unbounded. */
export type Range = readonly [lowest: number | null, highest: number | null];

interface BiomarkerBase {
  readonly name: string;
  readonly slug: string;
  readonly loinc: string;
}

export interface NumericBiomarker extends BiomarkerBase {
  readonly kind: 'numeric';
  readonly unit: string;
  readonly decimals: number;
  /** The first range that matches sex and age applies. */
  readonly ranges: readonly {
    readonly sex?: string;
    /** Exclusive upper bound of the age in years. */
    readonly below?: number;
    readonly range: Range;
  }[];
  readonly seen: readonly [number, number];
  readonly highShare: number;
  /** Factor by which the order's share of out-of-range values is multiplied. */
  readonly tendency: number;
  /** Detection limit. Lower values are reported as `<limit`. */
  readonly detection?: number;
  readonly critical?: Range;
}

interface CodedBiomarker extends BiomarkerBase {
  readonly kind: 'coded_value' | 'comment' | 'range';
  readonly unit?: string;
  readonly range?: Range;
  /** `abnormal` is absent if the answer is neither normal nor abnormal, such as a blood group. */
  readonly answers: readonly {
    readonly result: string;
    readonly weight: number;
    readonly abnormal?: boolean;
  }[];
}

export type Biomarker = NumericBiomarker | CodedBiomarker;

export interface Panel {
  readonly name: string;
  readonly weight: number;
  readonly specimen: string;
  readonly suits?: { readonly sex: string; readonly from: number };
  readonly biomarkers: readonly Biomarker[];
}

export type PanelKey =
  | 'cbc'
  | 'cmp'
  | 'lipids'
  | 'thyroid'
  | 'hba1c'
  | 'iron'
  | 'vitamins'
  | 'inflammation'
  | 'heart'
  | 'maleHormones'
  | 'psa'
  | 'femaleHormones'
  | 'urinalysis'
  | 'bloodGroup'
  | 'infection';

export const panels = laboratory.panels as unknown as Readonly<Record<PanelKey, Panel>>;
export const panelKeys = Object.keys(panels) as PanelKey[];

export function getRange({ slug, ranges }: NumericBiomarker, person: Person, age: number): Range {
  const rule = ranges.find(
    ({ sex = person.sex, below = Infinity }) => sex === person.sex && age < below,
  );
  if (rule === undefined) throw new Error(`No reference range of ${slug} fits`);
  return rule.range;
}

export function buildNumericResult(
  biomarker: NumericBiomarker,
  drawn: number,
  range: Range,
  timestamp: string,
): BiomarkerResult {
  const { detection = -Infinity, critical, decimals, unit } = biomarker;
  const value = Math.max(drawn, detection);
  const text = value.toFixed(decimals);
  const isCritical = value < (critical?.[0] ?? -Infinity) || value > (critical?.[1] ?? Infinity);
  return {
    ...getNaming(biomarker),
    value,
    result: drawn < detection ? `<${text}` : text,
    type: 'numeric',
    unit,
    timestamp,
    min_range_value: range[0],
    max_range_value: range[1],
    ...computeFlags(value, range),
    ...(isCritical
      ? {
          interpretation: 'critical',
          notes: 'Confirmed on repeat analysis. Ordering provider notified.',
        }
      : {}),
  };
}

export function computeFlags(
  value: number,
  [lowest, highest]: Range,
): Pick<BiomarkerResult, 'is_above_max_range' | 'is_below_min_range' | 'interpretation'> {
  const above = highest !== null && value > highest;
  const below = lowest !== null && value < lowest;
  return {
    is_above_max_range: above,
    is_below_min_range: below,
    interpretation: above || below ? 'abnormal' : 'normal',
  };
}

export function drawCodedResult(
  random: Random,
  biomarker: CodedBiomarker,
  timestamp: string,
): BiomarkerResult {
  const { kind, unit, range, answers } = biomarker;
  const { result, abnormal } = random.pickWeighted(answers);
  const [lowest = null, highest = null] = range ?? [];
  return {
    ...getNaming(biomarker),
    value: null,
    result,
    type: kind,
    timestamp,
    ...(unit === undefined ? {} : { unit }),
    min_range_value: lowest,
    max_range_value: highest,
    ...(highest === null || abnormal === undefined
      ? {}
      : { is_above_max_range: abnormal, is_below_min_range: false }),
    ...(abnormal === undefined ? {} : { interpretation: abnormal ? 'abnormal' : 'normal' }),
  };
}

export function buildMissingResult(
  biomarker: Biomarker,
  failure: string,
  note: string,
): MissingBiomarkerResult {
  return { ...getNaming(biomarker), inferred_failure_type: failure, note };
}

interface Naming extends BiomarkerBase {
  readonly loinc_slug: string;
  readonly provider_id: string;
  readonly source_markers: SourceMarker[];
}

const namings = new Map<string, Naming>();

function getNaming({ name, slug, loinc }: Biomarker): Naming {
  let naming = namings.get(slug);
  if (naming === undefined) {
    const word = hashText(slug);
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
