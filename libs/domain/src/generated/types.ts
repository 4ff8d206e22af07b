// Generated from the DTO classes by `npm run generate`; do not edit.
import type { AuditDecision, BiomarkerType, BreakGlassReason, Gender, InferredFailureType, Interpretation, LowLevelStatus, MetadataStatus, OrderOrigin, Relationship, ReviewOutcome, ReviewState, TransactionStatus } from '../validation/known-values.ts';

/** Postal address of the insured person. */
export interface Address {
  /** Street and number. */
  first_line: string;

  /** Flat, building, care of. */
  second_line?: string | null;

  /** Postal code. */
  zip_code: string;

  /** State or province. */
  state: string;

  /** City. */
  city: string;
}

/** Which page of the alarms is listed. */
export interface AuditAlarmsQuery {
  /** Where the page before this one ended. */
  cursor?: string;
}

/** Proof that an audit log only grew (RFC 6962). */
export interface AuditConsistencyProof {
  /** The log. */
  log_id: string;

  /** Size of the earlier tree. */
  from: number;

  /** Size of the later tree. */
  to: number;

  /** Hashes that lead from the one root to the other, Base64. */
  proof: string[];

  /** The signed checkpoint of the later tree. */
  checkpoint: string;
}

/** One record of the audit log. */
export interface AuditEvent {
  /** Names the record (`x-audit-record-id`). */
  record_id: string;

  /** Salt of the record's leaf in the tree, Base64. */
  salt: string;

  /** The record's columns by their names. */
  body: Record<string, unknown>;
}

/** A page of the audit log. */
export interface AuditEventsPage {
  /** The log that the events are of; null where they are of several. */
  log_id?: string | null;

  /** The events, newest first. */
  events: AuditEvent[];

  /** Cursor of the next page; null on the last. */
  next_cursor?: string | null;
}

/** Which events of the audit log are listed; all that is given must hold. */
export interface AuditEventsQuery {
  /** Only events of the log with this id. */
  log?: string;

  /** Only the record with this id (`x-audit-record-id`). */
  record?: string;

  /** Only events in which something of this user was shown. */
  patient?: string;

  /** Only events of the key with this id. */
  actor?: string;

  /** Only this operation. */
  operation?: string;

  /** Only this outcome. */
  decision?: AuditDecision;

  /** Not before this date (then 00:00:00 UTC) or date-time. */
  from?: string;

  /** Not after this date (then 23:59:59 UTC) or date-time. */
  to?: string;

  /** Where the page before this one ended. */
  cursor?: string;
}

/** Proof that a record is in an audit log (RFC 6962). */
export interface AuditInclusionProof {
  /** The log. */
  log_id: string;

  /** The record, counted from 0. */
  seq: number;

  /** Size of the tree that it is in. */
  size: number;

  /** Hash of the record's leaf, Base64. */
  leaf_hash: string;

  /** Hashes from the leaf up to the root, Base64. */
  proof: string[];

  /** The signed checkpoint of that tree. */
  checkpoint: string;
}

/** Which audit log is meant. */
export interface AuditLogQuery {
  /** The log that is meant; without it the one that the instance that answers writes. */
  log?: string;
}

/** What is to be proved of an audit log: of `record` or `seq` that it is in it, or that it only grew since `from`. */
export interface AuditProofQuery {
  /** The log that is meant; without it the one that the instance that answers writes. */
  log?: string;

  /** A record of the own team, by its id (`x-audit-record-id`). */
  record?: string;

  /** The record, counted from 0. */
  seq?: number;

  /** Size of the tree that it is to be in. */
  size?: number;

  /** Size of the earlier tree. */
  from?: number;

  /** Size of the later tree. */
  to?: number;
}

/** One measured biomarker. */
export interface BiomarkerResult {
  /** The biomarker's name, for people. */
  name: string;

  /** The biomarker's name, for programs. */
  slug: string;

  /** The result as a number, where it is one, in `unit`. */
  value?: number | null;

  /** The result as the laboratory wrote it, such as `5.4`, `>100` or `NEGATIVE`. */
  result: string;

  /** Kind of result. */
  type?: BiomarkerType | null;

  /** Unit of value and range. */
  unit?: string | null;

  /** When it was measured. */
  timestamp?: string | null;

  /** Remarks of the laboratory. */
  notes?: string | null;

  /** Lower bound of the reference range, in `unit`. */
  min_range_value?: number | null;

  /** Upper bound of the reference range, in `unit`. */
  max_range_value?: number | null;

  /** Whether the value is above the reference range. */
  is_above_max_range?: boolean | null;

  /** Whether the value is below the reference range. */
  is_below_min_range?: boolean | null;

  /** The laboratory's reading of the result. */
  interpretation?: Interpretation | null;

  /** LOINC code. */
  loinc?: string | null;

  /** Name of the LOINC code, for programs. */
  loinc_slug?: string | null;

  /** The laboratory's id of the marker. */
  provider_id?: string | null;

  /** The catalogue entries that the biomarker comes from. */
  source_markers?: SourceMarker[] | null;
}

/** An emergency access and its review. */
export interface BreakGlassGrant {
  /** Id of the emergency access. */
  break_glass_id: string;

  /** The team in which it was granted. */
  team_id: string;

  /** Id of the key to which it was granted. */
  key_id: string;

  /** Label of that key. */
  key_label: string;

  /** Role of that key. */
  role: string;

  /** The user whose data it opened. */
  user_id: string;

  /** Why it was asked for, by its kind. */
  reason_code: string;

  /** Why it was asked for, in words. */
  text: string;

  /** When it was granted. */
  granted_at: string;

  /** When it ended or ends. */
  expires_at: string;

  /** When its review is due. */
  review_due_at: string;

  /** Whether it is not reviewed and should have been. */
  overdue: boolean;

  /** When it was reviewed; null before. */
  reviewed_at?: string | null;

  /** Id of the key that reviewed it; null before. */
  reviewed_by?: string | null;

  /** What the review found; null before. */
  outcome?: string | null;

  /** Remarks of the review; null where there are none. */
  note?: string | null;
}

/** Emergency accesses of the team, newest first. */
export interface BreakGlassGrantList {
  /** The emergency accesses. */
  grants: BreakGlassGrant[];
}

/** An emergency access that was granted just now. */
export interface BreakGlassGranted {
  /** Id of the emergency access. */
  break_glass_id: string;

  /** The user whose data it opens. */
  user_id: string;

  /** When it ends. */
  expires_at: string;
}

/** Which emergency accesses are listed. */
export interface BreakGlassListQuery {
  /** Those that await review, or all; `open` where it is left out. */
  state?: ReviewState;
}

/** Path of reviewing an emergency access. */
export interface BreakGlassParams {
  /** Id of the emergency access. */
  break_glass_id: string;
}

/** What is sent to ask for emergency access to one user. */
export interface BreakGlassRequest {
  /** Why, by its kind. */
  reason_code: BreakGlassReason;

  /** Why, in words: 20 to 2000 characters, blanks around them not counted. */
  text: string;

  /** The service's id of the user. */
  user_id: string;
}

/** What is sent to review an emergency access. */
export interface BreakGlassReview {
  /** What the review found. */
  outcome: ReviewOutcome;

  /** Remarks, 2000 characters at most. */
  note?: string;
}

/** A source that the user has connected. */
export interface ConnectedSource {
  /** When it was connected. */
  created_on: string;

  /** The provider. */
  source: Source;
}

/** The date of birth that stands in for providers that give no age; the maximum heart rate is computed from it. */
export interface FallbackBirthDate {
  /** Date of birth, YYYY-MM-DD. */
  value: string;

  /** Slug of the source that set the value. */
  source_slug: string;

  /** When it was set. */
  updated_at: string;
}

/** The time zone that stands in for sources that know none. */
export interface FallbackTimeZone {
  /** IANA time zone id, such as `Europe/Berlin`. */
  id: string;

  /** Slug of the source that set the value. */
  source_slug: string;

  /** When it was set. */
  updated_at: string;
}

/** A page of mindfulness minutes by provider (interface document 2.2). */
export interface GroupedMindfulnessMinutes {
  /** From a provider's slug to the groups of its sources. */
  groups: Record<string, MindfulnessMinutesGroup[]>;

  /**
   * Cursor of the next page, null when there is none.
   * @deprecated use `next_cursor`
   */
  next?: string | null;

  /** Cursor of the next page, null when there is none. */
  next_cursor?: string | null;
}

/** A user's insurance (interface document 2.4). */
export interface Insurance {
  /** Code of the payor. */
  payor_code: string;

  /** The member's id with the payor. */
  member_id: string;

  /** The group's id with the payor. */
  group_id?: string | null;

  /** What the insured person is to the member. Other values than the known ones may appear. */
  relationship: Relationship;

  /** The person in whose name the insurance is. */
  insured: InsuredPerson;
}

/** A user's insurance to import. */
export interface InsuranceEnvelope {
  /** Says what the line holds. */
  kind: 'insurance';

  /** The team that the user belongs to. */
  team_id: string;

  /** The user. */
  user_id: string;

  /** When it was recorded; the latest is the one that is answered. */
  recorded_at: string;

  /** Whether it is the primary insurance; true where it is left out. */
  is_primary?: boolean | null;

  /** The insurance. */
  insurance: Insurance;
}

/** The person in whose name the insurance is. */
export interface InsuredPerson {
  /** Given name. */
  first_name: string;

  /** Family name. */
  last_name: string;

  /** E-mail address. */
  email?: string | null;

  /** Phone number in international form with a leading plus. */
  phone_number?: string | null;

  /** Gender as the payor has it. */
  gender?: Gender | null;

  /** Date of birth, YYYY-MM-DD. */
  dob?: string | null;

  /** Postal address. */
  address?: Address | null;
}

/** The result of a lab order (interface document 2.3). */
export interface LabOrderResult {
  /** Whose result it is, who ordered it and who measured. */
  metadata: LabResultMetadata;

  /** The biomarkers measured. */
  results: BiomarkerResult[];

  /** The biomarkers ordered and not measured. */
  missing_results?: MissingBiomarkerResult[] | null;

  /** About the specimens; its form is the laboratory's own and is kept as it is. */
  sample_information?: Record<string, unknown> | null;

  /** The order and its redraws. */
  order_transaction?: OrderTransaction | null;
}

/** Path of a lab order result (interface document 4.3). */
export interface LabOrderResultParams {
  /** The order's id. */
  order_id: string;
}

/** A lab order's result to import. */
export interface LabResultEnvelope {
  /** Says what the line holds. */
  kind: 'lab_result';

  /** The team that the user belongs to. */
  team_id: string;

  /** The user whose result it is. */
  user_id: string;

  /** The order. */
  order_id: string;

  /** The result. */
  result: LabOrderResult;
}

/** Whose result it is, who ordered it and who measured. */
export interface LabResultMetadata {
  /** The patient's age in years. */
  age?: number | null;

  /** The patient's date of birth, shown as day/month/year. */
  dob?: string | null;

  /** The laboratory's CLIA number. */
  clia_number?: string | null;

  /** The patient's name. */
  patient?: string | null;

  /** Name of the provider who ordered. */
  provider?: string | null;

  /** The laboratory's name. */
  laboratory?: string | null;

  /** Day of the report, YYYY-MM-DD. */
  date_reported?: string | null;

  /** Day the specimen was taken, YYYY-MM-DD. */
  date_collected?: string | null;

  /** Day the laboratory received it, YYYY-MM-DD. */
  date_received?: string | null;

  /** Number of the specimen. */
  specimen_number?: string | null;

  /** Whether the result may still change. */
  status?: MetadataStatus | null;

  /** Reading of the result as a whole. */
  interpretation?: Interpretation | null;
}

/** Path of a user's latest insurance (interface document 4.4). */
export interface LatestInsuranceParams {
  /** The service's id of the user. */
  user_id: string;
}

/** Query of a user's latest insurance. */
export interface LatestInsuranceQuery {
  /** Whether the primary insurance is meant; true where it is left out. */
  is_primary?: boolean | null;
}

/** Query of the list of users. */
export interface ListUsersQuery {
  /** How many users to skip; 0 where it is left out. */
  offset?: number | null;

  /** How many users at most; 100 where it is left out. */
  limit?: number | null;
}

/** A user as the list gives it: the time zone is promised for a single user only. */
export interface ListedUser {
  /** The service's id of the user, for all later calls about that user. */
  user_id: string;

  /** The team that the user belongs to. */
  team_id: string;

  /** The team's own id of the user, unique in the team. No e-mail address, phone number or other personal data. */
  client_user_id: string;

  /** When the user was created. */
  created_on: string;

  /** The sources that the user has connected. */
  connected_sources: ConnectedSource[];

  /** Stand-in date of birth. */
  fallback_birth_date?: FallbackBirthDate | null;

  /** First day of which data is taken in, YYYY-MM-DD. */
  ingestion_start?: string | null;

  /** Last day of which data is taken in, YYYY-MM-DD. */
  ingestion_end?: string | null;

  /** Stand-in time zone. */
  fallback_time_zone?: FallbackTimeZone | null;
}

/** Mindfulness minutes of one source to import. */
export interface MindfulnessMinutesEnvelope {
  /** Says what the line holds. */
  kind: 'mindfulness_minutes';

  /** The team that the user belongs to. */
  team_id: string;

  /** The user. */
  user_id: string;

  /** Where the points come from. */
  source: TimeseriesSource;

  /** The points. */
  data: MindfulnessMinutesPoint[];
}

/** The points of one source. */
export interface MindfulnessMinutesGroup {
  /** The points, by time. */
  data: MindfulnessMinutesPoint[];

  /** Where they come from. */
  source: TimeseriesSource;
}

/** Path of the grouped mindfulness timeseries (interface document 4.1). */
export interface MindfulnessMinutesParams {
  /** The service's id of the user. */
  user_id: string;
}

/** One session of mindfulness. */
export interface MindfulnessMinutesPoint {
  /** When it began, with the offset of the place. */
  start: string;

  /** When it ended, with the offset of the place. */
  end: string;

  /** Always minutes. */
  unit: 'min';

  /** How many minutes. */
  value: number;
}

/** Query of the grouped mindfulness timeseries (interface document 4.1). */
export interface MindfulnessMinutesQuery {
  /** First moment wanted: a date (then 00:00:00 UTC) or an ISO date-time. */
  start_date: string;

  /** Last moment wanted: a date (then 23:59:59 UTC) or an ISO date-time. */
  end_date?: string | null;

  /** Only this provider's slug; empty for all. */
  provider?: string | null;

  /**
   * Cursor of the page wanted; none for the first.
   * @deprecated use `next_cursor`
   */
  cursor?: string | null;

  /** Cursor of the page wanted; none for the first. */
  next_cursor?: string | null;
}

/** A biomarker that was ordered and not measured. Its fields are decided in docs/design.md: the interface document shows none. */
export interface MissingBiomarkerResult {
  /** The biomarker's name, for people. */
  name: string;

  /** The biomarker's name, for programs. */
  slug: string;

  /** Why it is missing, as far as it can be told. */
  inferred_failure_type?: InferredFailureType | null;

  /** Remarks of the laboratory. */
  note?: string | null;

  /** LOINC code. */
  loinc?: string | null;

  /** Name of the LOINC code, for programs. */
  loinc_slug?: string | null;

  /** The laboratory's id of the marker. */
  provider_id?: string | null;

  /** The catalogue entries that the biomarker comes from. */
  source_markers?: SourceMarker[] | null;
}

/** Query of an operation that takes no parameters. */
export interface NoQuery {

}

/** All orders that belong to one test, from the first to the last redraw. */
export interface OrderTransaction {
  /** The transaction's id. */
  id: string;

  /** State of the whole transaction. */
  status: TransactionStatus;

  /** Its orders. */
  orders: OrderTransactionOrder[];
}

/** One order of a transaction: the first, or one that a redraw or a recreation made. */
export interface OrderTransactionOrder {
  /** The order's id. */
  id: string;

  /** When it was created. */
  created_at: string;

  /** When it last changed. */
  updated_at: string;

  /** Where the order is on its way. */
  low_level_status?: LowLevelStatus | null;

  /** Since when it is there. */
  low_level_status_created_at?: string | null;

  /** Why the order was made. */
  origin?: OrderOrigin | null;
}

/** Every error of the service: a problem document (RFC 9457, `application/problem+json`). */
export interface ProblemDetails {
  /** Stable name of the kind of problem, a URI reference. */
  type: string;

  /** What the kind of problem is, in words. */
  title: string;

  /** HTTP status. */
  status: number;

  /** What is wrong this time, and what to do about it. */
  detail?: string | null;

  /** URI reference of this occurrence. */
  instance?: string | null;

  /** The parameters that were refused. */
  errors?: ProblemFieldError[] | null;

  /** The request's id, as in the header `x-request-id`. */
  request_id?: string | null;
}

/** One parameter that was refused, and why. */
export interface ProblemFieldError {
  /** Name of the parameter, or path of the field. */
  parameter: string;

  /** What it must be, in words; the refused value is never repeated. */
  reason: string;
}

/** Path of resolving a user (interface document 4.2). */
export interface ResolveUserParams {
  /** The team's own id of the user. */
  client_user_id: string;
}

/** A provider of health data, such as a maker of wearables. */
export interface Source {
  /** Address of the provider's logo. */
  logo: string;

  /** The provider's name, for people. */
  name: string;

  /** The provider's name, for programs. */
  slug: string;
}

/** A marker as the laboratory's catalogue has it. */
export interface SourceMarker {
  /** Number in the catalogue. */
  marker_id?: number | null;

  /** Name in the catalogue. */
  name?: string | null;

  /** Name for programs. */
  slug?: string | null;

  /** The laboratory's id of the marker. */
  provider_id?: string | null;
}

/** Where a group of points comes from. */
export interface TimeseriesSource {
  /** Slug of the provider. */
  provider: string;

  /** Kind of device or program, such as `watch`. */
  type: string;
}

/** A user (patient) of a team, as resolving one gives it (interface document 2.1). */
export interface User {
  /** The service's id of the user, for all later calls about that user. */
  user_id: string;

  /** The team that the user belongs to. */
  team_id: string;

  /** The team's own id of the user, unique in the team. No e-mail address, phone number or other personal data. */
  client_user_id: string;

  /** When the user was created. */
  created_on: string;

  /** The sources that the user has connected. */
  connected_sources: ConnectedSource[];

  /** Stand-in date of birth. */
  fallback_birth_date?: FallbackBirthDate | null;

  /** First day of which data is taken in, YYYY-MM-DD. */
  ingestion_start?: string | null;

  /** Last day of which data is taken in, YYYY-MM-DD. */
  ingestion_end?: string | null;

  /** Stand-in time zone. */
  fallback_time_zone: FallbackTimeZone;
}

/** A user to import; the team is the user's own. */
export interface UserEnvelope {
  /** Says what the line holds. */
  kind: 'user';

  /** The user. */
  user: User;
}

/** A page of the team's users (interface document 4.5). */
export interface UserList {
  /** The users of this page, by `created_on`, then `user_id`. */
  users: ListedUser[];

  /** How many users the team has. */
  total: number;

  /** How many users come before this page. */
  offset: number;

  /** How many users the page holds at most. */
  limit: number;
}
