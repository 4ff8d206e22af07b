import type { BiomarkerResult, LabOrderResult, MissingBiomarkerResult } from '@caregate/domain';
import type { DiagnosticReport, Reference } from 'fhir/r4.js';
import {
  buildAbsentReason,
  buildCodedConcept,
  buildRequiredConcept,
  toFhirDate,
  HL7,
  list,
  buildLogicalReference,
  buildMeta,
  buildPatientReference,
} from './elements.ts';
import { buildMarkerIds } from './ids.ts';

export interface Report {
  readonly userId: string;
  readonly orderId: string;
  readonly result: LabOrderResult;
  readonly labTest?: string | null | undefined;
}

export const LOINC = 'http://loinc.org';

/**
 * Caregate's extension for a report with a date but no time: `valueDate` holds the date, since FHIR's `issued`
 * requires a time.
 */
const DAY_REPORTED = 'https://caregate.example/fhir/StructureDefinition/date-reported';

/** @param changedUs when the result or the order last changed, in microseconds since 1970 */
export function buildDiagnosticReport(report: Report, changedUs: number): DiagnosticReport {
  const { userId, orderId, result, labTest } = report;
  const { date_collected, date_reported } = result.metadata;
  const [collected, reported] = [toFhirDate(date_collected), toFhirDate(date_reported)];
  const ids = buildMarkerIds(orderId, listMarkers(result));
  return {
    resourceType: 'DiagnosticReport',
    id: orderId.toLowerCase(),
    meta: buildMeta('us-core-diagnosticreport-lab', changedUs),
    extension: reported === undefined ? undefined : [{ url: DAY_REPORTED, valueDate: reported }],
    basedOn: [{ reference: `ServiceRequest/${orderId.toLowerCase()}` }],
    status: getReportStatus(report),
    category: [buildCodedConcept(`${HL7}/v2-0074`, 'LAB')],
    code: buildRequiredConcept(buildCodedConcept(LOINC, '11502-2'), labTest),
    subject: buildPatientReference(userId),
    effectiveDateTime: collected,
    _effectiveDateTime:
      collected === undefined ? { extension: buildAbsentReason('unknown') } : undefined,
    _issued: { extension: buildAbsentReason('unknown') },
    performer: list(buildLaboratoryReference(result)),
    specimen: list(buildSpecimenReference(result)),
    result: ids.length === 0 ? undefined : ids.map((id) => ({ reference: `Observation/${id}` })),
  };
}

/** All biomarkers of a result: the measured ones, then the missing ones. */
export function listMarkers({
  results,
  missing_results,
}: LabOrderResult): (BiomarkerResult | MissingBiomarkerResult)[] {
  return [...results, ...(missing_results ?? [])];
}

const STATUSES = ['final', 'partial', 'amended', 'corrected'] as const;

export function getReportStatus({
  orderId,
  result,
}: Report): (typeof STATUSES)[number] | 'unknown' {
  const status = STATUSES.find((candidate) => candidate === result.metadata.status) ?? 'unknown';
  return status === 'final' && isCorrected(orderId.toLowerCase(), result) ? 'corrected' : status;
}

function isCorrected(orderId: string, { order_transaction }: LabOrderResult): boolean {
  const order = order_transaction?.orders.find(({ id }) => id.toLowerCase() === orderId);
  return order?.low_level_status === 'corrected';
}

export function buildLaboratoryReference({ metadata }: LabOrderResult): Reference | undefined {
  const { clia_number, laboratory: name } = metadata;
  return buildLogicalReference('Organization', clia_number, name, 'urn:oid:2.16.840.1.113883.4.7');
}

export function buildSpecimenReference({ metadata }: LabOrderResult): Reference | undefined {
  return buildLogicalReference('Specimen', metadata.specimen_number, metadata.specimen_number);
}
