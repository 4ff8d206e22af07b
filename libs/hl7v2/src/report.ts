import type {
  BiomarkerResult,
  LaboratoryMembers,
  LabResultMetadata,
  MissingBiomarkerResult,
  Order,
} from '@caregate/domain';
import type { Separators } from './separators.ts';

/** The MSH fields that the acknowledgment repeats byte for byte. Each character is one byte of the message. */
export interface Header {
  readonly separators: Separators;
  /** MSH-3. The next three fields are MSH-4 to MSH-6. */
  readonly sendingApplication: string;
  readonly sendingFacility: string;
  readonly receivingApplication: string;
  readonly receivingFacility: string;
  readonly controlId: string;
  readonly processingId: string;
  readonly version: string;
  readonly charset: string;
  /** Whether MSH-15 was sent: the acknowledgment code is then `CA`, `CE` or `CR` instead of `AA`, `AE` or `AR`. */
  readonly enhanced: boolean;
}

/** When the message was sent (MSH-7). */
export interface SentAt {
  /** Microseconds since 1970; a time without an offset is read as UTC. */
  readonly us: number;
  /** The local time as if it were UTC, in microseconds since 1970. */
  readonly localUs: number;
  readonly hasOffset: boolean;
}

export interface LabReport {
  readonly controlId: string;
  /** MSH-3 and MSH-4 joined. Control IDs are unique for each sender. */
  readonly sender: string;
  readonly sent: SentAt;
  /** SHA-256 in hexadecimal. It doesn't depend on the frame or the line ends. */
  readonly digest: string;
  readonly patient: ReportedPatient;
  /** At least one order, each with a different `key`. */
  readonly orders: readonly ReportedOrder[];
}

export interface ReportedPatient {
  /**
   * PID-2 and PID-3. The authority is its name, or its universal ID if it has no name; empty if the message names
   * none.
   */
  readonly ids: readonly ReportedId[];
  /** YYYY-MM-DD; absent if PID-7 has no day. */
  readonly birthDate?: string | undefined;
  /** The legal name, or the first name in PID-5. */
  readonly name?: string | undefined;
  readonly names: readonly string[];
}

export interface ReportedId {
  readonly id: string;
  readonly authority: string;
  readonly field: 'PID-2' | 'PID-3';
}

/**
 * One lab order of a message: all its OBRs with the same placer number, or the same filler number if there is no
 * placer number.
 */
export interface ReportedOrder {
  /** Identifies the order within a team: MSH-4 and the placer or filler number with its assigning authority. */
  readonly key: string;
  readonly placer?: string | undefined;
  readonly filler?: string | undefined;
  readonly order: Pick<Order, 'lab_test' | 'physician' | 'notes'>;
  /** `mergeResult` adds the status. */
  readonly metadata: LabResultMetadata;
  /** From OBR-25, if it says more than the status of the observations. */
  readonly status?: 'partial' | 'corrected' | undefined;
  readonly observations: readonly ReportedObservation[];
}

/**
 * `key` comes from `buildObservationKey`; several observations of a message may share it. Status `U` makes the value that
 * is stored final.
 */
export type ReportedObservation =
  | { readonly key: string; readonly status: 'F' | 'C' | 'P'; readonly measured: StoredResult }
  | { readonly key: string; readonly status: 'X'; readonly missing: StoredMissing }
  | { readonly key: string; readonly status: 'D' | 'W' | 'U' };

/**
 * Includes members that the interface document doesn't have, so that the next message can be merged with the stored
 * result alone.
 */
export type StoredResult = BiomarkerResult & LaboratoryMembers;
export type StoredMissing = MissingBiomarkerResult & Omit<LaboratoryMembers, 'observation_status'>;
