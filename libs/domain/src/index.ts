/** Types, known values and pure helpers: what importing this costs at run time is the helpers that are used. */
export type {
  InsuranceEnvelopeDto as InsuranceEnvelope,
  LabResultEnvelopeDto as LabResultEnvelope,
  MindfulnessMinutesEnvelopeDto as MindfulnessMinutesEnvelope,
  UserEnvelopeDto as UserEnvelope,
} from './import/import-envelope.dto.ts';
export type {
  AddressDto as Address,
  InsuranceDto as Insurance,
  InsuredPersonDto as InsuredPerson,
} from './insurance/insurance.dto.ts';
export type {
  BiomarkerResultDto as BiomarkerResult,
  MissingBiomarkerResultDto as MissingBiomarkerResult,
  SourceMarkerDto as SourceMarker,
} from './lab-result/biomarker-result.dto.ts';
export type {
  LabOrderResultDto as LabOrderResult,
  LabResultMetadataDto as LabResultMetadata,
} from './lab-result/lab-order-result.dto.ts';
export type {
  OrderTransactionDto as OrderTransaction,
  OrderTransactionOrderDto as OrderTransactionOrder,
} from './lab-result/order-transaction.dto.ts';
export type {
  ProblemDetailsDto as ProblemDetails,
  ProblemFieldErrorDto as ProblemFieldError,
} from './problem/problem-details.dto.ts';
export type {
  LabOrderResultParamsDto as LabOrderResultParams,
  LatestInsuranceParamsDto as LatestInsuranceParams,
  MindfulnessMinutesParamsDto as MindfulnessMinutesParams,
  ResolveUserParamsDto as ResolveUserParams,
} from './request/path-parameters.dto.ts';
export type {
  LatestInsuranceQueryDto as LatestInsuranceQuery,
  ListUsersQueryDto as ListUsersQuery,
  MindfulnessMinutesQueryDto as MindfulnessMinutesQuery,
} from './request/query-parameters.dto.ts';
export type {
  GroupedMindfulnessMinutesDto as GroupedMindfulnessMinutes,
  MindfulnessMinutesGroupDto as MindfulnessMinutesGroup,
  MindfulnessMinutesPointDto as MindfulnessMinutesPoint,
  TimeseriesSourceDto as TimeseriesSource,
} from './timeseries/mindfulness-minutes.dto.ts';
export type { UserListDto as UserList } from './user/user-list.dto.ts';
export type {
  ConnectedSourceDto as ConnectedSource,
  FallbackBirthDateDto as FallbackBirthDate,
  FallbackTimeZoneDto as FallbackTimeZone,
  ListedUserDto as ListedUser,
  SourceDto as Source,
  UserDto as User,
} from './user/user.dto.ts';
export { looksLikePersonalIdentifier } from './import/personal-identifier.ts';
export { warningsOf, type ImportEnvelope, type Warning } from './import/warnings.ts';
export {
  hasValidLoincCheckDigit,
  instantOf,
  instantOfQueryDate,
  isCalendarDate,
  isDateTime,
  isPhoneNumber,
  isQueryDate,
  isTimeZoneId,
  isUuid,
} from './validation/formats.ts';
export * from './validation/known-values.ts';
