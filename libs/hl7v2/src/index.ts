export { ackCode, acknowledge } from './acknowledge.ts';
export { CHARSETS } from './charset.ts';
export { ERRORS } from './errors.ts';
export { isEarlier } from './header.ts';
export { mergeResult } from './merge-result.ts';
export { orderIdOf } from './order-id.ts';
export { readMessage } from './read-message.ts';
export type {
  Header,
  LabReport,
  Refusal,
  ReportedId,
  ReportedOrder,
  ReportedPatient,
  SentAt,
} from './report.ts';
export { BLANKS, type Piece, START, splitFile, splitFrames } from './split-messages.ts';
