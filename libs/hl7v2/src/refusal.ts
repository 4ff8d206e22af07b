/** Codes of HL7 table 0357, and their texts. */
export const ERRORS = {
  segmentSequence: ['100', 'Segment sequence error'],
  requiredField: ['101', 'Required field missing'],
  dataType: ['102', 'Data type error'],
  tableValue: ['103', 'Table value not found'],
  messageType: ['200', 'Unsupported message type'],
  event: ['201', 'Unsupported event code'],
  processingId: ['202', 'Unsupported processing id'],
  version: ['203', 'Unsupported version id'],
  unknownKey: ['204', 'Unknown key identifier'],
  duplicateKey: ['205', 'Duplicate key identifier'],
  internal: ['207', 'Application internal error'],
} as const;

/** Why a message is refused. Nothing in it is from the message, except the name of a segment. */
export interface Refusal {
  /** `AE`: its content is wrong; `AR`: it is not for this service. */
  readonly ack: 'AE' | 'AR';
  readonly error: keyof typeof ERRORS;
  /** Such as `OBX`; absent if it is not known. */
  readonly segment?: string | undefined;
  /** Which segment of that name, from 1. */
  readonly sequence?: number | undefined;
  /** Number of the field, from 1. */
  readonly field?: number | undefined;
  /** A sentence in ASCII. */
  readonly message: string;
}

/** Thrown while a message is read; `readMessage` returns its refusal. */
export class RefusedMessage extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}
