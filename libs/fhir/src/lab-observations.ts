import {
  type BiomarkerResult,
  hasValidLoincCheckDigit,
  type MissingBiomarkerResult,
  readReferenceRange,
} from '@caregate/domain';
import type { CodeableConcept, Observation, ObservationReferenceRange, Quantity } from 'fhir/r4.js';
import {
  laboratory,
  LOINC,
  listMarkers,
  type Report,
  reportStatus,
  specimen,
} from './diagnostic-report.ts';
import {
  coded,
  concept,
  conceptOrAbsent,
  day,
  HL7,
  instant,
  list,
  meta,
  patientReference,
  text,
} from './elements.ts';
import { markerIds } from './ids.ts';
import { notes, resultValue } from './result-value.ts';
import { codeUnit } from './units.ts';

const STATUS_OF = {
  final: 'final',
  partial: 'preliminary',
  amended: 'amended',
  corrected: 'corrected',
  unknown: 'unknown',
} as const;

const LABORATORY = coded(`${HL7}/observation-category`, 'laboratory');

/**
 * Observations of the measured biomarkers, then of the missing ones.
 * @param changedUs when the result or the order last changed, in microseconds since 1970
 */
export function labObservations(report: Report, changedUs: number): Observation[] {
  const { result, orderId, userId } = report;
  const { results, missing_results } = result;
  const ids = markerIds(orderId, listMarkers(result));
  const shared = {
    meta: meta('us-core-observation-lab', changedUs),
    category: [LABORATORY],
    subject: patientReference(userId),
    effectiveDateTime: day(result.metadata.date_collected),
    performer: list(laboratory(result)),
    specimen: specimen(result),
  };
  const observation = (
    marker: BiomarkerResult | MissingBiomarkerResult,
    status: Observation['status'],
    elements: Partial<Observation>,
  ): Observation => ({
    resourceType: 'Observation',
    id: ids.shift() ?? '',
    status,
    code: conceptOrAbsent(loinc(marker.loinc), text(marker.name) ?? marker.slug),
    ...shared,
    ...elements,
  });
  const status = STATUS_OF[reportStatus(report)];
  return [
    ...results.map((measured) => observation(measured, status, measuredParts(measured))),
    ...(missing_results ?? []).map((missing) =>
      observation(missing, 'cancelled', missingParts(missing)),
    ),
  ];
}

function loinc(code: string | null | undefined): CodeableConcept | undefined {
  return typeof code === 'string' && hasValidLoincCheckDigit(code) ? coded(LOINC, code) : undefined;
}

function measuredParts(measured: BiomarkerResult): Partial<Observation> {
  return {
    issued: instant(measured.timestamp),
    ...resultValue(measured),
    interpretation: list(interpretation(measured)),
    referenceRange: list(referenceRange(measured)),
  };
}

function missingParts({
  inferred_failure_type,
  note,
}: MissingBiomarkerResult): Partial<Observation> {
  return {
    dataAbsentReason: concept(
      coded(`${HL7}/data-absent-reason`, 'not-performed'),
      inferred_failure_type?.replaceAll('_', ' '),
    ),
    note: notes(note),
  };
}

function interpretation(measured: BiomarkerResult): CodeableConcept | undefined {
  const word = text(measured.interpretation);
  const code = interpretationCode(word, measured);
  const system = `${HL7}/v3-ObservationInterpretation`;
  return concept(code === undefined ? undefined : coded(system, code), word);
}

/** Returns `undefined` for unknown words, and if the word and the flags contradict each other. */
function interpretationCode(
  word: string | undefined,
  { is_above_max_range, is_below_min_range }: BiomarkerResult,
): string | undefined {
  const [above, below] = [is_above_max_range === true, is_below_min_range === true];
  if (above && below) return undefined;
  const side = above ? 'H' : below ? 'L' : undefined;
  switch (word) {
    case 'normal':
      return side === undefined ? 'N' : undefined;
    case 'abnormal':
      return side ?? 'A';
    case 'critical':
      return side === undefined ? 'AA' : `${side}${side}`;
    case undefined:
      return side;
    default:
      return undefined;
  }
}

function referenceRange(measured: BiomarkerResult): ObservationReferenceRange | undefined {
  const unit = codeUnit(text(measured.unit));
  const bound = (value: number | null | undefined): Quantity | undefined =>
    typeof value === 'number' ? { value, ...unit } : undefined;
  const [low, high] = [bound(measured.min_range_value), bound(measured.max_range_value)];
  const range = text(readReferenceRange(measured));
  return low === undefined && high === undefined && range === undefined
    ? undefined
    : { low, high, text: range };
}
