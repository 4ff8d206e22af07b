import type { BiomarkerResult, Order } from '../generated/types.ts';
import { isCalendarDate } from '../validation/formats.ts';

/** A laboratory's sub-id (OBX-4 of HL7 v2): results of a report with one sub-id belong together, such as an organism and what it resists. */
export function subIdOf(result: BiomarkerResult): string | undefined {
  const { sub_id } = result as { sub_id?: unknown };
  return typeof sub_id === 'string' && sub_id !== '' ? sub_id : undefined;
}

/** Whether a report has results with several sub-ids, so that names alone don't tell them apart. */
export function hasSubIds(results: readonly BiomarkerResult[]): boolean {
  return new Set(results.map(subIdOf).filter((subId) => subId !== undefined)).size > 1;
}

/** By LOINC code if both have one, else by slug. */
export function isSameBiomarker(one: BiomarkerResult, other: BiomarkerResult): boolean {
  return one.loinc && other.loinc ? one.loinc === other.loinc : one.slug === other.slug;
}

/** Whether a laboratory (OBX-11 of HL7 v2) may still change this result. */
export function isPreliminary(result: BiomarkerResult): boolean {
  return (result as { observation_status?: unknown }).observation_status === 'P';
}

/** Day on which the specimen was taken, of an order whose creation is not known; YYYY-MM-DD. */
export function collectedOn(order: Order): string | undefined {
  const { collected_on } = order as { collected_on?: unknown };
  return typeof collected_on === 'string' && isCalendarDate(collected_on)
    ? collected_on
    : undefined;
}
