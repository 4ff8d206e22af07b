// Generated from the DTO classes by `npm run generate`; do not edit.
import type { AuditActorType, AuditDecision, AuditExportFormat, BiomarkerType, BreakGlassReason, CallerKind, CollectionMethod, DeskDocument, DeskEventKind, DisclosureLanguage, DisclosureWay, Gender, InferredFailureType, Interpretation, LowLevelStatus, MetadataStatus, OrderDirection, OrderKey, OrderOrigin, OrderStatus, PeopleSearched, PersonMatch, PersonSource, Relationship, ReviewOutcome, ReviewState, TransactionStatus } from '../validation/known-values.ts';

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

/** Who acted, by name as of now: names are not in the log. */
export interface AuditActor {
  /** Kind of the actor. */
  type: AuditActorType;

  /** Id of the staff member or of the key, or the user of the command line; null if there is none. */
  id?: string | null;

  /** Name of the staff member, or label of the key; null if there is none, or no longer. */
  name?: string | null;

  /** The role in which they acted; null without one. */
  role?: string | null;
}

/** Page of the alarms to list. */
export interface AuditAlarmsQuery {
  /** `next_cursor` of the previous page. */
  cursor?: string;
}

/** A checkpoint of the log. */
export interface AuditCheckpointState {
  /** Records of the log at this checkpoint. */
  size: number;

  /** Root hash of the tree, Base64. */
  root: string;

  /** The signed checkpoint itself (C2SP tlog-checkpoint). */
  note: string;

  /** When it was still that of the log. */
  at?: string | null;
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

/** A desk, by name as of now. */
export interface AuditDevice {
  /** Id of the desk. */
  id: string;

  /** Name of the desk; null if there is none, or no longer. */
  name?: string | null;
}

/** A record of the audit log. */
export interface AuditEvent {
  /** Id of the record (`x-audit-record-id`). */
  record_id: string;

  /** Id of its log. */
  log_id?: string | null;

  /** Salt of the record's leaf in the tree, Base64. */
  salt: string;

  /** User ids of the patients whose data was returned, also where `body` has them packed. */
  patients: string[];

  /** When it happened. */
  occurred_at: string;

  /** Who acted. */
  actor: AuditActor;

  /** Id of the session of a staff member; null for a key. */
  session_id?: string | null;

  /** The desk; null if it is not known. */
  device?: AuditDevice | null;

  /** The fields of the record, as they were hashed; several patients are packed: base64url of 16 bytes for each. */
  body: Record<string, unknown>;
}

/** A page of the audit log. */
export interface AuditEventsPage {
  /** Id of the log of the events; null if they are of several logs. */
  log_id?: string | null;

  /** The user of `client_user_id`; missing or null where events were not asked for by it. */
  user_id?: string | null;

  /** The events, newest first. */
  events: AuditEvent[];

  /** Cursor of the next page; null on the last page. */
  next_cursor?: string | null;
}

/** Filter of the events of the audit log; all conditions must match. */
export interface AuditEventsQuery {
  /** As `patient`, by the user's id in the team's own system; not beside it. Unknown: 404. */
  client_user_id?: string;

  /** Only events of this staff member or API key: what they did, and with `decision=allowed` what they saw. */
  actor_id?: string;

  /** Only this operation. */
  operation?: string;

  /** Only this outcome. */
  decision?: AuditDecision;

  /** Only events from this date (00:00:00 UTC) or date-time on. */
  from?: string;

  /** Only events up to this date (23:59:59 UTC) or date-time. */
  to?: string;

  /** Only events of this log (log id). */
  log?: string;

  /** Only the record with this id (`x-audit-record-id`). */
  record?: string;

  /** Only events in which data of this user was returned. */
  patient?: string;

  /** `next_cursor` of the previous page. */
  cursor?: string;
}

/** Events to export, as a file in parts. */
export interface AuditExportQuery {
  /** As `patient`, by the user's id in the team's own system; not beside it. Unknown: 404. */
  client_user_id?: string;

  /** Only events of this staff member or API key: what they did, and with `decision=allowed` what they saw. */
  actor_id?: string;

  /** Only this operation. */
  operation?: string;

  /** Only this outcome. */
  decision?: AuditDecision;

  /** Only events from this date (00:00:00 UTC) or date-time on. */
  from?: string;

  /** Only events up to this date (23:59:59 UTC) or date-time. */
  to?: string;

  /** Form of the export. */
  format: AuditExportFormat;

  /** Only events in which data of this user was returned; other patients of the same events are left out. */
  patient?: string;

  /** Maximum number of events of a part; default 1000. */
  limit?: number;

  /** `x-next-cursor` of the previous part. */
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

/** State of the audit log of the responding instance. */
export interface AuditLogState {
  /** Id of the log. */
  log_id: string;

  /** Public key of the log (C2SP verifier key). */
  verifier_key: string;

  /** Whether the log accepts records. */
  accepts_records: boolean;

  /** When this instance opened the log and checked its end. */
  opened_at: string;

  /** The current checkpoint. */
  checkpoint: AuditCheckpointState;

  /** What was verified for this answer, from the checkpoint of the start on. */
  verified: AuditVerification;

  /** The last verification of the whole log, which is made once a day; null before the first one after a start. */
  verified_whole?: AuditWholeVerification | null;

  /** Whether the copy of checkpoints on another disk fails; null without one. */
  checkpoint_copy_failing?: boolean | null;
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

/** What was verified for this answer. */
export interface AuditVerification {
  /** When. */
  at: string;

  /** Records of the earlier checkpoint. */
  from: number;

  /** Records of the current checkpoint. */
  to: number;

  /** Whether the log of `to` records extends the log of `from` records. */
  consistent: boolean;
}

/** The last verification of the whole log. */
export interface AuditWholeVerification {
  /** When it ended. */
  at: string;

  /** Whether each record, seal and hash was as it was signed. */
  intact: boolean;
}

/** Whose badge it is; a badge names, it never proves. */
export interface BadgeHolder {
  /** Id of the staff member. */
  staff_id: string;

  /** Name of the staff member. */
  name: string;
}

/** A badge read at a desk. */
export interface BadgeRead {
  /** Id of the desk. */
  desk_id: string;

  /** What the reader sent. */
  badge: string;
}

/** Earlier values of one biomarker of a report. */
export interface BiomarkerHistory {
  /** Slug of the biomarker in the report. */
  slug: string;

  /** LOINC code in the report. */
  loinc?: string | null;

  /** Unit in the report; earlier values have the same. */
  unit?: string | null;

  /** Up to ten, newest first. */
  earlier: EarlierResult[];
}

/** One measured biomarker. */
export interface BiomarkerResult {
  /** Display name of the biomarker. */
  name: string;

  /** Slug of the biomarker. */
  slug: string;

  /** LOINC code. */
  loinc?: string | null;

  /** Slug of the LOINC code. */
  loinc_slug?: string | null;

  /** The laboratory's id of the marker. */
  provider_id?: string | null;

  /** The catalogue entries that the biomarker comes from. */
  source_markers?: SourceMarker[] | null;

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
}

/** An emergency access grant and its review. */
export interface BreakGlassGrant {
  /** Id of the emergency access grant. */
  break_glass_id: string;

  /** Id of the team. */
  team_id: string;

  /** Id of the key with the grant; null if a staff member has it. */
  key_id?: string | null;

  /** Label of that key. */
  key_label?: string | null;

  /** Id of the staff member with the grant; null if a key has it. */
  staff_id?: string | null;

  /** Name of that staff member. */
  staff_name?: string | null;

  /** Role of the key or staff member. */
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

  /** Id of the reviewing key or staff member; null before the review. */
  reviewed_by?: string | null;

  /** Name of the reviewing staff member, or label of the key; null before the review. */
  reviewed_by_name?: string | null;

  /** Outcome of the review; null before. */
  outcome?: string | null;

  /** Remarks of the review; null if none. */
  note?: string | null;
}

/** Page of the emergency access grants of the team: those waiting for review oldest first, all of them newest first. */
export interface BreakGlassGrantList {
  /** The emergency access grants. */
  grants: BreakGlassGrant[];

  /** Cursor of the next page; null on the last page. */
  next_cursor?: string | null;
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

  /** `next_cursor` of the previous page. */
  cursor?: string;
}

/** Path parameters of an emergency access grant. */
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

  /** A new ID token (`max_age=0`), from who signed in at the identity provider. */
  id_token?: string;

  /** The random part of its nonce, as at the sign-in. */
  nonce_random?: string;
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

/** Enrolment of a desk; its key is that of the request's proof. */
export interface DeskEnrolment {
  /** The code that `caregate desks enrol` showed: 10 characters, with or without a hyphen. */
  code: string;

  /** Name of the desk, instead of the one given with the code. */
  name?: string;
}

/** What a desk is about to do with data that it was shown. To be sent, and answered, before it is done. */
export interface DeskEvent {
  /** What is done. */
  kind: DeskEventKind;

  /** What it is done with. */
  document: DeskDocument;

  /** Number of its pages. */
  pages?: number;

  /** Number of copies; default 1. */
  copies?: number;

  /** The desk's own number of this print, 32 hexadecimal digits, which is on its paper; another one for each print. */
  number?: string;

  /** Ids of the records (`x-audit-record-id`) of the answers that are in the document, 1 to 200. */
  record_ids: string[];
}

/** The record of a desk event. */
export interface DeskEventRecorded {
  /** Id of the record, as in `x-audit-record-id`. */
  record_id: string;
}

/** The next key of a desk, offered by the key that it has. */
export interface DeskKeyOffer {
  /** Id of the desk. */
  desk_id: string;

  /** A proof (DPoP) of the next key, for this request and the desk's id as its `ath`. */
  proof: string;
}

/** A desk, by name as of now. */
export interface DisclosureDesk {
  /** Id of the desk. */
  desk_id: string;

  /** Name of the desk; null if there is none, or no longer. */
  name?: string | null;
}

/** One answer that showed data of the patient, or what a desk then did with it. */
export interface Disclosure {
  /** Id of its audit record. */
  record_id: string;

  /** When it happened. */
  occurred_at: string;

  /** Who was shown it. */
  actor: AuditActor;

  /** Id of the session of a staff member; null for a key. */
  session_id?: string | null;

  /** The desk; null if it is not known. */
  desk?: DisclosureDesk | null;

  /** The operation. */
  operation: string;

  /** The operation in words. */
  what: string;

  /** `read`: this patient was asked for; `listed`: one of several in a list; otherwise what a desk did with it. */
  how: DisclosureWay;

  /** Category of the data. */
  data_category?: string | null;

  /** What a desk printed, copied, saved or exported; null for an answer. */
  document?: string | null;

  /** Whether the role was shown fewer fields. */
  masked: boolean;

  /** Reason of the emergency access, otherwise the purpose of use; null if the role permits it and none was given. */
  why?: string | null;

  /** The emergency access that permitted it; null without. */
  break_glass_id?: string | null;

  /** Outcome of the request. */
  outcome: AuditDecision;
}

/** Accounting of disclosures: a page of who was shown data of a patient, newest first. */
export interface DisclosureList {
  /** Id of the user. */
  user_id: string;

  /** Start of the range, as asked; null if it is open. */
  from?: string | null;

  /** End of the range, as asked; null if it is open. */
  to?: string | null;

  /** The disclosures, newest first. */
  disclosures: Disclosure[];

  /** Cursor of the next page; null on the last page. */
  next_cursor?: string | null;
}

/** Path parameters of an accounting of disclosures. */
export interface DisclosuresParams {
  /** Id of the user. */
  user_id: string;
}

/** Range, page and language of an accounting of disclosures. */
export interface DisclosuresQuery {
  /** Only disclosures from this date (00:00:00 UTC) or date-time on. */
  start_date?: string;

  /** Only disclosures up to this date (23:59:59 UTC) or date-time. */
  end_date?: string;

  /** Maximum number of disclosures of a page; default 100. */
  limit?: number;

  /** `next_cursor` of the previous page. */
  cursor?: string;

  /** Language of the words; default: by `Accept-Language`, otherwise English. */
  lang?: DisclosureLanguage;
}

/** A biomarker as an earlier report of the same person has it. */
export interface EarlierResult {
  /** The order of that report. */
  order_id: string;

  /** Day the specimen was taken; else received, else reported. */
  date: string;

  /** The biomarker in that report. */
  measured: BiomarkerResult;
}

/** An enrolled desk. */
export interface EnrolledDesk {
  /** Id of the desk. */
  desk_id: string;

  /** Name of the desk. */
  name: string;

  /** Id of its team. */
  team_id: string;

  /** Name of the clinic; null if not configured. */
  clinic_name?: string | null;
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

/** The people found, best first. */
export interface FoundPeople {
  /** The people. */
  people: FoundPerson[];

  /** What was searched: all that is known of people, or, of an upstream, its lab orders only. */
  searched: PeopleSearched;

  /** How many people match, also beyond the limit; at least so many where `more` is true. */
  total: number;

  /** Whether more than `total` may match. */
  more: boolean;
}

/** A person who was found. */
export interface FoundPerson {
  /** Id of the user. */
  user_id: string;

  /** Id of the user in the team's own system. */
  client_user_id?: string | null;

  /** The person's name as it is known. */
  name?: string | null;

  /** Where the name comes from. */
  name_source?: PersonSource | null;

  /** Day of the record with the name. */
  name_as_of?: string | null;

  /** Date of birth, YYYY-MM-DD. */
  birth_date?: string | null;

  /** Where the date of birth comes from. */
  birth_date_source?: PersonSource | null;

  /** Phone number, by which people of one name and birth date are told apart. */
  phone?: string | null;

  /** Where the phone number comes from. */
  phone_source?: PersonSource | null;

  /** Town and state of the address, for the same. */
  town?: string | null;

  /** Where the town comes from. */
  town_source?: PersonSource | null;

  /** Day of the newest record of the person. */
  last_seen?: string | null;

  /** What of the person matches the text; `near_id`: an id that is one slip from it. */
  matched: PersonMatch;

  /** The name that matches, if it is another one than `name`. */
  matched_name?: string | null;

  /** The date of birth that matches, if another record has another one than `birth_date`. */
  matched_birth_date?: string | null;
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

/** Query of the list of orders; all conditions must match. */
export interface ListOrdersQuery {
  /** Only orders of this user. */
  user_id?: string;

  /** Only orders whose patient's name has these words or parts of words, in any order and without accents. */
  patient_name?: string;

  /** Only orders with this order id, user id, patient's name (as `patient_name`) or birth date. */
  search_input?: string;

  /** Only orders created on or after this date (00:00:00 UTC) or date-time. */
  start_date?: string;

  /** Only orders created up to this date (23:59:59 UTC) or date-time. */
  end_date?: string;

  /** Only orders changed on or after this date (00:00:00 UTC) or date-time. */
  updated_start_date?: string;

  /** Only orders changed up to this date (23:59:59 UTC) or date-time. */
  updated_end_date?: string;

  /** Only orders with one of these detailed statuses, such as `completed`; may be repeated. */
  status?: string[];

  /** Only orders whose result has this interpretation. */
  interpretation?: string;

  /** What to sort by; default `created_at`. */
  order_key?: OrderKey;

  /** Direction of the order; default `desc`. */
  order_direction?: OrderDirection;

  /** Only orders with one of these ids; may be repeated. */
  order_ids?: string[];

  /** Number of the page, from 1; default 1. */
  page?: number;

  /** Orders per page; default 50. */
  size?: number;
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

/** Who the caller is, and what the role may do. */
export interface Me {
  /** Whether a staff member or a key. */
  kind: CallerKind;

  /** Name of the staff member, or label of the key. */
  name: string;

  /** Role of the caller. */
  role: string;

  /** Id of the team. */
  team_id: string;

  /** Id of the staff member; null for a key. */
  staff_id?: string | null;

  /** The desk; null for a key. */
  desk?: SessionDesk | null;

  /** The session; null for a key. */
  session?: SessionTimes | null;

  /** `yes`, `mask`, `no` or `emergency` (only by emergency access) by the name of the operation. */
  permissions: Record<string, unknown>;
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

  /** LOINC code. */
  loinc?: string | null;

  /** Slug of the LOINC code. */
  loinc_slug?: string | null;

  /** The laboratory's id of the marker. */
  provider_id?: string | null;

  /** The catalogue entries that the biomarker comes from. */
  source_markers?: SourceMarker[] | null;

  /** Presumed reason why the result is missing. */
  inferred_failure_type?: InferredFailureType | null;

  /** Notes from the laboratory. */
  note?: string | null;
}

/** Query of an operation that takes no parameters. */
export interface NoQuery {

}

/** A lab order. What is not known is missing or null, never made up. */
export interface Order {
  /** The order's id. */
  id: string;

  /** The team that it belongs to. */
  team_id: string;

  /** The user whom it is for. */
  user_id: string;

  /** The patient, as far as known. */
  patient_details?: OrderPatientDetails | null;

  /** The patient's address. */
  patient_address?: OrderPatientAddress | null;

  /** The patient's name as the lab report has it, in one piece. */
  patient_name?: string | null;

  /** What was ordered. */
  lab_test?: OrderLabTest | null;

  /** Details of the collection method. */
  details?: Record<string, unknown> | null;

  /** Id of the specimen. */
  sample_id?: string | null;

  /** Notes on the order. */
  notes?: string | null;

  /** When it was created. */
  created_at?: string | null;

  /** When it last changed. */
  updated_at?: string | null;

  /** Its steps, oldest first. */
  events?: OrderEvent[] | null;

  /** Where it is on its way, in short. */
  status?: OrderStatus | null;

  /** The newest of its steps. */
  last_event?: OrderEvent | null;

  /** The physician. */
  physician?: OrderPhysician | null;

  /** Whether it takes precedence at the laboratory. */
  priority?: boolean | null;

  /** Whether the patient was told in advance that they may have to pay. */
  has_abn?: boolean | null;

  /** Overall interpretation of the result. */
  interpretation?: Interpretation | null;

  /** Whether results are missing from the report. */
  has_missing_results?: boolean | null;

  /** Why the order was created. */
  origin?: OrderOrigin | null;

  /** The order and its redraws. */
  order_transaction?: OrderTransaction | null;
}

/** A lab order to import; team and user are the order's own. */
export interface OrderEnvelope {
  /** Type of the record. */
  kind: 'order';

  /** The order. */
  order: Order;
}

/** A step of an order. */
export interface OrderEvent {
  /** Number of the event. */
  id?: number | null;

  /** When it happened. */
  created_at?: string | null;

  /** The status that it led to, such as `received.walk_in_test.ordered`; its last part is the detailed status. */
  status: string;

  /** More about the status. */
  status_detail?: string | null;
}

/** What came before the result of a lab order. */
export interface OrderHistory {
  /** The order. */
  order_id: string;

  /** Each biomarker of its result that has earlier values, in the order of the result. */
  biomarkers: BiomarkerHistory[];

  /** The version that the result replaced; null if there was none, or it is not known. */
  replaced?: ReplacedResult | null;

  /** Number of earlier reports left out because they have another name or birth date. */
  left_out: number;
}

/** Path of the history of a lab order's result. */
export interface OrderHistoryParams {
  /** The order's id. */
  order_id: string;
}

/** What was ordered. */
export interface OrderLabTest {
  /** Id of the test. */
  id?: string | null;

  /** Slug of the test. */
  slug?: string | null;

  /** Display name of the test. */
  name?: string | null;

  /** Specimen that it needs. */
  sample_type?: string | null;

  /** How the specimen is collected. */
  method?: CollectionMethod | null;

  /** Price in the currency of the account. */
  price?: number | null;

  /** Whether it can be ordered. */
  is_active?: boolean | null;

  /** State of the test in the catalogue. */
  status?: string | null;
}

/** A page of the team's lab orders. */
export interface OrderList {
  /** The orders on this page. */
  orders: Order[];

  /** Number of orders on all pages. */
  total?: number | null;

  /** Number of this page, from 1. */
  page?: number | null;

  /** Orders per page at most. */
  size?: number | null;
}

/** Where the patient of an order lives. */
export interface OrderPatientAddress {
  /** Who receives what is sent there. */
  receiver_name?: string | null;

  /** Street and number. */
  first_line?: string | null;

  /** Apartment, building or care of. */
  second_line?: string | null;

  /** City. */
  city?: string | null;

  /** State or province. */
  state?: string | null;

  /** Postal code. */
  zip?: string | null;

  /** Country, ISO 3166-1 with two letters. */
  country?: string | null;

  /** Phone number. */
  phone_number?: string | null;
}

/** The patient of an order, as far as known. */
export interface OrderPatientDetails {
  /** Given names. */
  first_name?: string | null;

  /** Family names. */
  last_name?: string | null;

  /** Date of birth, YYYY-MM-DD; the public API may add a time. */
  dob?: string | null;

  /** Gender on record. */
  gender?: Gender | null;

  /** Phone number. */
  phone_number?: string | null;

  /** E-mail address. */
  email?: string | null;
}

/** The physician of an order. */
export interface OrderPhysician {
  /** Given names. */
  first_name?: string | null;

  /** Family names. */
  last_name?: string | null;

  /** National provider identifier. */
  npi?: string | null;
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

/** A search for people. The text stands in the body, since names never stand in an address. */
export interface PeopleSearch {
  /**
   * Names or parts of names in any order, a birth date, digits of a phone number, or an id. At least three letters or
   * digits, two characters of Han, Hangul or kana, or a whole date.
   */
  text: string;

  /** How many people at most; default 8. */
  limit?: number;
}

/** Numbers of digits that a PIN may have. */
export interface PinDigits {
  /** Fewest. */
  min: number;

  /** Most. */
  max: number;
}

/** A PIN. */
export interface PinEntry {
  /** 6 to 12 digits. */
  pin: string;
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

  /** Why a sign-in was refused; stable. */
  reason?: string | null;

  /** Where an order without a result is: the status of its newest step, such as `received.walk_in_test.ordered`, or its first part alone. */
  order_status?: string | null;

  /** How many tries are left for the PIN. */
  tries_left?: number | null;

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

/** The version of a result that a correction replaced. */
export interface ReplacedResult {
  /** When it was replaced in the store. */
  replaced_at: string;

  /** The result as it was. */
  result: LabOrderResult;
}

/** Path of resolving a user (interface document 4.2). */
export interface ResolveUserParams {
  /** Id of the user in the team's own system. */
  client_user_id: string;
}

/** A desk. */
export interface SessionDesk {
  /** Id of the desk. */
  desk_id: string;

  /** Name of the desk. */
  name: string;
}

/** A session of a staff member at a desk. */
export interface Session {
  /** Id of the session. */
  session_id: string;

  /** When it expires unless it is renewed. */
  expires_at: string;

  /** When it ends in any case. */
  ends_at: string;

  /** The token for `Authorization: DPoP`; only in the answer that begins the session. */
  session?: string | null;

  /** Whether the staff member has a PIN. */
  pin_set: boolean;

  /** Whose session it is. */
  staff: SessionStaff;

  /** At which desk. */
  desk: SessionDesk;
}

/** Sign-in of a staff member at a desk: with an ID token, or with a key in the header `x-service-api-key`. */
export interface SessionRequest {
  /** Id of the desk. */
  desk_id: string;

  /** ID token of the clinic's identity provider; missing if signed in with a key. */
  id_token?: string;

  /** The random part of its nonce: base64url(SHA-256(thumbprint of the desk's key, ".", this)). */
  nonce_random?: string;
}

/** A staff member. */
export interface SessionStaff {
  /** Id of the staff member. */
  staff_id: string;

  /** Name of the staff member. */
  name: string;

  /** Role in this session. */
  role: string;

  /** Id of the team. */
  team_id: string;
}

/** The times of a session. */
export interface SessionTimes {
  /** Id of the session. */
  session_id: string;

  /** When it expires unless it is renewed. */
  expires_at: string;

  /** When it ends in any case. */
  ends_at: string;
}

/** What a desk needs to know before anybody has signed in. */
export interface SignInInfo {
  /** Name of the clinic; null if not configured. */
  clinic_name?: string | null;

  /** IANA time zone of the clinic, in which desks show times; null if not configured. */
  clinic_time_zone?: string | null;

  /** The identity provider; null if staff sign in with keys. */
  provider?: SignInProvider | null;

  /** Whether staff can sign in with a key that is bound to them. */
  keys: boolean;

  /** Numbers of digits of a PIN. */
  pin: PinDigits;

  /** Number of the newest interface for desks that the service speaks. */
  desk_interface: number;

  /** Number of the oldest one that it still speaks. */
  oldest_desk_interface: number;

  /** Idle minutes after which a desk locks. */
  lock_minutes: number;

  /** Hours after which a session ends, even in use. */
  session_hours: number;
}

/** The identity provider of the clinic (OpenID Connect). */
export interface SignInProvider {
  /** Issuer URL; its configuration is at `/.well-known/openid-configuration` below it. */
  issuer: string;

  /** Client id of the desktop at the provider. */
  client_id: string;

  /** Scopes to request. */
  scopes: string[];

  /** Name to show. */
  name: string;

  /** Secret that the provider asks of desktop clients, though it is none (Google); null if none. */
  client_secret?: string | null;

  /** `acr_values` to request for emergency access; null if none. */
  acr_values?: string | null;
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

/** Postal address of a user. */
export interface UserInfoAddress {
  /** Street and number. */
  first_line?: string | null;

  /** Apartment, building or care of. */
  second_line?: string | null;

  /** Postal code. */
  zip?: string | null;

  /** City. */
  city?: string | null;

  /** State or province. */
  state?: string | null;

  /** Country, ISO 3166-1 with two letters. */
  country?: string | null;
}

/** Who a user is: name, birth date, gender, contact and address. What is not known is missing or null. */
export interface UserInfo {
  /** Given names. */
  first_name?: string | null;

  /** Family names. */
  last_name?: string | null;

  /** E-mail address. */
  email?: string | null;

  /** Phone number. */
  phone_number?: string | null;

  /** Gender on record. */
  gender?: Gender | null;

  /** Date of birth, YYYY-MM-DD. */
  dob?: string | null;

  /** Postal address. */
  address?: UserInfoAddress | null;
}

/** What is known of who a user is, to import. */
export interface UserInfoEnvelope {
  /** Type of the record. */
  kind: 'user_info';

  /** The team that the user belongs to. */
  team_id: string;

  /** The user. */
  user_id: string;

  /** When it was recorded; reads return the latest record. */
  recorded_at: string;

  /** The info. */
  info: UserInfo;
}

/** Path of what is known of who a user is. */
export interface UserInfoParams {
  /** Id of the user. */
  user_id: string;
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
