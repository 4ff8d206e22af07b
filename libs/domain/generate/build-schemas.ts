import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { IS_OPTIONAL, ValidationTypes } from 'class-validator';
import { validationMetadatasToSchemas } from 'class-validator-jsonschema';
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
import { DTO_FILES, type ClassSource, type Comment } from './read-classes.ts';

const refPrefix = '#/$defs/';

/** The DTO classes by name. A class may have a static example. */
type DtoClasses = Record<string, object & { readonly example?: object }>;

const dto: DtoClasses = {};
for (const file of DTO_FILES) {
  Object.assign(dto, await import(`../src/${file}`));
}

/** JSON Schemas by type name (the class name without `Dto`). They refer to each other by `#/$defs/<name>`. */
export type Schemas = Record<string, JsonSchema>;

/** A property as class-validator-jsonschema generates it. {@link IS_OPTIONAL} adds `nullable`. */
type RawSchema = JsonSchema & { readonly nullable?: boolean };

/**
 * Builds the JSON Schemas (2020-12) of the DTO classes from their decorators. The descriptions come from their
 * comments.
 */
export function buildSchemas(sources: ReadonlyMap<string, ClassSource>): Schemas {
  const raw = validationMetadatasToSchemas({
    classTransformerMetadataStorage: defaultMetadataStorage,
    refPointerPrefix: refPrefix,
    additionalConverters: {
      [ValidationTypes.CONDITIONAL_VALIDATION]: ({ name }) =>
        name === IS_OPTIONAL ? { nullable: true } : {},
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
  const names = Object.keys(dto).toSorted();
  return Object.fromEntries(
    names.map((name) => [toTypeName(name), buildSchema(raw, sources, name)]),
  );
}

function toTypeName(className: string): string {
  return className.replace(/Dto$/u, '');
}

function buildSchema(
  raw: Schemas,
  sources: ReadonlyMap<string, ClassSource>,
  className: string,
): JsonSchema {
  const source = sources.get(className);
  const parent = source?.parent ?? '';
  const { required = [], properties: ownProperties } = raw[className] ?? {};
  // Inherited fields come first.
  const { [OTHER_FIELDS]: otherFields, ...properties } = {
    ...raw[parent]?.properties,
    ...ownProperties,
  };
  const comments = { ...sources.get(parent)?.properties, ...source?.properties };
  const described = Object.entries(properties).map(([name, property]) => {
    return [name, { ...describe(comments[name]?.comment), ...finishProperty(property) }];
  });
  return {
    type: 'object',
    ...describe(source?.comment),
    properties: Object.fromEntries(described) as Record<string, JsonSchema>,
    required: Object.keys(properties).filter((name) => required.includes(name)),
    ...(otherFields === undefined ? {} : { additionalProperties: false }),
    ...(Object.hasOwn(dto[className] ?? {}, 'example') && { examples: [dto[className]?.example] }),
  };
}

function describe(comment: Comment | undefined): JsonSchema {
  return {
    description: comment?.description ?? '',
    ...(comment?.isDeprecated === true ? { deprecated: true } : {}),
  };
}

function finishProperty({ nullable, ...schema }: RawSchema): JsonSchema {
  const renamed = renameReferences(schema);
  if (nullable !== true) return renamed;
  if (renamed.$ref !== undefined) return { anyOf: [renamed, { type: 'null' }] };
  return { ...renamed, type: [renamed.type ?? [], 'null'].flat() };
}

/** Replaces references to classes by references to type names. A reference must not have other keywords beside it. */
function renameReferences(schema: JsonSchema): JsonSchema {
  if (schema.$ref !== undefined) {
    return { $ref: refPrefix + toTypeName(schema.$ref.slice(refPrefix.length)) };
  }
  const { items, additionalProperties, ...others } = schema;
  return {
    ...others,
    ...(items === undefined ? {} : { items: renameReferences(items) }),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: renameReferences(additionalProperties) }
      : {}),
  };
}
