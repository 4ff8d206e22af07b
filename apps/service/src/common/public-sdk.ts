import { parseExactly } from '@caregate/data-store';
import { schemas, type JsonSchema, type SchemaName } from '@caregate/domain/schema';

interface CopiedField {
  readonly original: string;
  readonly copy: string;
}

/**
 * Copies of fields that the public API's SDKs require, by the schema that has them. Bodies and schemas are both
 * derived from this.
 */
const COPIED_FIELDS: Readonly<Partial<Record<SchemaName, CopiedField>>> = {
  ConnectedSource: { original: 'source', copy: 'provider' },
  Address: { original: 'zip_code', copy: 'zip' },
  LabResultMetadata: { original: 'clia_number', copy: 'clia_#' },
  MindfulnessMinutesPoint: { original: 'start', copy: 'timestamp' },
};
/** The one field with a different type: a number here, a string in the public API. */
const AGE_AS_TEXT: { readonly shape: SchemaName; readonly field: string } = {
  shape: 'LabResultMetadata',
  field: 'age',
};

type Json = Record<string, unknown>;

/** Adds copies of fields and turns the age into a string. The numbers keep every digit. */
export function toPublicSdkBody(answer: SchemaName, body: string): string {
  const value = parseExactly(body);
  complete(answer, value);
  return JSON.stringify(value);
}

/** Adds the copied fields. They have no type, since an import may have stored any value under their names. */
export function toPublicSdkSchema(name: SchemaName, schema: JsonSchema): JsonSchema {
  const field = COPIED_FIELDS[name];
  if (field === undefined) {
    return schema;
  }
  const { properties = {}, required = [] } = schema;
  const described = {
    description: `Same as \`${field.original}\`, unless another value was imported for this field.`,
  };
  const extended = {
    ...schema,
    properties: { ...properties, [field.copy]: described },
    ...(required.includes(field.original)
      ? { required: [...required, field.copy] }
      : { dependentRequired: { [field.original]: [field.copy] } }),
  };
  return name === AGE_AS_TEXT.shape ? withAgeAsText(extended) : extended;
}

function withAgeAsText(schema: JsonSchema): JsonSchema {
  const { properties = {} } = schema;
  const { field } = AGE_AS_TEXT;
  const age = { ...properties[field], type: ['string', 'null'] };
  return { ...schema, properties: { ...properties, [field]: age } };
}

function complete(shape: SchemaName, value: unknown): void {
  if (!isObject(value)) {
    return;
  }
  for (const [name, schema] of Object.entries(schemas[shape].properties ?? {})) {
    completeAll(schema, value[name]);
  }
  const repeated = COPIED_FIELDS[shape];
  if (
    repeated !== undefined &&
    value[repeated.copy] === undefined &&
    value[repeated.original] !== undefined
  ) {
    value[repeated.copy] = value[repeated.original];
  }
  const age = value[AGE_AS_TEXT.field];
  if (shape === AGE_AS_TEXT.shape && age !== undefined && age !== null) {
    value[AGE_AS_TEXT.field] = typeof age === 'string' ? age : JSON.stringify(age);
  }
}

function completeAll(
  { $ref, anyOf, items, additionalProperties }: JsonSchema,
  value: unknown,
): void {
  if ($ref !== undefined) {
    complete($ref.replace('#/$defs/', '') as SchemaName, value);
  }
  anyOf?.forEach((each) => {
    completeAll(each, value);
  });
  if (items !== undefined && Array.isArray(value)) {
    value.forEach((each) => {
      completeAll(items, each);
    });
  }
  if (typeof additionalProperties === 'object' && isObject(value)) {
    Object.values(value).forEach((each) => {
      completeAll(additionalProperties, each);
    });
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
