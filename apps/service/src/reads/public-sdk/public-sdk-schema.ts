import type { JsonSchema, SchemaName } from '@caregate/domain/schema';
import { AGE_AS_TEXT, REPEATED_FIELDS } from './repeated-fields.ts';

/**
 * The schema of a shape as `publicSdkBody` answers it. A field that says another one again is there wherever that one
 * is. It has no type: what was imported under its name is what stands there, whatever that is.
 */
export function publicSdkSchema(name: SchemaName, schema: JsonSchema): JsonSchema {
  const field = REPEATED_FIELDS[name];
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
  return name === AGE_AS_TEXT.shape ? withAgeAsText(whole) : whole;
}

function withAgeAsText(schema: JsonSchema): JsonSchema {
  const { properties = {} } = schema;
  const { field } = AGE_AS_TEXT;
  const age = { ...properties[field], type: ['string', 'null'] };
  return { ...schema, properties: { ...properties, [field]: age } };
}
