import { BIOMARKER_TYPES, type BiomarkerResult } from '@caregate/domain';
import type { Repetition, Segment } from '../segment.ts';

export type Value = Pick<BiomarkerResult, 'result' | 'value' | 'type'>;

const { numeric, range, comment, codedValue } = BIOMARKER_TYPES;
const READERS: ReadonlyMap<string, (repetitions: readonly Repetition[]) => Value> = new Map([
  ['NM', (all) => number(trimmed(all))],
  ['SN', structured],
  ['ST', (all) => coded(trimmed(all))],
  ['CE', (all) => coded(joined(all, meaning))],
  ['CWE', (all) => coded(joined(all, meaning))],
  ['TX', text],
  ['FT', text],
]);

/** OBX-5 by OBX-2, several values one in a line; the result is empty if there is none. @throws RefusedMessage */
export function valueOf(obx: Segment): Value {
  const type = obx.text(2);
  const repetitions = obx.repetitions(5);
  if (type === undefined && repetitions.length === 0) {
    return coded('');
  }
  const read = READERS.get(type ?? '');
  if (read === undefined) {
    const known = [...READERS.keys()].join(', ');
    obx.refuse(
      type === undefined ? 'requiredField' : 'tableValue',
      2,
      `The type of the value must be one of ${known}.`,
    );
  }
  return read(repetitions);
}

const NUMBER = String.raw`[+-]?(?:\d+\.?\d*|\.\d+)`;
const ONE_NUMBER = new RegExp(`^${NUMBER}$`, 'u');
const INTERVAL = new RegExp(`^(${NUMBER})\\s*-\\s*(${NUMBER})$`, 'u');
const BOUND = new RegExp(`^([<>])\\s*(${NUMBER})$`, 'u');

type Range = Pick<BiomarkerResult, 'min_range_value' | 'max_range_value'>;

/** OBX-7 as `a-b`, `<b` or `>a`. @returns undefined for anything else */
export function rangeOf(text: string): Range | undefined {
  const [, sign, bound = ''] = BOUND.exec(text) ?? [];
  const limit = numberOf(bound);
  if (sign !== undefined && limit !== undefined) {
    return sign === '<' ? { max_range_value: limit } : { min_range_value: limit };
  }
  const [, low = '', high = ''] = INTERVAL.exec(text) ?? [];
  const [least, most] = [numberOf(low), numberOf(high)];
  return least === undefined || most === undefined || least > most
    ? undefined
    : { min_range_value: least, max_range_value: most };
}

function number(result: string): Value {
  const value = numberOf(result);
  return value === undefined ? coded(result) : { result, value, type: numeric };
}

function numberOf(written: string): number | undefined {
  const value = ONE_NUMBER.test(written) ? Number(written) : NaN;
  // JSON writes -0 as 0.
  return Number.isFinite(value) ? value + 0 : undefined;
}

/** Comparator, number, separator, number. */
function structured(all: readonly Repetition[]): Value {
  const parts = all.map((each) => [1, 2, 3, 4].map((part) => each.component(part) ?? ''));
  const result = parts.map((each) => each.join('')).join('\n');
  const [[sign = '', first = '', ...rest] = []] = parts;
  if (parts.length === 1 && ['', '='].includes(sign) && rest.join('') === '') {
    return number(first);
  }
  const isRange = parts.every(([, low = '', , high = '']) =>
    [low, high].every((each, at) => (at === 1 && each === '') || numberOf(each) !== undefined),
  );
  return isRange ? { result, type: range } : coded(result);
}

/** Text, original text, alternate text; else the code. */
function meaning(of: Repetition): string {
  return [2, 9, 5, 1, 4].map((part) => of.component(part)).find((each) => each !== undefined) ?? '';
}

function text(all: readonly Repetition[]): Value {
  return { result: joined(all, (each) => each.whole()), type: comment };
}

function coded(result: string): Value {
  return { result, type: codedValue };
}

function trimmed(all: readonly Repetition[]): string {
  return joined(all, (each) => each.whole().trim());
}

function joined(all: readonly Repetition[], textOf: (each: Repetition) => string): string {
  return all.map(textOf).join('\n');
}
