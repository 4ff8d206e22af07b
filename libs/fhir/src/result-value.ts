import { type BiomarkerResult, measuredNumber, readPanel, readSubId } from '@caregate/domain';
import type { Annotation, Observation, Quantity } from 'fhir/r4.js';
import { coded, HL7, list, text } from './elements.ts';
import { codeUnit } from './units.ts';

type ResultValue = Pick<
  Observation,
  'valueQuantity' | 'valueCodeableConcept' | 'valueString' | 'dataAbsentReason' | 'note'
>;

interface Written {
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
export function resultValue(measured: BiomarkerResult): ResultValue {
  const result = text(measured.result);
  const unit = text(measured.unit);
  const subId = readSubId(measured);
  const panel = text(readPanel(measured)?.name);
  const group = [
    ...(panel === undefined ? [] : [`Panel: ${panel}`]),
    ...(subId === undefined ? [] : [`Group: ${subId}`]),
  ];
  const quantity = (digits: string, comparator?: Quantity['comparator']): Quantity => ({
    value: decimal(digits),
    comparator,
    ...codeUnit(unit),
  });
  const written =
    result === undefined || measured.type === 'comment' ? undefined : numberIn(result.trim());
  if (written !== undefined && isNumber(measured, written)) {
    const note = notes(measured.notes, ...group);
    return { valueQuantity: quantity(written.digits, written.comparator), note };
  }
  const value = measuredNumber(measured);
  if (value !== undefined && written === undefined) {
    const reported = result === undefined ? undefined : `Reported as: ${result}`;
    const note = notes(measured.notes, ...group, reported);
    return { valueQuantity: quantity(String(value)), note };
  }
  const note = notes(measured.notes, ...group, unit === undefined ? undefined : `Unit: ${unit}`);
  if (result === undefined)
    return {
      dataAbsentReason: coded(`${HL7}/data-absent-reason`, 'unknown'),
      note,
    };
  return measured.type === 'coded_value'
    ? { valueCodeableConcept: { text: result }, note }
    : { valueString: result, note };
}

export function notes(...texts: readonly (string | null | undefined)[]): Annotation[] | undefined {
  return list(
    ...texts.map((each) => {
      const result = text(each);
      return result === undefined ? undefined : { text: result };
    }),
  );
}

/**
 * Returns a number that `JSON.stringify` writes with exactly these digits, such as `3.90`, which a JavaScript number
 * can't hold.
 */
function decimal(digits: string): number {
  const value = Number(digits);
  return String(value) === digits ? value : rawJSON(digits);
}

function numberIn(result: string): Written | undefined {
  const { sign, minus, integer = '', decimals } = NUMBER.exec(result)?.groups ?? {};
  if (integer === '' && decimals === undefined) return undefined;
  const digits = `${minus}${integer.replace(/^0+(?=\d)/u, '') || '0'}`;
  return {
    comparator: sign === undefined ? undefined : COMPARATORS[sign],
    digits: decimals === undefined ? digits : `${digits}.${decimals}`,
    decimals: decimals?.length ?? 0,
  };
}

function isNumber(measured: BiomarkerResult, written: Written): boolean {
  const { type } = measured;
  const value = measuredNumber(measured);
  if (value === undefined) return written.comparator !== undefined || type === 'numeric';
  // The number may be the text's unrounded value. The tolerance adds room for binary fractions.
  return Math.abs(value - Number(written.digits)) <= 0.500001 * 10 ** -written.decimals;
}
