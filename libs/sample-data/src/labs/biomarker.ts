import type { Person } from '../person.ts';

/** Lower and upper bound of a reference range; a missing one is open. */
export type Range = readonly [lowest: number | null, highest: number | null];

type Derivation = (
  values: ReadonlyMap<string, number>,
  person: Person,
  age: number,
) => number | undefined;

interface BiomarkerBase {
  readonly name: string;
  readonly slug: string;
  /** A LOINC code (loinc.org); its last digit checks the others. */
  readonly loinc: string;
}

export interface NumericBiomarker extends BiomarkerBase {
  readonly kind: 'numeric';
  readonly unit: string;
  readonly decimals: number;
  readonly rangeFor: (person: Person, age: number) => Range;
  /** The lowest and highest values worth generating. */
  readonly seen: readonly [number, number];
  /** How often a value outside its range lies above it. */
  readonly highShare: number;
  /** Factor on the order's share of values outside their range. */
  readonly tendency: number;
  /** Below this the laboratory reports `<limit`. */
  readonly detection?: number;
  /** Beyond these the laboratory calls the value critical. */
  readonly critical?: Range;
  /** Calculated from the others; undefined where it can't be. */
  readonly derive?: Derivation;
}

/** A result in words, such as a colour or a blood group. */
export interface CodedBiomarker extends BiomarkerBase {
  readonly kind: 'coded_value' | 'comment' | 'range';
  readonly unit?: string;
  readonly range?: Range;
  readonly answers: readonly Answer[];
}

export interface Answer {
  readonly result: string;
  readonly weight: number;
  /** Absent where the answer is neither, such as a blood group. */
  readonly abnormal?: boolean;
}

export type Biomarker = NumericBiomarker | CodedBiomarker;

interface NumericOptions {
  readonly highShare?: number;
  readonly tendency?: number;
  readonly detection?: number;
  readonly critical?: Range;
  readonly derive?: Derivation;
}

type Ranges =
  | Range
  | { readonly female: Range; readonly male: Range }
  | NumericBiomarker['rangeFor'];

export function numeric(
  slug: string,
  name: string,
  loinc: string,
  unit: string,
  decimals: number,
  ranges: Ranges,
  seen: readonly [number, number],
  options: NumericOptions = {},
): NumericBiomarker {
  return {
    kind: 'numeric',
    slug,
    name,
    loinc,
    unit,
    decimals,
    rangeFor: rangeFunction(ranges),
    seen,
    highShare: 0.6,
    tendency: 1,
    ...options,
  };
}

export function coded(
  slug: string,
  name: string,
  loinc: string,
  answers: readonly Answer[],
): CodedBiomarker {
  return { kind: 'coded_value', slug, name, loinc, answers };
}

/** One usual answer, and those that are out of the ordinary. */
export function expected(usual: string, ...others: readonly string[]): readonly Answer[] {
  return [
    { result: usual, weight: others.length * 5, abnormal: false },
    ...others.map((result) => ({ result, weight: 1, abnormal: true })),
  ];
}

function rangeFunction(ranges: Ranges): NumericBiomarker['rangeFor'] {
  if (typeof ranges === 'function') return ranges;
  if ('female' in ranges) return (person) => ranges[person.sex];
  return () => ranges;
}
