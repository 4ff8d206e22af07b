/**
 * The tables of the interface document, written down a second time by hand: what each field is called, what it is, and
 * whether it may be missing. Where the document is silent the decisions stand in libs/domain/README.md.
 */

export type FieldType =
  | 'string'
  | 'uuid'
  | 'date'
  | 'date-time'
  | 'query-date'
  | 'time-zone-id'
  | 'phone-number'
  | 'actor-id'
  | 'log-id'
  | 'record-id'
  | 'operation-name'
  | 'reason-text'
  | 'note-text'
  | 'one-line'
  | 'pin'
  | 'enrolment-code'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'object'
  | 'groups'
  | 'strings'
  | { readonly oneOf: readonly string[] }
  | { readonly entity: string }
  | { readonly listOf: string };

export interface Field {
  readonly type: FieldType;
  readonly required: boolean;
  /** Whether it may be null; where it is not said, what may be missing may. */
  readonly nullable?: boolean;
}

const yes = (type: FieldType): Field => ({ type, required: true });
const no = (type: FieldType): Field => ({ type, required: false });
/** May be left out, and is not null. */
const left = (type: FieldType): Field => ({ type, required: false, nullable: false });

const user = {
  user_id: yes('uuid'),
  team_id: yes('uuid'),
  client_user_id: yes('string'),
  created_on: yes('date-time'),
  connected_sources: yes({ listOf: 'ConnectedSource' }),
  fallback_birth_date: no({ entity: 'FallbackBirthDate' }),
  ingestion_start: no('date'),
  ingestion_end: no('date'),
};

export const DOCUMENTED = {
  User: { ...user, fallback_time_zone: yes({ entity: 'FallbackTimeZone' }) },
  ListedUser: { ...user, fallback_time_zone: no({ entity: 'FallbackTimeZone' }) },
  ConnectedSource: { created_on: yes('date-time'), source: yes({ entity: 'Source' }) },
  Source: { logo: yes('string'), name: yes('string'), slug: yes('string') },
  FallbackTimeZone: {
    id: yes('time-zone-id'),
    source_slug: yes('string'),
    updated_at: yes('date-time'),
  },
  FallbackBirthDate: {
    value: yes('date'),
    source_slug: yes('string'),
    updated_at: yes('date-time'),
  },
  GroupedMindfulnessMinutes: {
    groups: yes('groups'),
    next: no('string'),
    next_cursor: no('string'),
  },
  MindfulnessMinutesGroup: {
    data: yes({ listOf: 'MindfulnessMinutesPoint' }),
    source: yes({ entity: 'TimeseriesSource' }),
  },
  TimeseriesSource: { provider: yes('string'), type: yes('string') },
  MindfulnessMinutesPoint: {
    start: yes('date-time'),
    end: yes('date-time'),
    unit: yes({ oneOf: ['min'] }),
    value: yes('number'),
  },
  LabOrderResult: {
    metadata: yes({ entity: 'LabResultMetadata' }),
    results: yes({ listOf: 'BiomarkerResult' }),
    missing_results: no({ listOf: 'MissingBiomarkerResult' }),
    sample_information: no('object'),
    order_transaction: no({ entity: 'OrderTransaction' }),
  },
  LabResultMetadata: {
    age: no('integer'),
    dob: no('string'),
    clia_number: no('string'),
    patient: no('string'),
    provider: no('string'),
    laboratory: no('string'),
    date_reported: no('date'),
    date_collected: no('date'),
    date_received: no('date'),
    specimen_number: no('string'),
    status: no('string'),
    interpretation: no('string'),
  },
  BiomarkerResult: {
    name: yes('string'),
    slug: yes('string'),
    value: no('number'),
    result: yes('string'),
    type: no('string'),
    unit: no('string'),
    timestamp: no('date-time'),
    notes: no('string'),
    min_range_value: no('number'),
    max_range_value: no('number'),
    is_above_max_range: no('boolean'),
    is_below_min_range: no('boolean'),
    interpretation: no('string'),
    loinc: no('string'),
    loinc_slug: no('string'),
    provider_id: no('string'),
    source_markers: no({ listOf: 'SourceMarker' }),
  },
  SourceMarker: {
    marker_id: no('integer'),
    name: no('string'),
    slug: no('string'),
    provider_id: no('string'),
  },
  MissingBiomarkerResult: {
    name: yes('string'),
    slug: yes('string'),
    inferred_failure_type: no('string'),
    note: no('string'),
    loinc: no('string'),
    loinc_slug: no('string'),
    provider_id: no('string'),
    source_markers: no({ listOf: 'SourceMarker' }),
  },
  OrderTransaction: {
    id: yes('uuid'),
    status: yes('string'),
    orders: yes({ listOf: 'OrderTransactionOrder' }),
  },
  OrderTransactionOrder: {
    id: yes('uuid'),
    created_at: yes('date-time'),
    updated_at: yes('date-time'),
    low_level_status: no('string'),
    low_level_status_created_at: no('date-time'),
    origin: no('string'),
  },
  Insurance: {
    payor_code: yes('string'),
    member_id: yes('string'),
    group_id: no('string'),
    relationship: yes('string'),
    insured: yes({ entity: 'InsuredPerson' }),
  },
  InsuredPerson: {
    first_name: yes('string'),
    last_name: yes('string'),
    email: no('string'),
    phone_number: no('phone-number'),
    gender: no('string'),
    dob: no('date'),
    address: no({ entity: 'Address' }),
  },
  Address: {
    first_line: yes('string'),
    second_line: no('string'),
    zip_code: yes('string'),
    state: yes('string'),
    city: yes('string'),
  },
  UserList: {
    users: yes({ listOf: 'ListedUser' }),
    total: yes('integer'),
    offset: yes('integer'),
    limit: yes('integer'),
  },
  ProblemDetails: {
    type: yes('string'),
    title: yes('string'),
    status: yes('integer'),
    detail: no('string'),
    instance: no('string'),
    errors: no({ listOf: 'ProblemFieldError' }),
    reason: no('string'),
    tries_left: no('integer'),
    request_id: no('string'),
  },
  ProblemFieldError: { parameter: yes('string'), reason: yes('string') },
  MindfulnessMinutesParams: { user_id: yes('uuid') },
  MindfulnessMinutesQuery: {
    start_date: yes('query-date'),
    end_date: no('query-date'),
    provider: no('string'),
    cursor: no('string'),
    next_cursor: no('string'),
  },
  ResolveUserParams: { client_user_id: yes('string') },
  LabOrderResultParams: { order_id: yes('uuid') },
  LatestInsuranceParams: { user_id: yes('uuid') },
  LatestInsuranceQuery: { is_primary: no('boolean') },
  ListUsersQuery: { offset: no('integer'), limit: no('integer') },
  NoQuery: {},
  AuditEventsQuery: {
    log: left('log-id'),
    record: left('record-id'),
    patient: left('uuid'),
    actor: left('actor-id'),
    actor_id: left('actor-id'),
    operation: left('operation-name'),
    decision: left({ oneOf: ['allowed', 'denied', 'not_found', 'invalid', 'failed'] }),
    from: left('query-date'),
    to: left('query-date'),
    cursor: left('string'),
  },
  AuditExportQuery: {
    format: yes({ oneOf: ['csv', 'fhir'] }),
    patient: left('uuid'),
    actor_id: left('actor-id'),
    operation: left('operation-name'),
    decision: left({ oneOf: ['allowed', 'denied', 'not_found', 'invalid', 'failed'] }),
    from: left('query-date'),
    to: left('query-date'),
    limit: left('integer'),
    cursor: left('string'),
  },
  AuditAlarmsQuery: { cursor: left('string') },
  AuditLogQuery: { log: left('log-id') },
  AuditProofQuery: {
    log: left('log-id'),
    record: left('record-id'),
    seq: left('integer'),
    size: left('integer'),
    from: left('integer'),
    to: left('integer'),
  },
  AuditEvent: {
    record_id: yes('string'),
    salt: yes('string'),
    patients: yes('strings'),
    occurred_at: yes('date-time'),
    actor: yes({ entity: 'AuditActor' }),
    session_id: no('string'),
    device: no({ entity: 'AuditDevice' }),
    body: yes('object'),
  },
  AuditActor: { type: yes('string'), id: no('string'), name: no('string'), role: no('string') },
  AuditDevice: { id: yes('string'), name: no('string') },
  AuditCheckpointState: {
    size: yes('integer'),
    root: yes('string'),
    note: yes('string'),
    at: no('date-time'),
  },
  AuditWitnessState: {
    name: yes('string'),
    cosigned_at: no('date-time'),
    conflict: yes('boolean'),
  },
  AuditWitnessingState: {
    quorum_met: yes('boolean'),
    cosignatures: yes('integer'),
    seconds_since_quorum: yes('number'),
    lag: yes('integer'),
    checkpoint: no({ entity: 'AuditCheckpointState' }),
    witnesses: yes({ listOf: 'AuditWitnessState' }),
  },
  AuditVerification: {
    at: yes('date-time'),
    from: yes('integer'),
    to: yes('integer'),
    consistent: yes('boolean'),
  },
  AuditLogState: {
    log_id: yes('string'),
    verifier_key: yes('string'),
    accepts_records: yes('boolean'),
    opened_at: yes('date-time'),
    checkpoint: yes({ entity: 'AuditCheckpointState' }),
    verified: yes({ entity: 'AuditVerification' }),
    witnessing: no({ entity: 'AuditWitnessingState' }),
    checkpoint_copy_failing: no('boolean'),
  },
  AuditEventsPage: {
    log_id: no('string'),
    events: yes({ listOf: 'AuditEvent' }),
    next_cursor: no('string'),
  },
  AuditInclusionProof: {
    log_id: yes('string'),
    seq: yes('integer'),
    size: yes('integer'),
    leaf_hash: yes('string'),
    proof: yes('strings'),
    checkpoint: yes('string'),
  },
  AuditConsistencyProof: {
    log_id: yes('string'),
    from: yes('integer'),
    to: yes('integer'),
    proof: yes('strings'),
    checkpoint: yes('string'),
  },
  BreakGlassRequest: {
    reason_code: yes({
      oneOf: [
        'emergency_treatment',
        'patient_unable_to_consent',
        'covering_for_colleague',
        'threat_to_health_or_safety',
        'other',
      ],
    }),
    text: yes('reason-text'),
    user_id: yes('uuid'),
    id_token: left('string'),
    nonce_random: left('one-line'),
  },
  BreakGlassReview: {
    outcome: yes({ oneOf: ['justified', 'not_justified'] }),
    note: left('note-text'),
  },
  BreakGlassListQuery: { state: left({ oneOf: ['open', 'all'] }) },
  BreakGlassParams: { break_glass_id: yes('string') },
  BreakGlassGranted: {
    break_glass_id: yes('string'),
    user_id: yes('uuid'),
    expires_at: yes('date-time'),
  },
  BreakGlassGrant: {
    break_glass_id: yes('string'),
    team_id: yes('uuid'),
    key_id: no('string'),
    key_label: no('string'),
    staff_id: no('string'),
    staff_name: no('string'),
    role: yes('string'),
    user_id: yes('uuid'),
    reason_code: yes('string'),
    text: yes('string'),
    granted_at: yes('date-time'),
    expires_at: yes('date-time'),
    review_due_at: yes('date-time'),
    overdue: yes('boolean'),
    reviewed_at: no('date-time'),
    reviewed_by: no('string'),
    reviewed_by_name: no('string'),
    outcome: no('string'),
    note: no('string'),
  },
  BreakGlassGrantList: { grants: yes({ listOf: 'BreakGlassGrant' }) },
  SignInProvider: {
    issuer: yes('string'),
    client_id: yes('string'),
    scopes: yes('strings'),
    name: yes('string'),
    client_secret: no('string'),
    acr_values: no('string'),
  },
  PinDigits: { min: yes('integer'), max: yes('integer') },
  SignInInfo: {
    clinic_name: no('string'),
    provider: no({ entity: 'SignInProvider' }),
    keys: yes('boolean'),
    pin: yes({ entity: 'PinDigits' }),
    lock_minutes: yes('integer'),
    session_hours: yes('integer'),
  },
  DeskEnrolment: { code: yes('enrolment-code'), name: left('one-line') },
  EnrolledDesk: {
    desk_id: yes('uuid'),
    name: yes('string'),
    team_id: yes('uuid'),
    clinic_name: no('string'),
  },
  BadgeRead: { desk_id: yes('uuid'), badge: yes('one-line') },
  BadgeHolder: { staff_id: yes('uuid'), name: yes('string') },
  SessionRequest: {
    desk_id: yes('uuid'),
    id_token: left('string'),
    nonce_random: left('one-line'),
  },
  SessionStaff: {
    staff_id: yes('uuid'),
    name: yes('string'),
    role: yes('string'),
    team_id: yes('uuid'),
  },
  SessionDesk: { desk_id: yes('uuid'), name: yes('string') },
  Session: {
    session: no('string'),
    session_id: yes('uuid'),
    expires_at: yes('date-time'),
    ends_at: yes('date-time'),
    pin_set: yes('boolean'),
    staff: yes({ entity: 'SessionStaff' }),
    desk: yes({ entity: 'SessionDesk' }),
  },
  PinEntry: { pin: yes('pin') },
  SessionTimes: {
    session_id: yes('uuid'),
    expires_at: yes('date-time'),
    ends_at: yes('date-time'),
  },
  Me: {
    kind: yes({ oneOf: ['staff', 'key'] }),
    name: yes('string'),
    role: yes('string'),
    team_id: yes('uuid'),
    staff_id: no('uuid'),
    desk: no({ entity: 'SessionDesk' }),
    session: no({ entity: 'SessionTimes' }),
    permissions: yes('object'),
  },
  DisclosuresParams: { user_id: yes('uuid') },
  DisclosuresQuery: {
    start_date: left('query-date'),
    end_date: left('query-date'),
    limit: left('integer'),
    cursor: left('string'),
    lang: left({ oneOf: ['en', 'es', 'ar'] }),
    paper: left({ oneOf: ['a4', 'letter'] }),
    time_zone: left('time-zone-id'),
  },
  DisclosureDesk: { desk_id: yes('string'), name: no('string') },
  Disclosure: {
    record_id: yes('string'),
    occurred_at: yes('date-time'),
    actor: yes({ entity: 'AuditActor' }),
    session_id: no('string'),
    desk: no({ entity: 'DisclosureDesk' }),
    operation: yes('string'),
    what: yes('string'),
    how: yes('string'),
    data_category: no('string'),
    document: no('string'),
    masked: yes('boolean'),
    why: no('string'),
    break_glass_id: no('string'),
    outcome: yes({ oneOf: ['allowed', 'denied', 'not_found', 'invalid', 'failed'] }),
  },
  DisclosureList: {
    user_id: yes('uuid'),
    from: no('string'),
    to: no('string'),
    disclosures: yes({ listOf: 'Disclosure' }),
    next_cursor: no('string'),
  },
  DeskEvent: {
    kind: yes({ oneOf: ['print', 'copy', 'save', 'export'] }),
    document: yes({
      oneOf: ['insurance', 'lab_report', 'activity', 'label', 'disclosures', 'comparison'],
    }),
    pages: left('integer'),
    copies: left('integer'),
    record_ids: yes('strings'),
  },
  DeskEventRecorded: { record_id: yes('string') },
} as const satisfies Record<string, Record<string, Field>>;

export type EntityName = keyof typeof DOCUMENTED;

/** What refuses fields that it does not know. */
export const CLOSED_ENTITIES: ReadonlySet<EntityName> = new Set<EntityName>([
  'MindfulnessMinutesParams',
  'MindfulnessMinutesQuery',
  'ResolveUserParams',
  'LabOrderResultParams',
  'LatestInsuranceParams',
  'LatestInsuranceQuery',
  'ListUsersQuery',
  'NoQuery',
  'AuditEventsQuery',
  'AuditAlarmsQuery',
  'AuditExportQuery',
  'AuditLogQuery',
  'AuditProofQuery',
  'BreakGlassRequest',
  'BreakGlassReview',
  'BreakGlassListQuery',
  'BreakGlassParams',
  'DeskEnrolment',
  'BadgeRead',
  'SessionRequest',
  'PinEntry',
  'DisclosuresParams',
  'DisclosuresQuery',
  'DeskEvent',
]);

/** The fields of an entity, by name. */
export function fieldsOf(name: string): [string, Field][] {
  return Object.entries(DOCUMENTED[name as EntityName] as Record<string, Field>);
}
