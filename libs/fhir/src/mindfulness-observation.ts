import { toInstant, type MindfulnessMinutesPoint, type TimeseriesSource } from '@caregate/domain';
import type { Observation } from 'fhir/r4.js';
import { coded, HL7, instant, meta, patientReference, text } from './elements.ts';
import { pointId } from './ids.ts';
import { codeUnit } from './units.ts';

interface Session {
  readonly userId: string;
  readonly source: TimeseriesSource;
  readonly point: MindfulnessMinutesPoint;
}

/** @param changedUs microseconds since 1970 */
export function mindfulnessObservation(
  { userId, source, point }: Session,
  changedUs: number,
): Observation {
  return {
    resourceType: 'Observation',
    id: pointId(userId, source, point),
    meta: meta('us-core-simple-observation', changedUs),
    status: 'final',
    category: [coded(`${HL7}/observation-category`, 'activity')],
    code: { text: 'Mindfulness minutes' },
    subject: patientReference(userId),
    effectivePeriod: {
      start: instant(point.start),
      // FHIR has no period that ends before it starts.
      end: toInstant(point.end) < toInstant(point.start) ? undefined : instant(point.end),
    },
    valueQuantity: { value: point.value, ...codeUnit(point.unit) },
    device: { type: 'Device', display: text(`${source.provider} ${source.type}`) },
  };
}
