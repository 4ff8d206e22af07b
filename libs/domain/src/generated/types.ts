// Generated from the DTO classes by `npm run generate`; do not edit.
import type { AuditDecision, BiomarkerType, BreakGlassReason, Gender, InferredFailureType, Interpretation, LowLevelStatus, MetadataStatus, OrderOrigin, Relationship, ReviewOutcome, ReviewState, TransactionStatus } from '../validation/known-values.ts';

/** Postal address of the insured person. */
export interface Address {
  /** Street and number. */
  first_line: string;

  /** Apartment, building or care of. */
  second_line?: string | null;

  /** Postal code. */
  zip_code: string;

  /** State or province. */
  state: string;

  /** City. */
  city: string;
}

/** Page of the alarms to list. */
export interface AuditAlarmsQuery {
  /** `next_cursor` of the previous page. */
  cursor?: string;
}

/** Proof that an audit log is append-only (RFC 6962). */
export interface AuditConsistencyProof {
  /** Id of the log. */
  log_id: string;

  /** Size of the earlier tree. */
  from: number;

  /** Size of the later tree. */
  to: number;

  /** Hashes that connect the two roots, Base64. */
  proof: string[];

  /** The signed checkpoint of the later tree. */
  checkpoint: string;
}

/** A record of the audit log. */
export interface AuditEvent {
  /** Id of the record (`x-audit-record-id`). */
  record_id: string;

  /** Salt of the record's leaf in the tree, Base64. */
  salt: string;

  /** User ids of the patients whose data was returned, also where `body` has them packed. */
  patients: string[];

  /** The fields of the record, as they were hashed; several patients are packed: base64url of 16 bytes for each. */
  body: Record<string, unknown>;
}

/** A page of the audit log. */
export interface AuditEventsPage {
  /** Id of the log of the events; null if they are of several logs. */
  log_id?: string | null;

  /** The events, newest first. */
  events: AuditEvent[];

  /** Cursor of the next page; null on the last page. */
  next_cursor?: string | null;
}

/** Filter of the events of the audit log; all conditions must match. */
export interface AuditEventsQuery {
  /** Only events of this log (log id). */
  log?: string;

  /** Only the record with this id (`x-audit-record-id`). */
  record?: string;

  /** Only events in which data of this user was returned. */
  patient?: string;

  /** Only events of this API key (key id). */
  actor?: string;

  /** Only this operation. */
  operation?: string;

  /** Only this outcome. */
  decision?: AuditDecision;

  /** Only events from this date (00:00:00 UTC) or date-time on. */
  from?: string;

  /** Only events up to this date (23:59:59 UTC) or date-time. */
  to?: string;

  /** `next_cursor` of the previous page. */
  cursor?: string;
}

/** Proof that a record is in an audit log (RFC 6962). */
export interface AuditInclusionProof {
  /** Id of the log. */
  log_id: string;

  /** Position of the record, starting at 0. */
  seq: number;

  /** Size of the tree that contains the record. */
  size: number;

  /** Hash of the record's leaf, Base64. */
  leaf_hash: string;

  /** Hashes from the leaf up to the root, Base64. */
  proof: string[];

  /** The signed checkpoint of that tree. */
  checkpoint: string;
}

/** The audit log to read. */
export interface AuditLogQuery {
  /** Log id; by default the log of the responding instance. */
  log?: string;
}

/** The requested proof: that `record` or `seq` is in the audit log, or that the log is append-only since `from`. */
export interface AuditProofQuery {
  /** Log id; by default the log of the responding instance. */
  log?: string;

  /** Id of a record of the team (`x-audit-record-id`). */
  record?: string;

  /** Position of the record, starting at 0. */
  seq?: number;

  /** Size of the tree that contains the record. */
  size?: number;

  /** Size of the earlier tree. */
  from?: number;

  /** Size of the later tree. */
  to?: number;
}

/** One measured biomarker. */
export interface BiomarkerResult {
  /** Display name of the biomarker. */
  name: string;

  /** Slug of the biomarker. */
  slug: string;

  /** The result as a number in `unit`, if it is numeric. */
  value?: number | null;

  /** The result as reported by the laboratory, such as `5.4`, `>100` or `NEGATIVE`. */
  result: string;

  /** Kind of result. */
  type?: BiomarkerType | null;

  /** Unit of value and range. */
  unit?: string | null;

  /** When it was measured. */
  timestamp?: string | null;

  /** Notes from the laboratory. */
  notes?: string | null;

  /** Lower bound of the reference range, in `unit`. */
  min_range_value?: number | null;

  /** Upper bound of the reference range, in `unit`. */
  max_range_value?: number | null;

  /** Whether the value is above the reference range. */
  is_above_max_range?: boolean | null;

  /** Whether the value is below the reference range. */
  is_below_min_range?: boolean | null;

  /** Interpretation of the result by the laboratory. */
  interpretation?: Interpretation | null;

  /** LOINC code. */
  loinc?: string | null;

  /** Slug of the LOINC code. */
  loinc_slug?: string | null;

  /** The laboratory's id of the marker. */
  provider_id?: string | null;

  /** The catalogue entries that the biomarker comes from. */
  source_markers?: SourceMarker[] | null;
}

/** An emergency access grant and its review. */
export interface BreakGlassGrant {
  /** Id of the emergency access grant. */
  break_glass_id: string;

  /** Id of the team. */
  team_id: string;

  /** Id of the key with the grant. */
  key_id: string;

  /** Label of that key. */
  key_label: string;

  /** Role of that key. */
  role: string;

  /** The user whose data could be read. */
  user_id: string;

  /** Category of the reason. */
  reason_code: string;

  /** Reason as text. */
  text: string;

  /** When access was granted. */
  granted_at: string;

  /** When the grant expires or expired. */
  expires_at: string;

  /** When its review is due. */
  review_due_at: string;

  /** Whether the grant was not reviewed in time. */
  overdue: boolean;

  /** When the grant was reviewed; null before. */
  reviewed_at?: string | null;

  /** Id of the reviewing key; null before the review. */
  reviewed_by?: string | null;

  /** Outcome of the review; null before. */
  outcome?: string | null;

  /** Remarks of the review; null if none. */
  note?: string | null;
}

/** Emergency access grants of the team, newest first. */
export interface BreakGlassGrantList {
  /** The emergency access grants. */
  grants: BreakGlassGrant[];
}

/** A new emergency access grant. */
export interface BreakGlassGranted {
  /** Id of the emergency access grant. */
  break_glass_id: string;

  /** The user whose data can be read. */
  user_id: string;

  /** When the grant expires. */
  expires_at: string;
}

/** Filter of the emergency access grants. */
export interface BreakGlassListQuery {
  /** Grants waiting for review (`open`, the default), or all. */
  state?: ReviewState;
}

/** Path parameters of a review of an emergency access grant. */
export interface BreakGlassParams {
  /** Id of the emergency access grant. */
  break_glass_id: string;
}

/** Request for emergency access to one user. */
export interface BreakGlassRequest {
  /** Category of the reason. */
  reason_code: BreakGlassReason;

  /** Reason as text: at least 20 letters or digits, of any script, and at most 2000 characters. */
  text: string;

  /** Id of the user. */
  user_id: string;
}

/** Review of an emergency access grant. */
export interface BreakGlassReview {
  /** Outcome of the review. */
  outcome: ReviewOutcome;

  /** Remarks, at most 2000 characters. */
  note?: string;
}

/** A source that the user has connected. */
export interface ConnectedSource {
  /** When it was connected. */
  created_on: string;

  /** The provider. */
  source: Source;
}

/** The date of birth used for providers that do not report an age; the maximum heart rate is computed from it. */
export interface FallbackBirthDate {
  /** Date of birth, YYYY-MM-DD. */
  value: string;

  /** Slug of the source that set the value. */
  source_slug: string;

  /** When it was set. */
  updated_at: string;
}

/** The time zone used for sources that do not report one. */
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
  /** Groups of points by the slug of the provider. */
  groups: Record<string, MindfulnessMinutesGroup[]>;

  /**
   * Cursor of the next page, or null on the last page.
   * @deprecated use `next_cursor`
   */
  next?: string | null;

  /** Cursor of the next page, or null on the last page. */
  next_cursor?: string | null;
}

/** A user's insurance (interface document 2.4). */
export interface Insurance {
  /** Code of the payor. */
  payor_code: string;

  /** Member id with the payor. */
  member_id: string;

  /** Group id with the payor. */
  group_id?: string | null;

  /** Relationship of the insured person to the member. Undocumented values may appear. */
  relationship: Relationship;

  /** The insured person. */
  insured: InsuredPerson;
}

/** A user's insurance to import. */
export interface InsuranceEnvelope {
  /** Type of the record. */
  kind: 'insurance';

  /** The team that the user belongs to. */
  team_id: string;

  /** The user. */
  user_id: string;

  /** When it was recorded; reads return the latest record. */
  recorded_at: string;

  /** Whether this is the primary insurance; default true. */
  is_primary?: boolean | null;

  /** The insurance. */
  insurance: Insurance;
}

/** The insured person. */
export interface InsuredPerson {
  /** Given name. */
  first_name: string;

  /** Family name. */
  last_name: string;

  /** E-mail address. */
  email?: string | null;

  /** Phone number in international format with a leading +. */
  phone_number?: string | null;

  /** Gender on record with the payor. */
  gender?: Gender | null;

  /** Date of birth, YYYY-MM-DD. */
  dob?: string | null;

  /** Postal address. */
  address?: Address | null;
}

/** The result of a lab order (interface document 2.3). */
export interface LabOrderResult {
  /** Patient, ordering provider and laboratory of the result. */
  metadata: LabResultMetadata;

  /** The biomarkers measured. */
  results: BiomarkerResult[];

  /** The biomarkers that were ordered but not measured. */
  missing_results?: MissingBiomarkerResult[] | null;

  /** Information about the specimens, in the format of the laboratory. */
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
  /** Type of the record. */
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

/** Patient, ordering provider and laboratory of the result. */
export interface LabResultMetadata {
  /** The patient's age in years. */
  age?: number | null;

  /** The patient's date of birth, shown as day/month/year. */
  dob?: string | null;

  /** The laboratory's CLIA number. */
  clia_number?: string | null;

  /** The patient's name. */
  patient?: string | null;

  /** Name of the ordering provider. */
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

  /** Overall interpretation of the result. */
  interpretation?: Interpretation | null;
}

/** Path of a user's latest insurance (interface document 4.4). */
export interface LatestInsuranceParams {
  /** Id of the user. */
  user_id: string;
}

/** Query of a user's latest insurance. */
export interface LatestInsuranceQuery {
  /** Whether to return the primary insurance; default true. */
  is_primary?: boolean | null;
}

/** Query of the list of users. */
export interface ListUsersQuery {
  /** Number of users to skip; default 0. */
  offset?: number | null;

  /** Maximum number of users to return; default 100. */
  limit?: number | null;
}

/** A user as returned by the list, where the fallback time zone is optional. */
export interface ListedUser {
  /** Id of the user, used in all other operations on that user. */
  user_id: string;

  /** The team that the user belongs to. */
  team_id: string;

  /** Id of the user in the team's own system, unique in the team. Must not be an e-mail address, phone number or other personal data. */
  client_user_id: string;

  /** When the user was created. */
  created_on: string;

  /** The sources that the user has connected. */
  connected_sources: ConnectedSource[];

  /** Fallback date of birth. */
  fallback_birth_date?: FallbackBirthDate | null;

  /** First day for which data is ingested, YYYY-MM-DD. */
  ingestion_start?: string | null;

  /** Last day for which data is ingested, YYYY-MM-DD. */
  ingestion_end?: string | null;

  /** Fallback time zone. */
  fallback_time_zone?: FallbackTimeZone | null;
}

/** Mindfulness minutes of one source to import. */
export interface MindfulnessMinutesEnvelope {
  /** Type of the record. */
  kind: 'mindfulness_minutes';

  /** The team that the user belongs to. */
  team_id: string;

  /** The user. */
  user_id: string;

  /** The source of the points. */
  source: TimeseriesSource;

  /** The points. */
  data: MindfulnessMinutesPoint[];
}

/** The points of one source. */
export interface MindfulnessMinutesGroup {
  /** The points, by time. */
  data: MindfulnessMinutesPoint[];

  /** The source of the points. */
  source: TimeseriesSource;
}

/** Path of the grouped mindfulness timeseries (interface document 4.1). */
export interface MindfulnessMinutesParams {
  /** Id of the user. */
  user_id: string;
}

/** One session of mindfulness. */
export interface MindfulnessMinutesPoint {
  /** Start of the session, with the local offset. */
  start: string;

  /** End of the session, with the local offset. */
  end: string;

  /** Always minutes. */
  unit: 'min';

  /** Duration in minutes. */
  value: number;
}

/** Query of the grouped mindfulness timeseries (interface document 4.1). */
export interface MindfulnessMinutesQuery {
  /** Start of the period, inclusive: a date (00:00:00 UTC) or an ISO 8601 date-time. */
  start_date: string;

  /** End of the period, inclusive: a date (23:59:59 UTC) or an ISO 8601 date-time. */
  end_date?: string | null;

  /** Slug of the provider; all providers if empty. */
  provider?: string | null;

  /**
   * Cursor of the page; omit for the first page.
   * @deprecated use `next_cursor`
   */
  cursor?: string | null;

  /** Cursor of the page; omit for the first page. */
  next_cursor?: string | null;
}

/** A biomarker that was ordered but not measured. Its fields are decided in docs/design.md: the interface document does not specify them. */
export interface MissingBiomarkerResult {
  /** Display name of the biomarker. */
  name: string;

  /** Slug of the biomarker. */
  slug: string;

  /** Presumed reason why the result is missing. */
  inferred_failure_type?: InferredFailureType | null;

  /** Notes from the laboratory. */
  note?: string | null;

  /** LOINC code. */
  loinc?: string | null;

  /** Slug of the LOINC code. */
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

  /** Status of the transaction. */
  status: TransactionStatus;

  /** Its orders. */
  orders: OrderTransactionOrder[];
}

/** One order of a transaction: the initial order, or one created by a redraw or recreation. */
export interface OrderTransactionOrder {
  /** The order's id. */
  id: string;

  /** When it was created. */
  created_at: string;

  /** When it last changed. */
  updated_at: string;

  /** Detailed status of the order. */
  low_level_status?: LowLevelStatus | null;

  /** When the order reached this status. */
  low_level_status_created_at?: string | null;

  /** Why the order was created. */
  origin?: OrderOrigin | null;
}

/** Every error of the service: a problem document (RFC 9457, `application/problem+json`). */
export interface ProblemDetails {
  /** URI reference that identifies the problem type; stable. */
  type: string;

  /** Short summary of the problem type. */
  title: string;

  /** HTTP status. */
  status: number;

  /** Explanation of this occurrence of the problem. */
  detail?: string | null;

  /** URI reference of this occurrence. */
  instance?: string | null;

  /** The rejected parameters. */
  errors?: ProblemFieldError[] | null;

  /** The request's id, as in the header `x-request-id`. */
  request_id?: string | null;
}

/** A rejected parameter with the reason. */
export interface ProblemFieldError {
  /** Name of the parameter, or path of the field. */
  parameter: string;

  /** Why the parameter was rejected; never contains its value. */
  reason: string;
}

/** Path of resolving a user (interface document 4.2). */
export interface ResolveUserParams {
  /** Id of the user in the team's own system. */
  client_user_id: string;
}

/** A provider of health data, such as a wearable manufacturer. */
export interface Source {
  /** URL of the provider's logo. */
  logo: string;

  /** Display name of the provider. */
  name: string;

  /** Slug of the provider. */
  slug: string;
}

/** A marker in the catalogue of the laboratory. */
export interface SourceMarker {
  /** Number in the catalogue. */
  marker_id?: number | null;

  /** Name in the catalogue. */
  name?: string | null;

  /** Slug in the catalogue. */
  slug?: string | null;

  /** The laboratory's id of the marker. */
  provider_id?: string | null;
}

/** Source of a group of points. */
export interface TimeseriesSource {
  /** Slug of the provider. */
  provider: string;

  /** Type of device or app, such as `watch`. */
  type: string;
}

/** A user (patient) of a team, as returned by resolve (interface document 2.1). */
export interface User {
  /** Id of the user, used in all other operations on that user. */
  user_id: string;

  /** The team that the user belongs to. */
  team_id: string;

  /** Id of the user in the team's own system, unique in the team. Must not be an e-mail address, phone number or other personal data. */
  client_user_id: string;

  /** When the user was created. */
  created_on: string;

  /** The sources that the user has connected. */
  connected_sources: ConnectedSource[];

  /** Fallback date of birth. */
  fallback_birth_date?: FallbackBirthDate | null;

  /** First day for which data is ingested, YYYY-MM-DD. */
  ingestion_start?: string | null;

  /** Last day for which data is ingested, YYYY-MM-DD. */
  ingestion_end?: string | null;

  /** Fallback time zone. */
  fallback_time_zone: FallbackTimeZone;
}

/** A user to import; the team is the user's own. */
export interface UserEnvelope {
  /** Type of the record. */
  kind: 'user';

  /** The user. */
  user: User;
}

/** A page of the team's users (interface document 4.5). */
export interface UserList {
  /** The users on this page, sorted by `created_on`, then `user_id`. */
  users: ListedUser[];

  /** Total number of users of the team. */
  total: number;

  /** Number of users skipped before this page. */
  offset: number;

  /** Maximum number of users on the page. */
  limit: number;
}
