import type { JsonSchema, SchemaName } from '@caregate/domain/schema';
import { AGE_AS_TEXT, REPEATED_FIELDS } from './public-sdk-body.ts';

/** Adds the copied fields. They have no type, since an import may have stored any value under their names. */
export function publicSdkSchema(name: SchemaName, schema: JsonSchema): JsonSchema {
  const field = REPEATED_FIELDS[name];
  if (field === undefined) {
    return schema;
  }
  const { properties = {}, required = [] } = schema;
  const described = {
    description: `Same as \`${field.of}\`, unless another value was imported for this field.`,
  };
  const extended = {
    ...schema,
    properties: { ...properties, [field.as]: described },
    ...(required.includes(field.of)
      ? { required: [...required, field.as] }
      : { dependentRequired: { [field.of]: [field.as] } }),
  };
  return name === AGE_AS_TEXT.shape ? withAgeAsText(extended) : extended;
}

function withAgeAsText(schema: JsonSchema): JsonSchema {
  const { properties = {} } = schema;
  const { field } = AGE_AS_TEXT;
  const age = { ...properties[field], type: ['string', 'null'] };
  return { ...schema, properties: { ...properties, [field]: age } };
}
