import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { validationMetadatasToSchemas } from 'class-validator-jsonschema';
import * as dto from '../src/dto-classes.ts';
import {
  CLOSED,
  HAS_FORMAT,
  IS_LIST_OF_OBJECTS,
  IS_ONE_OF,
  IS_OPEN_ENUM,
  IS_RECORD_OF_LISTS,
  OTHER_FIELDS,
} from '../src/validation/decorators.ts';
import type { JsonSchema } from '../src/validation/json-schema.ts';
import { type DtoClassText, dtoClasses } from './dto-classes.ts';

const refPrefix = '#/$defs/';

/** Schemas by the name of the type (the class without `Dto`), referring to each other by `#/$defs/<name>`. */
export type Schemas = Record<string, JsonSchema>;

/** Reads the metadata of every exported DTO class as JSON Schema (2020-12). */
export function buildSchemas(): Schemas {
  const made = validationMetadatasToSchemas({
    classTransformerMetadataStorage: defaultMetadataStorage,
    refPointerPrefix: refPrefix,
    additionalConverters: {
      [HAS_FORMAT]: (meta) => ({ type: 'string', format: String(meta.constraints[0]) }),
      [IS_OPEN_ENUM]: (meta) => ({
        type: 'string',
        ['x-extensible-enum']: meta.constraints[0] as string[],
      }),
      [IS_ONE_OF]: (meta) => ({ type: 'string', enum: meta.constraints[0] as string[] }),
      [IS_LIST_OF_OBJECTS]: () => ({}),
      [IS_RECORD_OF_LISTS]: (meta) => ({
        type: 'object',
        additionalProperties: {
          type: 'array',
          items: { $ref: `${refPrefix}${(meta.constraints[0] as () => { name: string })().name}` },
        },
      }),
      [CLOSED]: () => ({}),
    },
  }) as Schemas;
  const classes = dtoClasses();
  const schemas: Schemas = {};
  for (const [className, value] of Object.entries(dto).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (!className.endsWith('Dto') || typeof value !== 'function') {
      continue;
    }
    const raw = made[className];
    const text = classes.get(className);
    if (raw === undefined || text === undefined) {
      throw new Error(`${className} has no decorated property or is not in a *.dto.ts file`);
    }
    schemas[nameOf(className)] = finish(raw, text);
  }
  return schemas;
}

function nameOf(className: string): string {
  return className.replace(/Dto$/u, '');
}

function finish(raw: JsonSchema, described: DtoClassText): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const rawProperties = raw.properties ?? {};
  const required = (raw.required ?? []).filter((name) => name !== OTHER_FIELDS);
  const isClosed = OTHER_FIELDS in rawProperties;
  for (const declared of described.properties) {
    const { name, comment } = declared;
    const property = rawProperties[name];
    const mayBeMissing = !required.includes(name);
    const mayBeNull = declared.type.endsWith('| null');
    if (
      property === undefined ||
      declared.optional !== mayBeMissing ||
      // Optional fields of entities may be null; requests say so per field.
      (isClosed ? mayBeNull && !mayBeMissing : mayBeNull !== mayBeMissing) ||
      comment.text === ''
    ) {
      throw new Error(`${described.name}.${name}: comment, ?, null and decorators must agree`);
    }
    const own = renamed(property);
    properties[name] = {
      description: comment.text,
      ...(comment.deprecated ? { deprecated: true } : {}),
      ...(mayBeNull ? nullable(own) : own),
    };
  }
  const undeclared = Object.keys(rawProperties).filter(
    (name) => name !== OTHER_FIELDS && !(name in properties),
  );
  if (undeclared.length > 0) {
    throw new Error(`${described.name}: ${undeclared.join(', ')} decorated but not declared`);
  }
  return {
    type: 'object',
    description: described.comment.text,
    properties,
    required,
    ...(isClosed ? { additionalProperties: false } : {}),
  };
}

/** References by type name instead of class name; a reference has no siblings. */
function renamed(schema: JsonSchema): JsonSchema {
  if (schema.$ref !== undefined) {
    return { $ref: refPrefix + nameOf(schema.$ref.slice(refPrefix.length)) };
  }
  const { items, additionalProperties, ...rest } = schema;
  return {
    ...rest,
    ...(items === undefined ? {} : { items: renamed(items) }),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: renamed(additionalProperties) }
      : {}),
  };
}

/** Allows null for optional fields. */
function nullable(schema: JsonSchema): JsonSchema {
  if (schema.$ref !== undefined) {
    return { anyOf: [schema, { type: 'null' }] };
  }
  if (typeof schema.type !== 'string') {
    throw new Error('an optional property needs exactly one type');
  }
  return { ...schema, type: [schema.type, 'null'] };
}
