import type { Person } from '../person.ts';
import type { Random } from '../random.ts';
import type { Biomarker, NumericBiomarker, Range } from './biomarker.ts';

/** Values of one visit by slug, rounded as they will be reported, so that what is calculated adds up. */
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
    const given = fixed[one.slug];
    if (given !== undefined) values.set(one.slug, given);
    else if (one.derive === undefined) {
      values.set(one.slug, drawValue(random, one, one.rangeFor(person, age), abnormalShare));
    } else calculated.push(one);
  }
  // One may need another further down the list, so go on while something is found.
  for (let found = true; found;) {
    found = false;
    for (const one of calculated) {
      if (values.has(one.slug)) continue;
      const value = one.derive?.(values, person, age);
      if (value === undefined) continue;
      values.set(one.slug, rounded(value, one.decimals));
      found = true;
    }
  }
  return values;
}

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}

function drawValue(random: Random, one: NumericBiomarker, range: Range, share: number): number {
  const [lowest, highest] = one.seen;
  const low = range[0] ?? lowest;
  const high = range[1] ?? highest;
  const step = 10 ** -one.decimals;
  const roomBelow = range[0] !== null && low - step >= lowest;
  const roomAbove = range[1] !== null && high + step <= highest;
  const outside = random.chance(Math.min(0.95, share * one.tendency));
  if (!outside || (!roomBelow && !roomAbove)) {
    const inside = random.nearMiddle(Math.max(low, lowest), Math.min(high, highest));
    return rounded(inside, one.decimals);
  }
  const above = roomAbove && (!roomBelow || random.chance(one.highShare));
  // Far values are rarer than near ones.
  const far = random.unit() ** 2.5;
  return above
    ? Math.max(
        rounded(high + far * (highest - high), one.decimals),
        rounded(high + step, one.decimals),
      )
    : Math.min(
        rounded(low - far * (low - lowest), one.decimals),
        rounded(low - step, one.decimals),
      );
}

type Values = ReadonlyMap<string, number>;

function from(values: Values, slugs: readonly string[]): number[] | undefined {
  const found: number[] = [];
  for (const slug of slugs) {
    const value = values.get(slug);
    if (value === undefined) return undefined;
    found.push(value);
  }
  return found;
}

/** A biomarker calculated from others; not known where one of them isn't. */
export function calculate(
  slugs: readonly string[],
  formula: (...values: number[]) => number,
): (values: Values) => number | undefined {
  return (values) => {
    const found = from(values, slugs);
    return found === undefined ? undefined : formula(...found);
  };
}
