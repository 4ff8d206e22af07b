import {
  type BiomarkerResult,
  hasValidLoincCheckDigit,
  type MissingBiomarkerResult,
  readReferenceRange,
} from '@caregate/domain';
import type { CodeableConcept, Observation, ObservationReferenceRange, Quantity } from 'fhir/r4.js';
import {
  buildLaboratoryReference,
  LOINC,
  listMarkers,
  type Report,
  getReportStatus,
  buildSpecimenReference,
} from './diagnostic-report.ts';
import {
  buildCodedConcept,
  buildConcept,
  buildRequiredConcept,
  toFhirDate,
  HL7,
  toFhirInstant,
  list,
  buildMeta,
  buildPatientReference,
  cleanText,
} from './elements.ts';
import { buildMarkerIds } from './ids.ts';
import { buildNotes, buildResultValue } from './result-value.ts';
import { buildUnit } from './units.ts';

const OBSERVATION_STATUSES = {
  final: 'final',
  partial: 'preliminary',
  amended: 'amended',
  corrected: 'corrected',
  unknown: 'unknown',
} as const;

const LABORATORY = buildCodedConcept(`${HL7}/observation-category`, 'laboratory');

/**
 * Observations of the measured biomarkers, then of the missing ones.
 * @param changedUs when the result or the order last changed, in microseconds since 1970
 */
export function buildLabObservations(report: Report, changedUs: number): Observation[] {
  const { result, orderId, userId } = report;
  const { results, missing_results } = result;
  const ids = buildMarkerIds(orderId, listMarkers(result));
  const shared = {
    meta: buildMeta('us-core-observation-lab', changedUs),
    category: [LABORATORY],
    subject: buildPatientReference(userId),
    effectiveDateTime: toFhirDate(result.metadata.date_collected),
    performer: list(buildLaboratoryReference(result)),
    specimen: buildSpecimenReference(result),
  };
  const buildObservation = (
    marker: BiomarkerResult | MissingBiomarkerResult,
    status: Observation['status'],
    elements: Partial<Observation>,
  ): Observation => ({
    resourceType: 'Observation',
    id: ids.shift() ?? '',
    status,
    code: buildRequiredConcept(
      buildLoincConcept(marker.loinc),
      cleanText(marker.name) ?? marker.slug,
    ),
    ...shared,
    ...elements,
  });
  const status = OBSERVATION_STATUSES[getReportStatus(report)];
  return [
    ...results.map((measured) =>
      buildObservation(measured, status, buildMeasuredElements(measured)),
    ),
    ...(missing_results ?? []).map((missing) =>
      buildObservation(missing, 'cancelled', buildMissingElements(missing)),
    ),
  ];
}

function buildLoincConcept(code: string | null | undefined): CodeableConcept | undefined {
  return typeof code === 'string' && hasValidLoincCheckDigit(code)
    ? buildCodedConcept(LOINC, code)
    : undefined;
}

function buildMeasuredElements(measured: BiomarkerResult): Partial<Observation> {
  return {
    issued: toFhirInstant(measured.timestamp),
    ...buildResultValue(measured),
    interpretation: list(buildInterpretation(measured)),
    referenceRange: list(buildReferenceRange(measured)),
  };
}

function buildMissingElements({
  inferred_failure_type,
  note,
}: MissingBiomarkerResult): Partial<Observation> {
  return {
    dataAbsentReason: buildConcept(
      buildCodedConcept(`${HL7}/data-absent-reason`, 'not-performed'),
      inferred_failure_type?.replaceAll('_', ' '),
    ),
    note: buildNotes(note),
  };
}

function buildInterpretation(measured: BiomarkerResult): CodeableConcept | undefined {
  const word = cleanText(measured.interpretation);
  const code = getInterpretationCode(word, measured);
  const system = `${HL7}/v3-ObservationInterpretation`;
  return buildConcept(code === undefined ? undefined : buildCodedConcept(system, code), word);
}

/** Returns `undefined` for unknown words, and if the word and the flags contradict each other. */
function getInterpretationCode(
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

function buildReferenceRange(measured: BiomarkerResult): ObservationReferenceRange | undefined {
  const unit = buildUnit(cleanText(measured.unit));
  const toQuantity = (value: number | null | undefined): Quantity | undefined =>
    typeof value === 'number' ? { value, ...unit } : undefined;
  const [low, high] = [toQuantity(measured.min_range_value), toQuantity(measured.max_range_value)];
  const range = cleanText(readReferenceRange(measured));
  return low === undefined && high === undefined && range === undefined
    ? undefined
    : { low, high, text: range };
}
