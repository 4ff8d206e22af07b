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
