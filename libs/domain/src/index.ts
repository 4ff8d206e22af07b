/** Types, known values and pure helper functions. Helpers are tree-shakeable. */
export type * from './generated/types.ts';
export {
  readCollectedOn,
  hasSubIds,
  isPlaceholder,
  isPreliminary,
  type LaboratoryMembers,
  readMeasuredNumber,
  type Panel,
  readPanel,
  readReferenceRange,
  readSubId,
} from './lab-result/own-members.ts';
export {
  isSameTest,
  identifyTests,
  identifyVersionTests,
  type TestIdentity,
} from './lab-result/same-test.ts';
export { type KnownGender, readGender } from './user/gender.ts';
export { type Guarantor, readGuarantor } from './insurance/guarantor.ts';
export { detectPersonalIdentifier } from './import/warnings.ts';
export { listWarnings, type ImportEnvelope, type Warning } from './import/warnings.ts';
export {
  hasValidLoincCheckDigit,
  toInstant,
  toQueryInstant,
  isCalendarDate,
  isDateTime,
  isPhoneNumber,
  isQueryDate,
  isTimeZoneId,
  isUuid,
} from './validation/formats.ts';
export { findLengthIssues, LONGEST_TEXT, getMaxLength } from './validation/field-limits.ts';
export { countVisibleLetters } from './validation/format-checks.ts';
export * from './validation/known-values.ts';
