import type {
  BiomarkerResult,
  LaboratoryMembers,
  LabResultMetadata,
  MissingBiomarkerResult,
  Order,
} from '@caregate/domain';
import type { Separators } from './separators.ts';

/** What a message says in MSH that its acknowledgement repeats, byte for byte: each character is one byte of the message. */
export interface Header {
  readonly separators: Separators;
  /** MSH-3 to MSH-6. */
  readonly sendingApplication: string;
  readonly sendingFacility: string;
  readonly receivingApplication: string;
  readonly receivingFacility: string;
  readonly controlId: string;
  readonly processingId: string;
  readonly version: string;
  readonly charset: string;
  /** MSH-15 was given: the answer is `CA`, `CE` or `CR` instead of `AA`, `AE` or `AR`. */
  readonly enhanced: boolean;
}

/** MSH-7. */
export interface SentAt {
  /** In microseconds since 1970; as UTC if it has no offset. */
  readonly us: number;
  /** What the clock on the wall showed, as if of UTC. */
  readonly localUs: number;
  readonly hasOffset: boolean;
}

/** One message as read. */
export interface LabReport {
  readonly controlId: string;
  /** MSH-3 and MSH-4, in one text: whose control ids are unique. */
  readonly sender: string;
  readonly sent: SentAt;
  /** SHA-256 in hexadecimal digits; the same for the same message in another frame or with other line ends. */
  readonly digest: string;
  readonly patient: ReportedPatient;
  /** At least one; each `key` once. */
  readonly orders: readonly ReportedOrder[];
}

export interface ReportedPatient {
  /** PID-2 and PID-3. The authority is its name, or its universal id if it has no name; empty if the message names none. */
  readonly ids: readonly ReportedId[];
  /** YYYY-MM-DD; absent if PID-7 has no day. */
  readonly birthDate?: string | undefined;
  /** The legal name, else the first of PID-5. */
  readonly name?: string | undefined;
  /** All of PID-5. */
  readonly names: readonly string[];
}

export interface ReportedId {
  readonly id: string;
  readonly authority: string;
  readonly field: 'PID-2' | 'PID-3';
}

/** What a message says of an order: all its OBRs with the same placer number, else with the same filler number. */
export interface ReportedOrder {
  /** Names the order within a team: MSH-4 and placer or filler number, with who assigned it. */
  readonly key: string;
  readonly placer?: string | undefined;
  readonly filler?: string | undefined;
  /** What it says of the order itself. */
  readonly order: Pick<Order, 'lab_test' | 'physician' | 'notes'>;
  /** Without status, which `mergeResult` makes. */
  readonly metadata: LabResultMetadata;
  /** OBR-25, where it says more than the observations. */
  readonly status?: 'partial' | 'corrected' | undefined;
  readonly observations: readonly ReportedObservation[];
}

/** `key` is that of `observationKey`; several observations of a message may share it. `U` makes the earlier value final. */
export type ReportedObservation =
  | { readonly key: string; readonly status: 'F' | 'C' | 'P'; readonly measured: KeptResult }
  | { readonly key: string; readonly status: 'X'; readonly missing: KeptMissing }
  | { readonly key: string; readonly status: 'D' | 'W' | 'U' };

/** With members that the interface does not have, so that the result in the store is all that the next message needs. */
export type KeptResult = BiomarkerResult & LaboratoryMembers;
export type KeptMissing = MissingBiomarkerResult & Omit<LaboratoryMembers, 'observation_status'>;
