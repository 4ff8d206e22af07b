import { type BiomarkerResult, readMeasuredNumber, readPanel, readSubId } from '@caregate/domain';
import type { Annotation, Observation, Quantity } from 'fhir/r4.js';
import { buildCodedConcept, HL7, list, cleanText } from './elements.ts';
import { buildUnit } from './units.ts';

type ResultValue = Pick<
  Observation,
  'valueQuantity' | 'valueCodeableConcept' | 'valueString' | 'dataAbsentReason' | 'note'
>;

interface WrittenNumber {
  readonly comparator: Quantity['comparator'];
  /** The number as JSON writes it, with the laboratory's decimal places. */
  readonly digits: string;
  readonly decimals: number;
}

const NUMBER = /^(?<sign>[<>]=?|[≤≥])?\s*(?<minus>-?)(?<integer>\d*)(?:\.(?<decimals>\d+))?$/u;
const COMPARATORS: Readonly<Record<string, Quantity['comparator']>> = {
  '<': '<',
  '<=': '<=',
  '≤': '<=',
  '>': '>',
  '>=': '>=',
  '≥': '>=',
};

const { rawJSON } = JSON as unknown as { rawJSON: (json: string) => number };

/**
 * Returns the result with the laboratory's digits, or only the text if the text and the number contradict each other.
 */
export function buildResultValue(measured: BiomarkerResult): ResultValue {
  const result = cleanText(measured.result);
  const unit = cleanText(measured.unit);
  const subId = readSubId(measured);
  const panel = cleanText(readPanel(measured)?.name);
  const group = [
    ...(panel === undefined ? [] : [`Panel: ${panel}`]),
    ...(subId === undefined ? [] : [`Group: ${subId}`]),
  ];
  const buildQuantity = (digits: string, comparator?: Quantity['comparator']): Quantity => ({
    value: toExactNumber(digits),
    comparator,
    ...buildUnit(unit),
  });
  const written =
    result === undefined || measured.type === 'comment'
      ? undefined
      : parseWrittenNumber(result.trim());
  if (written !== undefined && isNumber(measured, written)) {
    const note = buildNotes(measured.notes, ...group);
    return { valueQuantity: buildQuantity(written.digits, written.comparator), note };
  }
  const value = readMeasuredNumber(measured);
  if (value !== undefined && written === undefined) {
    const reported = result === undefined ? undefined : `Reported as: ${result}`;
    const note = buildNotes(measured.notes, ...group, reported);
    return { valueQuantity: buildQuantity(String(value)), note };
  }
  const note = buildNotes(
    measured.notes,
    ...group,
    unit === undefined ? undefined : `Unit: ${unit}`,
  );
  if (result === undefined)
    return {
      dataAbsentReason: buildCodedConcept(`${HL7}/data-absent-reason`, 'unknown'),
      note,
    };
  return measured.type === 'coded_value'
    ? { valueCodeableConcept: { text: result }, note }
    : { valueString: result, note };
}

export function buildNotes(
  ...texts: readonly (string | null | undefined)[]
): Annotation[] | undefined {
  return list(
    ...texts.map((each) => {
      const result = cleanText(each);
      return result === undefined ? undefined : { text: result };
    }),
  );
}

/**
 * Returns a number that `JSON.stringify` writes with exactly these digits, such as `3.90`, which a JavaScript number
 * can't hold.
 */
function toExactNumber(digits: string): number {
  const value = Number(digits);
  return String(value) === digits ? value : rawJSON(digits);
}

function parseWrittenNumber(result: string): WrittenNumber | undefined {
  const { sign, minus, integer = '', decimals } = NUMBER.exec(result)?.groups ?? {};
  if (integer === '' && decimals === undefined) return undefined;
  const digits = `${minus}${integer.replace(/^0+(?=\d)/u, '') || '0'}`;
  return {
    comparator: sign === undefined ? undefined : COMPARATORS[sign],
    digits: decimals === undefined ? digits : `${digits}.${decimals}`,
    decimals: decimals?.length ?? 0,
  };
}

function isNumber(measured: BiomarkerResult, written: WrittenNumber): boolean {
  const { type } = measured;
  const value = readMeasuredNumber(measured);
  if (value === undefined) return written.comparator !== undefined || type === 'numeric';
  // The number may be the text's unrounded value. The tolerance adds room for binary fractions.
  return Math.abs(value - Number(written.digits)) <= 0.500001 * 10 ** -written.decimals;
}
