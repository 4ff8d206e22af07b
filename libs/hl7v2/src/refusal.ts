/** Error codes of HL7 table 0357 and their texts. */
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

/** Why a message is refused. It contains nothing from the message except a segment name, so it can be logged. */
export interface Refusal {
  /** `AE`: the content is wrong. `AR`: this service doesn't process such messages. */
  readonly ack: 'AE' | 'AR';
  readonly error: keyof typeof ERRORS;
  /** Segment name, such as `OBX`; absent if unknown. */
  readonly segment?: string | undefined;
  /** Position among the segments of this name, starting at 1. */
  readonly sequence?: number | undefined;
  /** Number of the field, starting at 1. */
  readonly field?: number | undefined;
  readonly message: string;
}

/** Thrown while a message is read. `readMessage` catches it and returns its refusal. */
export class RefusedMessage extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}
