import type { BiomarkerResult, Order } from '../generated/types.ts';
import { isCalendarDate } from '../validation/formats.ts';

/** The panel under which a laboratory reported a result (OBR of HL7 v2). */
export interface Panel {
  readonly code?: string;
  readonly name?: string;
  /**
   * The laboratory's own number of this panel (OBR-3). If a message repeats the panel under one number, `#` and the
   * position are appended.
   */
  readonly number?: string;
}

/** Members of results from HL7 v2 messages that the interface document doesn't have. */
export interface LaboratoryMembers {
  readonly panel?: Panel;
  /** Sub-ID of the observation (OBX-4). */
  readonly sub_id?: string;
  /** Reference range as the laboratory wrote it (OBX-7). */
  readonly reference_range?: string;
  /** Observation status (OBX-11): corrected or preliminary. */
  readonly observation_status?: 'C' | 'P';
}

/** Returns the panel of a result, if the laboratory named one. */
export function readPanel(result: object): Panel | undefined {
  const { panel } = result as { panel?: Panel | null };
  return typeof panel === 'object' && panel !== null ? panel : undefined;
}

/** Returns the reference range of a result as the laboratory wrote it. */
export function readReferenceRange(result: object): string | undefined {
  const { reference_range } = result as { reference_range?: unknown };
  return typeof reference_range === 'string' && reference_range.trim() !== ''
    ? reference_range
    : undefined;
}

/** Whether a code or slug identifies no test. Some systems write `unknown` or a full stop if they have no code. */
export function isPlaceholder(code: string): boolean {
  return /^(?:[\p{P}\p{S}\s]*|unknown|unk|none|null|undefined|n\/?a)$/iu.test(code);
}

/**
 * Returns the laboratory's sub-ID (OBX-4 of HL7 v2). Results of a report with the same sub-ID belong together, such
 * as an organism and its susceptibilities.
 */
export function readSubId(result: BiomarkerResult): string | undefined {
  const { sub_id } = result as { sub_id?: unknown };
  return typeof sub_id === 'string' && sub_id !== '' ? sub_id : undefined;
}

/** Whether the results have different sub-IDs, so that names alone don't identify them. */
export function hasSubIds(results: readonly BiomarkerResult[]): boolean {
  return new Set(results.map(readSubId).filter((subId) => subId !== undefined)).size > 1;
}

/**
 * Returns the numeric value of a result. For the types `range`, `comment` and `coded_value`, `value` has no meaning:
 * some systems write −1 there.
 */
export function readMeasuredNumber({
  type,
  value,
}: Pick<BiomarkerResult, 'type' | 'value'>): number | undefined {
  const isNumeric = !['range', 'comment', 'coded_value'].includes(type ?? '');
  return isNumeric && typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Whether the laboratory reported the result as preliminary (OBX-11 of HL7 v2). */
export function isPreliminary(result: BiomarkerResult): boolean {
  return (result as { observation_status?: unknown }).observation_status === 'P';
}

/**
 * Returns the date on which the specimen of an order was collected, YYYY-MM-DD, which orders with an unknown creation
 * time have.
 */
export function readCollectedOn(order: Order): string | undefined {
  const { collected_on } = order as { collected_on?: unknown };
  return typeof collected_on === 'string' && isCalendarDate(collected_on)
    ? collected_on
    : undefined;
}
