import { toInstant, type MindfulnessMinutesPoint, type TimeseriesSource } from '@caregate/domain';
import type { Observation } from 'fhir/r4.js';
import {
  buildCodedConcept,
  HL7,
  toFhirInstant,
  buildMeta,
  buildPatientReference,
  cleanText,
} from './elements.ts';
import { buildPointId } from './ids.ts';
import { buildUnit } from './units.ts';

interface Session {
  readonly userId: string;
  readonly source: TimeseriesSource;
  readonly point: MindfulnessMinutesPoint;
}

/** @param changedUs microseconds since 1970 */
export function buildMindfulnessObservation(
  { userId, source, point }: Session,
  changedUs: number,
): Observation {
  return {
    resourceType: 'Observation',
    id: buildPointId(userId, source, point),
    meta: buildMeta('us-core-simple-observation', changedUs),
    status: 'final',
    category: [buildCodedConcept(`${HL7}/observation-category`, 'activity')],
    code: { text: 'Mindfulness minutes' },
    subject: buildPatientReference(userId),
    effectivePeriod: {
      start: toFhirInstant(point.start),
      // FHIR has no period that ends before it starts.
      end: toInstant(point.end) < toInstant(point.start) ? undefined : toFhirInstant(point.end),
    },
    valueQuantity: { value: point.value, ...buildUnit(point.unit) },
    device: { type: 'Device', display: cleanText(`${source.provider} ${source.type}`) },
  };
}
