/**
 * Known values of the extensible enums of the interface. Other values may appear: they are kept and shown, never rejected,
 * so each type is its known values or any other string.
 */

/** One of the known values (for auto-completion) or any other string. */
export type Open<Known extends string> = Known | (string & {});

type ValueOf<T> = T[keyof T];

/** What the patient is to the insured person (interface document 2.4). */
export const RELATIONSHIPS = { self: 'Self', spouse: 'Spouse', other: 'Other' } as const;
export type Relationship = Open<ValueOf<typeof RELATIONSHIPS>>;

/** Interpretation of a result, or of a whole order, against its reference ranges. */
export const INTERPRETATIONS = {
  normal: 'normal',
  abnormal: 'abnormal',
  critical: 'critical',
  unknown: 'unknown',
} as const;
export type Interpretation = Open<ValueOf<typeof INTERPRETATIONS>>;

/** What kind of value a biomarker result holds. */
export const BIOMARKER_TYPES = {
  numeric: 'numeric',
  range: 'range',
  comment: 'comment',
  codedValue: 'coded_value',
} as const;
export type BiomarkerType = Open<ValueOf<typeof BIOMARKER_TYPES>>;

/** State of an order transaction. */
export const TRANSACTION_STATUSES = {
  active: 'active',
  completed: 'completed',
  cancelled: 'cancelled',
} as const;
export type TransactionStatus = Open<ValueOf<typeof TRANSACTION_STATUSES>>;

/** Why an order of a transaction was made. */
export const ORDER_ORIGINS = {
  initial: 'initial',
  redraw: 'redraw',
  recreation: 'recreation',
} as const;
export type OrderOrigin = Open<ValueOf<typeof ORDER_ORIGINS>>;

/** Gender as the payor has it. */
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

/** Where an order is on its way. */
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

/** Why a laboratory is thought to have given no result. */
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

/** Where an order is on its way, in short. */
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

/** What a list of orders can be sorted by. */
export const ORDER_KEYS = ['created_at', 'patient_name', 'last_status'] as const;
export type OrderKey = (typeof ORDER_KEYS)[number];

export const ORDER_DIRECTIONS = ['asc', 'desc'] as const;
export type OrderDirection = (typeof ORDER_DIRECTIONS)[number];

/** Where a name or birth date of a person comes from; `insurance`: one of the person's own (relationship Self). */
export const PERSON_SOURCES = ['info', 'insurance', 'lab_report', 'order', 'user'] as const;
export type PersonSource = Open<(typeof PERSON_SOURCES)[number]>;

/** What of a person can match a search. */
export const PERSON_MATCHES = ['id', 'name', 'birth_date', 'phone', 'near_id', 'sound'] as const;
export type PersonMatch = Open<(typeof PERSON_MATCHES)[number]>;

/** What a search for people searched: the store of all people, or the lab orders of an upstream. */
export const PEOPLE_SEARCHED = ['people', 'orders'] as const;
export type PeopleSearched = (typeof PEOPLE_SEARCHED)[number];

/** The unit of mindfulness minutes. */
export const MINDFULNESS_UNIT = 'min';

/** Minutes that emergency access lasts; it can't be made longer. */
export const EMERGENCY_MINUTES = 30;
/** Hours within which somebody else reviews an emergency access. */
export const REVIEW_HOURS = 72;
/** Letters and digits that the reason of an emergency access has at least, not counting others. */
export const LEAST_REASON_LETTERS = 20;
/** Hours after which a person signs in anew, whatever they did meanwhile. */
export const LONGEST_SIGN_IN_HOURS = 12;

/** Categories of the reasons for emergency access. */
export const BREAK_GLASS_REASONS = [
  'emergency_treatment',
  'patient_unable_to_consent',
  'covering_for_colleague',
  'threat_to_health_or_safety',
  'other',
] as const;
export type BreakGlassReason = (typeof BREAK_GLASS_REASONS)[number];

/** Outcomes of the review of an emergency access grant. */
export const REVIEW_OUTCOMES = ['justified', 'not_justified'] as const;
export type ReviewOutcome = (typeof REVIEW_OUTCOMES)[number];

/** Emergency access grants to list: those waiting for review, or all. */
export const REVIEW_STATES = ['open', 'all'] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

/** Outcome of a request, as recorded in the audit log. */
export const AUDIT_DECISIONS = ['allowed', 'denied', 'not_found', 'invalid', 'failed'] as const;
export type AuditDecision = (typeof AUDIT_DECISIONS)[number];

/** Who acts, as recorded in the audit log. */
export const AUDIT_ACTOR_TYPES = ['staff', 'key', 'system', 'anonymous'] as const;
export type AuditActorType = Open<(typeof AUDIT_ACTOR_TYPES)[number]>;

/** Who calls: a staff member with a session, or a key. */
export const CALLER_KINDS = ['staff', 'key'] as const;
export type CallerKind = (typeof CALLER_KINDS)[number];

/** Why a sign-in was refused. */
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

/** Documents of a desk; `screen` is what a screen shows that is none of them. */
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

/** Forms of an export of audit events: CSV (RFC 4180), or FHIR R4 AuditEvents (IHE BALP), one in a line. */
export const AUDIT_EXPORT_FORMATS = ['csv', 'fhir'] as const;
export type AuditExportFormat = (typeof AUDIT_EXPORT_FORMATS)[number];

/** `type` of the 404 for an existing user of whom no info is known. */
export const NO_USER_INFO = '/problems/no-user-info';

/** `type` of the 501 for what the upstream of a team does not offer: its list of orders, and what is made of it. */
export const NOT_OFFERED = '/problems/not-offered';

/** `type` of the 404 for an existing order that has no result yet; `order_status` says where it is. */
export const NO_RESULT = '/problems/no-result';

/** `type` of the 404 for an existing user without the requested insurance. */
export const NO_INSURANCE = '/problems/no-insurance';
