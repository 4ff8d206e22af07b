/** Compiled validators per entity: no eval, no run-time dependencies, tree-shakeable. */
import * as compiled from './generated/validators.ts';
import type * as domain from './generated/types.ts';
import { validator } from './schema/validator.ts';

export { validateImportEnvelope } from './import/validate-import-envelope.ts';
export type { Issue, Validator, Verdict } from './validation/verdict.ts';

export const validateAddress = /* @__PURE__ */ validator<domain.Address>(
  'Address',
  compiled.Address,
);
export const validateAuditActor = /* @__PURE__ */ validator<domain.AuditActor>(
  'AuditActor',
  compiled.AuditActor,
);
export const validateAuditAlarmsQuery = /* @__PURE__ */ validator<domain.AuditAlarmsQuery>(
  'AuditAlarmsQuery',
  compiled.AuditAlarmsQuery,
);
export const validateAuditCheckpointState = /* @__PURE__ */ validator<domain.AuditCheckpointState>(
  'AuditCheckpointState',
  compiled.AuditCheckpointState,
);
export const validateAuditConsistencyProof =
  /* @__PURE__ */ validator<domain.AuditConsistencyProof>(
    'AuditConsistencyProof',
    compiled.AuditConsistencyProof,
  );
export const validateAuditDevice = /* @__PURE__ */ validator<domain.AuditDevice>(
  'AuditDevice',
  compiled.AuditDevice,
);
export const validateAuditEvent = /* @__PURE__ */ validator<domain.AuditEvent>(
  'AuditEvent',
  compiled.AuditEvent,
);
export const validateAuditEventsPage = /* @__PURE__ */ validator<domain.AuditEventsPage>(
  'AuditEventsPage',
  compiled.AuditEventsPage,
);
export const validateAuditEventsQuery = /* @__PURE__ */ validator<domain.AuditEventsQuery>(
  'AuditEventsQuery',
  compiled.AuditEventsQuery,
);
export const validateAuditExportQuery = /* @__PURE__ */ validator<domain.AuditExportQuery>(
  'AuditExportQuery',
  compiled.AuditExportQuery,
);
export const validateAuditInclusionProof = /* @__PURE__ */ validator<domain.AuditInclusionProof>(
  'AuditInclusionProof',
  compiled.AuditInclusionProof,
);
export const validateAuditLogQuery = /* @__PURE__ */ validator<domain.AuditLogQuery>(
  'AuditLogQuery',
  compiled.AuditLogQuery,
);
export const validateAuditLogState = /* @__PURE__ */ validator<domain.AuditLogState>(
  'AuditLogState',
  compiled.AuditLogState,
);
export const validateAuditProofQuery = /* @__PURE__ */ validator<domain.AuditProofQuery>(
  'AuditProofQuery',
  compiled.AuditProofQuery,
);
export const validateAuditVerification = /* @__PURE__ */ validator<domain.AuditVerification>(
  'AuditVerification',
  compiled.AuditVerification,
);
export const validateAuditWitnessState = /* @__PURE__ */ validator<domain.AuditWitnessState>(
  'AuditWitnessState',
  compiled.AuditWitnessState,
);
export const validateAuditWitnessingState = /* @__PURE__ */ validator<domain.AuditWitnessingState>(
  'AuditWitnessingState',
  compiled.AuditWitnessingState,
);
export const validateBadgeHolder = /* @__PURE__ */ validator<domain.BadgeHolder>(
  'BadgeHolder',
  compiled.BadgeHolder,
);
export const validateBadgeRead = /* @__PURE__ */ validator<domain.BadgeRead>(
  'BadgeRead',
  compiled.BadgeRead,
);
export const validateBiomarkerResult = /* @__PURE__ */ validator<domain.BiomarkerResult>(
  'BiomarkerResult',
  compiled.BiomarkerResult,
);
export const validateBreakGlassGrant = /* @__PURE__ */ validator<domain.BreakGlassGrant>(
  'BreakGlassGrant',
  compiled.BreakGlassGrant,
);
export const validateBreakGlassGrantList = /* @__PURE__ */ validator<domain.BreakGlassGrantList>(
  'BreakGlassGrantList',
  compiled.BreakGlassGrantList,
);
export const validateBreakGlassGranted = /* @__PURE__ */ validator<domain.BreakGlassGranted>(
  'BreakGlassGranted',
  compiled.BreakGlassGranted,
);
export const validateBreakGlassListQuery = /* @__PURE__ */ validator<domain.BreakGlassListQuery>(
  'BreakGlassListQuery',
  compiled.BreakGlassListQuery,
);
export const validateBreakGlassParams = /* @__PURE__ */ validator<domain.BreakGlassParams>(
  'BreakGlassParams',
  compiled.BreakGlassParams,
);
export const validateBreakGlassRequest = /* @__PURE__ */ validator<domain.BreakGlassRequest>(
  'BreakGlassRequest',
  compiled.BreakGlassRequest,
);
export const validateBreakGlassReview = /* @__PURE__ */ validator<domain.BreakGlassReview>(
  'BreakGlassReview',
  compiled.BreakGlassReview,
);
export const validateConnectedSource = /* @__PURE__ */ validator<domain.ConnectedSource>(
  'ConnectedSource',
  compiled.ConnectedSource,
);
export const validateDeskEnrolment = /* @__PURE__ */ validator<domain.DeskEnrolment>(
  'DeskEnrolment',
  compiled.DeskEnrolment,
);
export const validateDeskEvent = /* @__PURE__ */ validator<domain.DeskEvent>(
  'DeskEvent',
  compiled.DeskEvent,
);
export const validateDeskEventRecorded = /* @__PURE__ */ validator<domain.DeskEventRecorded>(
  'DeskEventRecorded',
  compiled.DeskEventRecorded,
);
export const validateDisclosure = /* @__PURE__ */ validator<domain.Disclosure>(
  'Disclosure',
  compiled.Disclosure,
);
export const validateDisclosureDesk = /* @__PURE__ */ validator<domain.DisclosureDesk>(
  'DisclosureDesk',
  compiled.DisclosureDesk,
);
export const validateDisclosureList = /* @__PURE__ */ validator<domain.DisclosureList>(
  'DisclosureList',
  compiled.DisclosureList,
);
export const validateDisclosuresParams = /* @__PURE__ */ validator<domain.DisclosuresParams>(
  'DisclosuresParams',
  compiled.DisclosuresParams,
);
export const validateDisclosuresQuery = /* @__PURE__ */ validator<domain.DisclosuresQuery>(
  'DisclosuresQuery',
  compiled.DisclosuresQuery,
);
export const validateEnrolledDesk = /* @__PURE__ */ validator<domain.EnrolledDesk>(
  'EnrolledDesk',
  compiled.EnrolledDesk,
);
export const validateFallbackBirthDate = /* @__PURE__ */ validator<domain.FallbackBirthDate>(
  'FallbackBirthDate',
  compiled.FallbackBirthDate,
);
export const validateFallbackTimeZone = /* @__PURE__ */ validator<domain.FallbackTimeZone>(
  'FallbackTimeZone',
  compiled.FallbackTimeZone,
);
export const validateGroupedMindfulnessMinutes =
  /* @__PURE__ */ validator<domain.GroupedMindfulnessMinutes>(
    'GroupedMindfulnessMinutes',
    compiled.GroupedMindfulnessMinutes,
  );
export const validateInsurance = /* @__PURE__ */ validator<domain.Insurance>(
  'Insurance',
  compiled.Insurance,
);
export const validateInsuranceEnvelope = /* @__PURE__ */ validator<domain.InsuranceEnvelope>(
  'InsuranceEnvelope',
  compiled.InsuranceEnvelope,
);
export const validateInsuredPerson = /* @__PURE__ */ validator<domain.InsuredPerson>(
  'InsuredPerson',
  compiled.InsuredPerson,
);
export const validateLabOrderResult = /* @__PURE__ */ validator<domain.LabOrderResult>(
  'LabOrderResult',
  compiled.LabOrderResult,
);
export const validateLabOrderResultParams = /* @__PURE__ */ validator<domain.LabOrderResultParams>(
  'LabOrderResultParams',
  compiled.LabOrderResultParams,
);
export const validateLabResultEnvelope = /* @__PURE__ */ validator<domain.LabResultEnvelope>(
  'LabResultEnvelope',
  compiled.LabResultEnvelope,
);
export const validateLabResultMetadata = /* @__PURE__ */ validator<domain.LabResultMetadata>(
  'LabResultMetadata',
  compiled.LabResultMetadata,
);
export const validateLatestInsuranceParams =
  /* @__PURE__ */ validator<domain.LatestInsuranceParams>(
    'LatestInsuranceParams',
    compiled.LatestInsuranceParams,
  );
export const validateLatestInsuranceQuery = /* @__PURE__ */ validator<domain.LatestInsuranceQuery>(
  'LatestInsuranceQuery',
  compiled.LatestInsuranceQuery,
);
export const validateListUsersQuery = /* @__PURE__ */ validator<domain.ListUsersQuery>(
  'ListUsersQuery',
  compiled.ListUsersQuery,
);
export const validateListedUser = /* @__PURE__ */ validator<domain.ListedUser>(
  'ListedUser',
  compiled.ListedUser,
);
export const validateMe = /* @__PURE__ */ validator<domain.Me>('Me', compiled.Me);
export const validateMindfulnessMinutesEnvelope =
  /* @__PURE__ */ validator<domain.MindfulnessMinutesEnvelope>(
    'MindfulnessMinutesEnvelope',
    compiled.MindfulnessMinutesEnvelope,
  );
export const validateMindfulnessMinutesGroup =
  /* @__PURE__ */ validator<domain.MindfulnessMinutesGroup>(
    'MindfulnessMinutesGroup',
    compiled.MindfulnessMinutesGroup,
  );
export const validateMindfulnessMinutesParams =
  /* @__PURE__ */ validator<domain.MindfulnessMinutesParams>(
    'MindfulnessMinutesParams',
    compiled.MindfulnessMinutesParams,
  );
export const validateMindfulnessMinutesPoint =
  /* @__PURE__ */ validator<domain.MindfulnessMinutesPoint>(
    'MindfulnessMinutesPoint',
    compiled.MindfulnessMinutesPoint,
  );
export const validateMindfulnessMinutesQuery =
  /* @__PURE__ */ validator<domain.MindfulnessMinutesQuery>(
    'MindfulnessMinutesQuery',
    compiled.MindfulnessMinutesQuery,
  );
export const validateMissingBiomarkerResult =
  /* @__PURE__ */ validator<domain.MissingBiomarkerResult>(
    'MissingBiomarkerResult',
    compiled.MissingBiomarkerResult,
  );
export const validateNoQuery = /* @__PURE__ */ validator<domain.NoQuery>(
  'NoQuery',
  compiled.NoQuery,
);
export const validateOrderTransaction = /* @__PURE__ */ validator<domain.OrderTransaction>(
  'OrderTransaction',
  compiled.OrderTransaction,
);
export const validateOrderTransactionOrder =
  /* @__PURE__ */ validator<domain.OrderTransactionOrder>(
    'OrderTransactionOrder',
    compiled.OrderTransactionOrder,
  );
export const validatePinDigits = /* @__PURE__ */ validator<domain.PinDigits>(
  'PinDigits',
  compiled.PinDigits,
);
export const validatePinEntry = /* @__PURE__ */ validator<domain.PinEntry>(
  'PinEntry',
  compiled.PinEntry,
);
export const validateProblemDetails = /* @__PURE__ */ validator<domain.ProblemDetails>(
  'ProblemDetails',
  compiled.ProblemDetails,
);
export const validateProblemFieldError = /* @__PURE__ */ validator<domain.ProblemFieldError>(
  'ProblemFieldError',
  compiled.ProblemFieldError,
);
export const validateResolveUserParams = /* @__PURE__ */ validator<domain.ResolveUserParams>(
  'ResolveUserParams',
  compiled.ResolveUserParams,
);
export const validateSession = /* @__PURE__ */ validator<domain.Session>(
  'Session',
  compiled.Session,
);
export const validateSessionDesk = /* @__PURE__ */ validator<domain.SessionDesk>(
  'SessionDesk',
  compiled.SessionDesk,
);
export const validateSessionRequest = /* @__PURE__ */ validator<domain.SessionRequest>(
  'SessionRequest',
  compiled.SessionRequest,
);
export const validateSessionStaff = /* @__PURE__ */ validator<domain.SessionStaff>(
  'SessionStaff',
  compiled.SessionStaff,
);
export const validateSessionTimes = /* @__PURE__ */ validator<domain.SessionTimes>(
  'SessionTimes',
  compiled.SessionTimes,
);
export const validateSignInInfo = /* @__PURE__ */ validator<domain.SignInInfo>(
  'SignInInfo',
  compiled.SignInInfo,
);
export const validateSignInProvider = /* @__PURE__ */ validator<domain.SignInProvider>(
  'SignInProvider',
  compiled.SignInProvider,
);
export const validateSource = /* @__PURE__ */ validator<domain.Source>('Source', compiled.Source);
export const validateSourceMarker = /* @__PURE__ */ validator<domain.SourceMarker>(
  'SourceMarker',
  compiled.SourceMarker,
);
export const validateTimeseriesSource = /* @__PURE__ */ validator<domain.TimeseriesSource>(
  'TimeseriesSource',
  compiled.TimeseriesSource,
);
export const validateUser = /* @__PURE__ */ validator<domain.User>('User', compiled.User);
export const validateUserEnvelope = /* @__PURE__ */ validator<domain.UserEnvelope>(
  'UserEnvelope',
  compiled.UserEnvelope,
);
export const validateUserList = /* @__PURE__ */ validator<domain.UserList>(
  'UserList',
  compiled.UserList,
);
export const validateBiomarkerHistory = /* @__PURE__ */ validator<domain.BiomarkerHistory>(
  'BiomarkerHistory',
  compiled.BiomarkerHistory,
);
export const validateEarlierResult = /* @__PURE__ */ validator<domain.EarlierResult>(
  'EarlierResult',
  compiled.EarlierResult,
);
export const validateFoundPeople = /* @__PURE__ */ validator<domain.FoundPeople>(
  'FoundPeople',
  compiled.FoundPeople,
);
export const validateFoundPerson = /* @__PURE__ */ validator<domain.FoundPerson>(
  'FoundPerson',
  compiled.FoundPerson,
);
export const validateListOrdersQuery = /* @__PURE__ */ validator<domain.ListOrdersQuery>(
  'ListOrdersQuery',
  compiled.ListOrdersQuery,
);
export const validateOrder = /* @__PURE__ */ validator<domain.Order>('Order', compiled.Order);
export const validateOrderEnvelope = /* @__PURE__ */ validator<domain.OrderEnvelope>(
  'OrderEnvelope',
  compiled.OrderEnvelope,
);
export const validateOrderEvent = /* @__PURE__ */ validator<domain.OrderEvent>(
  'OrderEvent',
  compiled.OrderEvent,
);
export const validateOrderHistory = /* @__PURE__ */ validator<domain.OrderHistory>(
  'OrderHistory',
  compiled.OrderHistory,
);
export const validateOrderHistoryParams = /* @__PURE__ */ validator<domain.OrderHistoryParams>(
  'OrderHistoryParams',
  compiled.OrderHistoryParams,
);
export const validateOrderLabTest = /* @__PURE__ */ validator<domain.OrderLabTest>(
  'OrderLabTest',
  compiled.OrderLabTest,
);
export const validateOrderList = /* @__PURE__ */ validator<domain.OrderList>(
  'OrderList',
  compiled.OrderList,
);
export const validateOrderPatientAddress = /* @__PURE__ */ validator<domain.OrderPatientAddress>(
  'OrderPatientAddress',
  compiled.OrderPatientAddress,
);
export const validateOrderPatientDetails = /* @__PURE__ */ validator<domain.OrderPatientDetails>(
  'OrderPatientDetails',
  compiled.OrderPatientDetails,
);
export const validateOrderPhysician = /* @__PURE__ */ validator<domain.OrderPhysician>(
  'OrderPhysician',
  compiled.OrderPhysician,
);
export const validatePeopleSearch = /* @__PURE__ */ validator<domain.PeopleSearch>(
  'PeopleSearch',
  compiled.PeopleSearch,
);
export const validateReplacedResult = /* @__PURE__ */ validator<domain.ReplacedResult>(
  'ReplacedResult',
  compiled.ReplacedResult,
);
export const validateUserInfo = /* @__PURE__ */ validator<domain.UserInfo>(
  'UserInfo',
  compiled.UserInfo,
);
export const validateUserInfoAddress = /* @__PURE__ */ validator<domain.UserInfoAddress>(
  'UserInfoAddress',
  compiled.UserInfoAddress,
);
export const validateUserInfoEnvelope = /* @__PURE__ */ validator<domain.UserInfoEnvelope>(
  'UserInfoEnvelope',
  compiled.UserInfoEnvelope,
);
export const validateUserInfoParams = /* @__PURE__ */ validator<domain.UserInfoParams>(
  'UserInfoParams',
  compiled.UserInfoParams,
);
