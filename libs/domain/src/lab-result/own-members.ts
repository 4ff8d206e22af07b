import type { BiomarkerResult, Order } from '../generated/types.ts';
import { isCalendarDate } from '../validation/formats.ts';

/** The panel of an order under which a laboratory reported a result (OBR of HL7 v2). */
export interface Panel {
  readonly code?: string;
  readonly name?: string;
  /** The laboratory's own number of this panel (OBR-3), with `#` and its place if a message has it several times under one number. */
  readonly number?: string;
}

/** Members of a result that the interface does not have, and that results from a laboratory's messages do. */
export interface LaboratoryMembers {
  readonly panel?: Panel;
  /** OBX-4. */
  readonly sub_id?: string;
  /** OBX-7 as it was written. */
  readonly reference_range?: string;
  /** OBX-11: corrected or preliminary. */
  readonly observation_status?: 'C' | 'P';
}

/** The panel of a result, if its laboratory named one. */
export function panelOf(result: object): Panel | undefined {
  const { panel } = result as { panel?: Panel | null };
  return typeof panel === 'object' && panel !== null ? panel : undefined;
}

/** The range of a result as its laboratory wrote it. */
export function referenceRangeOf(result: object): string | undefined {
  const { reference_range } = result as { reference_range?: unknown };
  return typeof reference_range === 'string' && reference_range.trim() !== ''
    ? reference_range
    : undefined;
}

/** Whether a code or a slug names no test: some systems write `unknown` or a full stop where they have none. */
export function isPlaceholder(code: string): boolean {
  return /^(?:[\p{P}\p{S}\s]*|unknown|unk|none|null|undefined|n\/?a)$/iu.test(code);
}

/** A laboratory's sub-id (OBX-4 of HL7 v2): results of a report with one sub-id belong together, such as an organism and what it resists. */
export function subIdOf(result: BiomarkerResult): string | undefined {
  const { sub_id } = result as { sub_id?: unknown };
  return typeof sub_id === 'string' && sub_id !== '' ? sub_id : undefined;
}

/** Whether a report has results with several sub-ids, so that names alone don't tell them apart. */
export function hasSubIds(results: readonly BiomarkerResult[]): boolean {
  return new Set(results.map(subIdOf).filter((subId) => subId !== undefined)).size > 1;
}

/**
 * The number of a result. Where its type is `range`, `comment` or `coded_value`, `value` means nothing: some systems write −1 there.
 */
export function measuredNumber({
  type,
  value,
}: Pick<BiomarkerResult, 'type' | 'value'>): number | undefined {
  const isNumeric = !['range', 'comment', 'coded_value'].includes(type ?? '');
  return isNumeric && typeof value === 'number' && Number.isFinite(value) ? value : undefined;
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
