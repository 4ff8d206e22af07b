import type { Person } from '../person.ts';
import type { Random } from '../random.ts';
import { getRange, type Biomarker, type NumericBiomarker, type Range } from './biomarker.ts';

interface Formula {
  readonly from: readonly string[];
  readonly compute: (inputs: readonly number[], person: Person, age: number) => number | undefined;
}

/** Highest triglycerides in mg/dL for which Friedewald's formula holds (Clin Chem 1972;18:499). */
const FRIEDEWALD_LIMIT = 400;

const whiteCells = [
  'neutrophils-absolute',
  'lymphocytes-absolute',
  'monocytes-absolute',
  'eosinophils-absolute',
  'basophils-absolute',
];
const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);
const ratio = (...from: [string, string]): Formula => ({
  from,
  compute: ([a = 0, b = 1]) => a / b,
});
const percent = (...from: [string, string]): Formula => ({
  from,
  compute: ([a = 0, b = 1]) => (a / b) * 100,
});
const difference = (...from: [string, string]): Formula => ({
  from,
  compute: ([a = 0, b = 0]) => a - b,
});
const shareOfWhiteCells = (slug: string): Formula => ({
  from: [slug, ...whiteCells],
  compute: ([count = 0, ...all]) => (count / sum(all)) * 100,
});

const formulas: Readonly<Record<string, Formula>> = {
  'white-blood-cell-count': { from: whiteCells, compute: sum },
  'red-blood-cell-count': {
    from: ['hematocrit', 'mcv'],
    compute: ([a = 0, b = 1]) => (a / b) * 10,
  },
  hematocrit: percent('hemoglobin', 'mchc'),
  mch: { from: ['hemoglobin', 'red-blood-cell-count'], compute: ([a = 0, b = 1]) => (a / b) * 10 },
  neutrophils: shareOfWhiteCells('neutrophils-absolute'),
  lymphocytes: shareOfWhiteCells('lymphocytes-absolute'),
  monocytes: shareOfWhiteCells('monocytes-absolute'),
  eosinophils: shareOfWhiteCells('eosinophils-absolute'),
  basophils: shareOfWhiteCells('basophils-absolute'),
  egfr: { from: ['creatinine'], compute: estimateFiltrationRate },
  'bun-creatinine-ratio': ratio('urea-nitrogen', 'creatinine'),
  globulin: {
    from: ['total-protein', 'albumin'],
    compute: ([protein = 0, albumin = 0]) => Math.max(protein - albumin, 0.5),
  },
  'albumin-globulin-ratio': ratio('albumin', 'globulin'),
  'total-cholesterol': {
    from: ['ldl-cholesterol', 'hdl-cholesterol', 'triglycerides'],
    compute: ([ldl = 0, hdl = 0, triglycerides = 0]) => ldl + hdl + triglycerides / 5,
  },
  'vldl-cholesterol': {
    from: ['triglycerides'],
    compute: ([triglycerides = 0]) =>
      triglycerides > FRIEDEWALD_LIMIT ? undefined : triglycerides / 5,
  },
  'non-hdl-cholesterol': difference('total-cholesterol', 'hdl-cholesterol'),
  'cholesterol-hdl-ratio': ratio('total-cholesterol', 'hdl-cholesterol'),
  uibc: difference('tibc', 'iron'),
  'iron-saturation': percent('iron', 'tibc'),
  'estimated-average-glucose': { from: ['hba1c'], compute: ([hba1c = 0]) => 28.7 * hba1c - 46.7 },
};
const inputs = new Set(Object.values(formulas).flatMap(({ from }) => from));

/**
 * Estimated glomerular filtration rate by CKD-EPI 2021 (Inker and others, N Engl J Med 2021;385:1737), in mL/min/1.73
 * m2.
 */
function estimateFiltrationRate(
  [creatinine = 0]: readonly number[],
  { sex }: Person,
  age: number,
): number {
  const [kappa, alpha, factor] = sex === 'female' ? [0.7, -0.241, 1.012] : [0.9, -0.302, 1];
  const relative = creatinine / kappa;
  const rate = 142 * Math.min(relative, 1) ** alpha * Math.max(relative, 1) ** -1.2 * 0.9938 ** age;
  return rate * factor;
}

export function isIndependent(slug: string): boolean {
  return !inputs.has(slug) && !(slug in formulas);
}

/** Whether a calculated value can't be reported, as LDL with high triglycerides. */
export function isNotCalculable(slug: string, values: ReadonlyMap<string, number>): boolean {
  return slug === 'ldl-cholesterol' && (values.get('triglycerides') ?? 0) > FRIEDEWALD_LIMIT;
}

/**
 * Draws the values of one visit by slug. They are rounded as reported, so that calculated values match their inputs.
 */
export function drawValues(
  random: Random,
  biomarkers: readonly Biomarker[],
  person: Person,
  age: number,
  abnormalShare: number,
  fixed: Readonly<Record<string, number>>,
): Map<string, number> {
  const values = new Map<string, number>();
  const calculated: NumericBiomarker[] = [];
  for (const one of biomarkers) {
    if (one.kind !== 'numeric') continue;
    const value = fixed[one.slug];
    if (value !== undefined) values.set(one.slug, value);
    else if (one.slug in formulas) calculated.push(one);
    else values.set(one.slug, drawValue(random, one, getRange(one, person, age), abnormalShare));
  }
  // Inputs may be calculated themselves, so this repeats until nothing changes.
  for (let found = true; found;) {
    found = false;
    for (const { slug, decimals } of calculated) {
      const formula = formulas[slug];
      if (formula === undefined || values.has(slug)) continue;
      const from = formula.from.flatMap((input) => values.get(input) ?? []);
      if (from.length < formula.from.length) continue;
      const value = formula.compute(from, person, age);
      if (value === undefined) continue;
      values.set(slug, roundTo(value, decimals));
      found = true;
    }
  }
  return values;
}

function roundTo(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}

function drawValue(random: Random, one: NumericBiomarker, range: Range, share: number): number {
  const [lowest, highest] = one.seen;
  const low = range[0] ?? lowest;
  const high = range[1] ?? highest;
  const step = 10 ** -one.decimals;
  const round = (value: number): number => roundTo(value, one.decimals);
  const roomBelow = range[0] !== null && low - step >= lowest;
  const roomAbove = range[1] !== null && high + step <= highest;
  const outside = random.nextBoolean(Math.min(0.95, share * one.tendency));
  if (!outside || (!roomBelow && !roomAbove)) {
    return round(random.nextNearMiddle(Math.max(low, lowest), Math.min(high, highest)));
  }
  const above = roomAbove && (!roomBelow || random.nextBoolean(one.highShare));
  const far = random.nextFloat() ** 2.5;
  return above
    ? Math.max(round(high + far * (highest - high)), round(high + step))
    : Math.min(round(low - far * (low - lowest)), round(low - step));
}
