/** The tables of the interface document, copied by hand. The fields of other entities come from their schemas. */

import { SCHEMAS } from '../generated/schemas.ts';
import type { JsonSchema } from '../validation/json-schema.ts';

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
  | 'search-text'
  | 'number'
  | 'integer'
  /** An integer up to 20. */
  | 'count'
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
  /** By default, a field is nullable if it is optional. */
  readonly nullable?: boolean;
}

const yes = (type: FieldType): Field => ({ type, required: true });
const no = (type: FieldType): Field => ({ type, required: false });

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

const DOCUMENTED = {
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
} as const satisfies Record<string, Record<string, Field>>;

export type EntityName = keyof typeof SCHEMAS;
export const ENTITIES = Object.keys(SCHEMAS) as EntityName[];

/** Whether an entity rejects unknown fields, as requests do. */
export function isClosed(name: EntityName): boolean {
  const schema: JsonSchema = SCHEMAS[name];
  return schema.additionalProperties === false;
}

/** Returns the fields of an entity by name. */
export function listFields(name: string): [string, Field][] {
  const documented: Readonly<Record<string, Record<string, Field>>> = DOCUMENTED;
  return Object.entries(documented[name] ?? fieldsInSchema(SCHEMAS[name as EntityName]));
}

function fieldsInSchema({ properties = {}, required = [] }: JsonSchema): Record<string, Field> {
  const fields = Object.entries(properties).map(([name, property]) => [
    name,
    {
      type: typeInSchema(property),
      required: required.includes(name),
      nullable: [property.type].flat().includes('null') || property.anyOf !== undefined,
    },
  ]);
  return Object.fromEntries(fields) as Record<string, Field>;
}

function typeInSchema(schema: JsonSchema): FieldType {
  const { type, format, items, maximum } = schema;
  const reference = schema.$ref ?? schema.anyOf?.[0]?.$ref;
  if (reference !== undefined) {
    return { entity: reference.replace('#/$defs/', '') };
  }
  if (items !== undefined) {
    return items.$ref === undefined ? 'strings' : { listOf: items.$ref.replace('#/$defs/', '') };
  }
  if (schema.enum !== undefined) {
    return { oneOf: schema.enum as string[] };
  }
  const [plain] = [type].flat().filter((each) => each !== 'null');
  return (format ?? ((maximum ?? 400) < 400 ? 'count' : plain)) as FieldType;
}
