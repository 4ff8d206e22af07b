import type { JsonSchema, SchemaName } from '@caregate/domain/schema';

/** A field that says another one again, as the body of the profile has it. */
interface Again {
  readonly of: string;
  readonly as: string;
}

const again: Partial<Record<SchemaName, Again>> = {
  ConnectedSource: { of: 'source', as: 'provider' },
  Address: { of: 'zip_code', as: 'zip' },
  LabResultMetadata: { of: 'clia_number', as: 'clia_#' },
  MindfulnessMinutesPoint: { of: 'start', as: 'timestamp' },
};

/**
 * The schema of a shape as `publicSdkBody` answers it. A field that says another one again is there wherever that one
 * is. It has no type: what was imported under its name is what stands there, whatever that is.
 */
export function publicSdkSchema(name: SchemaName, schema: JsonSchema): JsonSchema {
  const field = again[name];
  if (field === undefined) {
    return schema;
  }
  const { properties = {}, required = [] } = schema;
  const described = {
    description: `The same as \`${field.of}\`, unless something else was imported under this name.`,
  };
  const whole = {
    ...schema,
    properties: { ...properties, [field.as]: described },
    ...(required.includes(field.of)
      ? { required: [...required, field.as] }
      : { dependentRequired: { [field.of]: [field.as] } }),
  };
  return name === 'LabResultMetadata' ? withAgeAsText(whole) : whole;
}

function withAgeAsText(schema: JsonSchema): JsonSchema {
  const { properties = {} } = schema;
  const age = { ...properties['age'], type: ['string', 'null'] };
  return { ...schema, properties: { ...properties, age } };
}
