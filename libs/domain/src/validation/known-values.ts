/**
 * Known values of the extensible enums of the interface document. Other values may appear; they are stored and shown,
 * never rejected. So each type is a union of its known values and any other string.
 */

/** One of the known values (for auto-completion) or any other string. */
export type Open<Known extends string> = Known | (string & {});

type ValueOf<T> = T[keyof T];

/** Relationship of the patient to the insured person (interface document 2.4). */
export const RELATIONSHIPS = { self: 'Self', spouse: 'Spouse', other: 'Other' } as const;
export type Relationship = Open<ValueOf<typeof RELATIONSHIPS>>;

/** Interpretation of a result, or of all results of an order, against the reference ranges. */
export const INTERPRETATIONS = {
  normal: 'normal',
  abnormal: 'abnormal',
  critical: 'critical',
  unknown: 'unknown',
} as const;
export type Interpretation = Open<ValueOf<typeof INTERPRETATIONS>>;

/** Types of biomarker results. */
export const BIOMARKER_TYPES = {
  numeric: 'numeric',
  range: 'range',
  comment: 'comment',
  codedValue: 'coded_value',
} as const;
export type BiomarkerType = Open<ValueOf<typeof BIOMARKER_TYPES>>;

export const TRANSACTION_STATUSES = {
  active: 'active',
  completed: 'completed',
  cancelled: 'cancelled',
} as const;
export type TransactionStatus = Open<ValueOf<typeof TRANSACTION_STATUSES>>;

/** Why an order of a transaction was created. */
export const ORDER_ORIGINS = {
  initial: 'initial',
  redraw: 'redraw',
  recreation: 'recreation',
} as const;
export type OrderOrigin = Open<ValueOf<typeof ORDER_ORIGINS>>;

/** Gender on record. */
export const GENDERS = {
  female: 'female',
  male: 'male',
  other: 'other',
  unknown: 'unknown',
} as const;
export type Gender = Open<ValueOf<typeof GENDERS>>;

/** Whether a lab result may still change. */
export const METADATA_STATUSES = { final: 'final', partial: 'partial' } as const;
export type MetadataStatus = Open<ValueOf<typeof METADATA_STATUSES>>;

/** Detailed statuses of an order. */
export const LOW_LEVEL_STATUSES = [
  'ordered',
  'requisition_created',
  'requisition_bypassed',
  'transit_customer',
  'out_for_delivery',
  'with_customer',
  'transit_lab',
  'delivered_to_lab',
  'completed',
  'failure_to_deliver_to_lab',
  'failure_to_deliver_to_customer',
  'problem_in_transit_lab',
  'problem_in_transit_customer',
  'sample_error',
  'appointment_scheduled',
  'appointment_cancelled',
  'appointment_pending',
  'draw_completed',
  'cancelled',
  'lost',
  'do_not_process',
  'partial_results',
  'awaiting_registration',
  'registered',
  'redraw_available',
  'corrected',
  'lab_processing_blocked',
] as const;
export type LowLevelStatus = Open<(typeof LOW_LEVEL_STATUSES)[number]>;

/** Presumed reasons why a laboratory reported no result. */
export const INFERRED_FAILURE_TYPES = [
  'quantity_not_sufficient_failure',
  'collection_process_failure',
  'drop_off_failure',
  'internal_lab_failure',
  'order_entry_failure',
  'non_failure',
  'unknown_failure',
  'patient_condition_failure',
  'missing_result_calc_failure',
  'missing_demo_aoe_calc_failure',
  'insufficient_volume',
] as const;
export type InferredFailureType = Open<(typeof INFERRED_FAILURE_TYPES)[number]>;

/** High-level statuses of an order. */
export const ORDER_STATUSES = [
  'received',
  'collecting_sample',
  'sample_with_lab',
  'completed',
  'cancelled',
  'failed',
] as const;
export type OrderStatus = Open<(typeof ORDER_STATUSES)[number]>;

/** How the specimen of an order is collected. */
export const COLLECTION_METHODS = [
  'testkit',
  'walk_in_test',
  'at_home_phlebotomy',
  'on_site_collection',
] as const;
export type CollectionMethod = Open<(typeof COLLECTION_METHODS)[number]>;

/** Sort keys for lists of orders. */
export const ORDER_KEYS = ['created_at', 'patient_name', 'last_status'] as const;
export type OrderKey = (typeof ORDER_KEYS)[number];

export const ORDER_DIRECTIONS = ['asc', 'desc'] as const;
export type OrderDirection = (typeof ORDER_DIRECTIONS)[number];

/**
 * Record types that a name or birth date of a person can come from. `insurance` is only used if the patient is the
 * insured person (relationship Self).
 */
export const PERSON_SOURCES = ['info', 'insurance', 'lab_report', 'order', 'user'] as const;
export type PersonSource = Open<(typeof PERSON_SOURCES)[number]>;

/** What of a person can match a search. */
export const PERSON_MATCHES = ['id', 'name', 'birth_date', 'phone', 'near_id', 'sound'] as const;
export type PersonMatch = Open<(typeof PERSON_MATCHES)[number]>;

/** What a search for people covered: the records of all people, or only the lab orders of an upstream. */
export const PEOPLE_SEARCHED = ['people', 'orders'] as const;
export type PeopleSearched = (typeof PEOPLE_SEARCHED)[number];

export const MINDFULNESS_UNIT = 'min';

/** Duration of an emergency access in minutes. It can't be extended. */
export const EMERGENCY_MINUTES = 30;
/** Hours within which another person must review an emergency access. */
export const REVIEW_HOURS = 72;
/** Minimum number of letters and digits in the reason for an emergency access. */
export const LEAST_REASON_LETTERS = 20;
/** Hours after which a staff member must sign in again, even if active. */
export const LONGEST_SIGN_IN_HOURS = 12;

/** Categories of reasons for an emergency access. */
export const BREAK_GLASS_REASONS = [
  'emergency_treatment',
  'patient_unable_to_consent',
  'covering_for_colleague',
  'threat_to_health_or_safety',
  'other',
] as const;
export type BreakGlassReason = (typeof BREAK_GLASS_REASONS)[number];

export const REVIEW_OUTCOMES = ['justified', 'not_justified'] as const;
export type ReviewOutcome = (typeof REVIEW_OUTCOMES)[number];

/** Which emergency accesses to list: those waiting for a review, or all. */
export const REVIEW_STATES = ['open', 'all'] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

/** Outcome of a request, as recorded in the audit log. */
export const AUDIT_DECISIONS = ['allowed', 'denied', 'not_found', 'invalid', 'failed'] as const;
export type AuditDecision = (typeof AUDIT_DECISIONS)[number];

/** Types of actors, as recorded in the audit log. */
export const AUDIT_ACTOR_TYPES = ['staff', 'key', 'system', 'anonymous'] as const;
export type AuditActorType = Open<(typeof AUDIT_ACTOR_TYPES)[number]>;

/** Types of callers: a staff member with a session, or an API key. */
export const CALLER_KINDS = ['staff', 'key'] as const;
export type CallerKind = (typeof CALLER_KINDS)[number];

/** Reasons why a sign-in is refused. */
export const SIGN_IN_REFUSALS = [
  'expired',
  'not-yet-valid',
  'wrong-issuer',
  'wrong-audience',
  'wrong-nonce',
  'wrong-algorithm',
  'bad-signature',
  'unknown-key',
  'not-an-id-token',
  'used',
  'unknown-person',
  'disabled',
  'unknown-desk',
  'provider-unreachable',
  'stale-sign-in',
  'other-person',
] as const;
export type SignInRefusal = (typeof SIGN_IN_REFUSALS)[number];

/** What a desk can do with a document besides showing it. */
export const DESK_EVENT_KINDS = ['print', 'copy', 'save', 'export'] as const;
export type DeskEventKind = (typeof DESK_EVENT_KINDS)[number];

/** Documents of a desk. `screen` is any other content of the screen. */
export const DESK_DOCUMENTS = [
  'insurance',
  'lab_report',
  'label',
  'disclosures',
  'screen',
] as const;
export type DeskDocument = (typeof DESK_DOCUMENTS)[number];

/** How data of a patient was disclosed. */
export const DISCLOSURE_WAYS = ['read', 'listed', ...DESK_EVENT_KINDS] as const;
export type DisclosureWay = Open<(typeof DISCLOSURE_WAYS)[number]>;

/** Formats of an audit export: CSV (RFC 4180), or FHIR R4 AuditEvents (IHE BALP) with one on each line. */
export const AUDIT_EXPORT_FORMATS = ['csv', 'fhir'] as const;
export type AuditExportFormat = (typeof AUDIT_EXPORT_FORMATS)[number];

/** Problem type of the 404 for a user without info. */
export const NO_USER_INFO = '/problems/no-user-info';

/** Problem type of the 501 for operations that the team's upstream doesn't offer, such as its list of orders. */
export const NOT_OFFERED = '/problems/not-offered';

/** Problem type of the 404 for an order without a result. `order_status` has the status of the order. */
export const NO_RESULT = '/problems/no-result';

/** Problem type of the 404 for a user without the requested insurance. */
export const NO_INSURANCE = '/problems/no-insurance';
