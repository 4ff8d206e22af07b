export { getAckCode, acknowledge } from './acknowledge.ts';
export { CHARSETS } from './charset.ts';
export { ERRORS, type Refusal } from './refusal.ts';
export { isEarlier } from './header.ts';
export { mergeResult } from './merge-result.ts';
export { readMessage } from './read-message.ts';
export { deriveOrderId } from './results/orders.ts';
export type {
  Header,
  LabReport,
  ReportedId,
  ReportedOrder,
  ReportedPatient,
  SentAt,
} from './report.ts';
export { BLANKS, type Piece, START, splitFile, splitFrames } from './split-messages.ts';
