import { BIOMARKER_TYPES, type BiomarkerResult, LONGEST_TEXT } from '@caregate/domain';
import type { Repetition, Segment } from '../segment.ts';

export type Value = Pick<BiomarkerResult, 'result' | 'value' | 'type'>;

const { numeric, range, comment, codedValue } = BIOMARKER_TYPES;
const READERS: ReadonlyMap<string, (repetitions: readonly Repetition[]) => Value> = new Map([
  ['NM', (all) => toNumericValue(joinTrimmed(all))],
  ['SN', readStructuredNumeric],
  ['CE', (all) => toCodedValue(joinRepetitions(all, getMeaning))],
  ['CWE', (all) => toCodedValue(joinRepetitions(all, getMeaning))],
  ['CNE', (all) => toCodedValue(joinRepetitions(all, getMeaning))],
  ['TX', readText],
  ['FT', readText],
  // Data types (names, addresses, identifiers, arrays of numbers) whose components are joined with spaces.
  ...'CX NA MA XPN XCN XAD XTN XON PN CN CK CP MO CQ EI HD DR'
    .split(' ')
    .map(
      (type) =>
        [
          type,
          (all: readonly Repetition[]) => toCodedValue(joinRepetitions(all, joinComponents)),
        ] as const,
    ),
]);

/**
 * Reads OBX-5 by the data type in OBX-2, with one line for each repetition. The result is empty if there is no value.
 * An unknown type is read as text, so that one unusual observation doesn't reject the message.
 */
export function readValue(obx: Segment): Value {
  const type = obx.getText(2) ?? 'ST';
  if (type === 'ED' || type === 'RP') {
    return describeDocument(obx);
  }
  if (obx.isTooLong(5)) {
    return { result: TOO_LONG, type: comment };
  }
  const read = READERS.get(type);
  const repetitions = obx.getRepetitions(5);
  return read === undefined ? toCodedValue(joinTrimmed(repetitions)) : read(repetitions);
}

const TOO_LONG =
  'A text came with this report that is too long to be kept here. Ask the laboratory for it.';

/** An embedded document (ED) or a link to one (RP): source, type, subtype. Only its kind is stored. */
function describeDocument(obx: Segment): Value {
  const [, type = '', subtype = ''] = obx.getFirstComponents(5, 200);
  const kind = (subtype === '' ? type : subtype).slice(0, 40);
  return {
    result: `A document${kind === '' ? '' : ` (${kind})`} came with this report. Ask the laboratory for it.`,
    type: comment,
  };
}

/**
 * Returns the text, or a sentence that says that it was too long. The text is never truncated, since that may change
 * its meaning.
 */
export function limitText(text: string): string {
  return text.length > LONGEST_TEXT ? TOO_LONG : text;
}

const NUMBER = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)`;
const ONE_NUMBER = new RegExp(`^${NUMBER}$`, 'u');
const INTERVAL = new RegExp(`^(${NUMBER})\\s*-\\s*(${NUMBER})$`, 'u');
const BOUND = new RegExp(`^([<>])\\s*(${NUMBER})$`, 'u');
/** Longer texts are not parsed as a numeric range. */
const LONGEST_RANGE = 100;

type Range = Pick<BiomarkerResult, 'min_range_value' | 'max_range_value'>;

/**
 * Parses a reference range (OBX-7) of the form `a-b`, `<b` or `>a`.
 * @returns `undefined` for any other text
 */
export function parseRange(written: string): Range | undefined {
  if (written.length > LONGEST_RANGE) {
    return undefined;
  }
  const [, sign, bound = ''] = BOUND.exec(written) ?? [];
  const limit = parseNumber(bound);
  if (sign !== undefined && limit !== undefined) {
    return sign === '<' ? { max_range_value: limit } : { min_range_value: limit };
  }
  const [, low = '', high = ''] = INTERVAL.exec(written) ?? [];
  const [least, most] = [parseNumber(low), parseNumber(high)];
  return least === undefined || most === undefined || least > most
    ? undefined
    : { min_range_value: least, max_range_value: most };
}

const CODING_SYSTEM =
  /^(?:UCUM|ISO\+?|ISO\d+|ANSI?\+?|LN?|SCT|SNM\d?|LOCAL|99[A-Z0-9]*|HL7\d{3,4})$/iu;

/**
 * Reads the unit (OBX-6). An unescaped caret, as in `10^3/uL`, is part of the unit. A coding system as the last
 * component shows that the components are code, text and system: `mg/dL^milligram per decilitre^UCUM`.
 */
export function readUnit(obx: Segment): string | undefined {
  const components = obx.getRepetitions(6)[0]?.getComponents() ?? [];
  const power = /^[+-]?\d/u;
  const parts =
    /(?:^|\D)10$/u.test(components[0] ?? '') && power.test(components[1] ?? '')
      ? [`${components[0]}^${components[1]}`, ...components.slice(2)]
      : components;
  const system = parts.findIndex((part, at) => at > 0 && CODING_SYSTEM.test(part));
  const code = system === -1 ? parts : parts.slice(0, Math.max(1, system - 1));
  const unit = code.join('^').replace(/(?<!\^)\^+$/u, '');
  return (unit.startsWith('^') ? parts.find((part) => part !== '') : unit) || undefined;
}

function toNumericValue(result: string): Value {
  const value = parseNumber(result);
  return value === undefined ? toCodedValue(result) : { result, value, type: numeric };
}

function parseNumber(written: string): number | undefined {
  const value = ONE_NUMBER.test(written) ? Number(written) : NaN;
  // Adding 0 turns -0 into 0.
  return Number.isFinite(value) ? value + 0 : undefined;
}

/** Reads a structured numeric (SN): comparator, number, separator, number. */
function readStructuredNumeric(all: readonly Repetition[]): Value {
  const parts = all.map((each) => [1, 2, 3, 4].map((part) => each.getComponent(part) ?? ''));
  const result = parts.map((each) => each.join('')).join('\n');
  const [[sign = '', first = '', ...remaining] = []] = parts;
  if (parts.length === 1 && ['', '='].includes(sign) && remaining.join('') === '') {
    return toNumericValue(first);
  }
  const isRange = parts.every(([, low = '', , high = '']) =>
    [low, high].every((each, at) => (at === 1 && each === '') || parseNumber(each) !== undefined),
  );
  return isRange ? { result, type: range } : toCodedValue(result);
}

/** Reads a coded value: text, original text, alternate text, or else the code. */
function getMeaning(repetition: Repetition): string {
  return (
    [2, 9, 5, 1, 4]
      .map((part) => repetition.getComponent(part))
      .find((each) => each !== undefined) ?? ''
  );
}

function joinComponents(repetition: Repetition): string {
  return repetition
    .getComponents()
    .filter((part) => part !== '')
    .join(' ');
}

function readText(all: readonly Repetition[]): Value {
  return { result: joinRepetitions(all, (each) => each.getFullText()), type: comment };
}

function toCodedValue(result: string): Value {
  return { result, type: codedValue };
}

function joinTrimmed(all: readonly Repetition[]): string {
  return joinRepetitions(all, (each) => each.getFullText().trim());
}

function joinRepetitions(all: readonly Repetition[], format: (each: Repetition) => string): string {
  return all.map(format).join('\n');
}
