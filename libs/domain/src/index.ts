/** Types, known values and pure helper functions. Helpers are tree-shakeable. */
export type * from './generated/types.ts';
export {
  collectedOn,
  hasSubIds,
  isPlaceholder,
  isPreliminary,
  type LaboratoryMembers,
  measuredNumber,
  type Panel,
  readPanel,
  readReferenceRange,
  readSubId,
} from './lab-result/own-members.ts';
export {
  isSameTest,
  testIdentities,
  testIdentitiesOfVersion,
  type TestIdentity,
} from './lab-result/same-test.ts';
export { type KnownGender, readGender } from './user/gender.ts';
export { type Guarantor, readGuarantor } from './insurance/guarantor.ts';
export { looksLikePersonalIdentifier } from './import/warnings.ts';
export { listWarnings, type ImportEnvelope, type Warning } from './import/warnings.ts';
export {
  hasValidLoincCheckDigit,
  toInstant,
  instantOfQueryDate,
  isCalendarDate,
  isDateTime,
  isPhoneNumber,
  isQueryDate,
  isTimeZoneId,
  isUuid,
} from './validation/formats.ts';
export { lengthIssues, LONGEST_TEXT, maxLength } from './validation/field-limits.ts';
export { visibleLetters } from './validation/format-checks.ts';
export * from './validation/known-values.ts';
