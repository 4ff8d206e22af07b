import { REVIEW_OUTCOMES, REVIEW_STATES } from '@caregate/domain';
import { array, boolean, integer, object, oneOf, optional, text } from './schema.ts';
import type { TypeOf } from './schema.ts';

const call = text(1, 64);
const time = text(20, 40);
const word = text(0, 2000);
const cursor = text(1, 4096);
const userId = text(1, 1024);
const day = text(1, 40);

const actorSchema = object({
  type: word,
  id: optional(word),
  name: optional(word),
  role: optional(word),
});

const auditRowSchema = object({
  recordId: text(1, 200),
  occurredAt: time,
  actor: actorSchema,
  desk: optional(word),
  operation: word,
  decision: word,
  reasonCode: optional(word),
  emergency: boolean,
  breakGlassId: optional(word),
  patients: array(userId, 10_000),
  details: array(object({ name: word, value: word }), 100),
});
export type AuditRow = TypeOf<typeof auditRowSchema>;

export const auditPageSchema = object({
  userId: optional(userId),
  rows: array(auditRowSchema, 1000),
  nextCursor: optional(cursor),
});
export type AuditPage = TypeOf<typeof auditPageSchema>;

export const auditQuerySchema = object({
  call,
  patient: optional(userId),
  actor: optional(text(1, 200)),
  from: optional(day),
  to: optional(day),
  cursor: optional(cursor),
});

export const alarmsQuerySchema = object({ call, cursor: optional(cursor) });

const grantSchema = object({
  breakGlassId: text(1, 100),
  by: word,
  role: word,
  userId,
  reasonCode: word,
  text: text(0, 4000),
  grantedAt: time,
  expiresAt: time,
  reviewDueAt: time,
  overdue: boolean,
  reviewedAt: optional(time),
  reviewedBy: optional(word),
  outcome: optional(word),
  note: optional(text(0, 4000)),
});
export type Grant = TypeOf<typeof grantSchema>;

export const grantsQuerySchema = object({
  call,
  state: oneOf(REVIEW_STATES),
  cursor: optional(cursor),
});
export const grantsSchema = object({
  grants: array(grantSchema, 10_000),
  nextCursor: optional(cursor),
});
export const reviewSchema = object({
  call,
  breakGlassId: text(1, 100),
  outcome: oneOf(REVIEW_OUTCOMES),
  note: optional(text(1, 2000)),
});

export const logStateSchema = object({
  logId: word,
  size: integer(0, Number.MAX_SAFE_INTEGER),
  /** Base64. */
  rootHash: word,
  checkpoint: text(1, 20_000),
  checkedAt: time,
  /** Whether the log only grew since its checkpoint of `from` records. */
  consistent: boolean,
  from: integer(0, Number.MAX_SAFE_INTEGER),
  acceptsRecords: boolean,
  /** Absent before the service verified the whole log. */
  whole: optional(object({ at: time, intact: boolean })),
});
export type LogState = TypeOf<typeof logStateSchema>;

export const disclosuresQuerySchema = object({
  call,
  userId,
  startDate: optional(day),
  endDate: optional(day),
  cursor: optional(cursor),
});
const disclosureSchema = object({
  occurredAt: time,
  actor: actorSchema,
  desk: optional(word),
  operation: word,
  how: word,
  document: optional(word),
  why: word,
  recordId: text(1, 200),
  outcome: word,
});
export type Disclosure = TypeOf<typeof disclosureSchema>;
export const disclosuresSchema = object({
  userId,
  from: optional(word),
  to: optional(word),
  disclosures: array(disclosureSchema, 1000),
  nextCursor: optional(cursor),
});
export type Disclosures = TypeOf<typeof disclosuresSchema>;

/** An audit number: of a record (`x-audit-record-id`) or of a print. */
export const recordNumber = /^[\da-f]{32}$/iu;

const AUDIT_FORMATS = ['csv', 'fhir'] as const;
export const auditExportSchema = object({
  call,
  format: oneOf(AUDIT_FORMATS),
  patient: optional(userId),
  actor: optional(text(1, 200)),
  from: optional(day),
  to: optional(day),
});
export const exportedSchema = object({
  saved: boolean,
  records: integer(0, Number.MAX_SAFE_INTEGER),
});
