import 'reflect-metadata';
import { SCHEMAS } from '../generated/schemas.ts';
import type { JsonSchema } from '../validation/json-schema.ts';
import type { DtoClass } from '../validation/decorators.ts';

type Classes = Readonly<Record<string, DtoClass>>;

/** The options of `@ApiProperty()` of `@nestjs/swagger`. */
type PropertyOptions = Record<string, unknown>;

/** Name of the static method that the compiler plugin of `@nestjs/swagger` generates. */
const FACTORY = '_OPENAPI_METADATA_FACTORY';
/** Keys of the metadata that `@ApiSchema()` and `@ApiExtraModels()` set. */
const API_SCHEMA = 'swagger/apiSchema';
const API_EXTRA_MODELS = 'swagger/apiExtraModels';

/**
 * Lets `@nestjs/swagger` document the classes by their JSON Schemas, without a dependency on it: adds the metadata
 * that its compiler plugin would generate. Explicit decorators take precedence.
 */
export function describeForSwagger(classes: Classes): void {
  for (const [name, schema] of Object.entries<JsonSchema>(SCHEMAS)) {
    const dto = findClass(name, classes);
    Object.defineProperty(dto, FACTORY, {
      value: () => describeProperties(schema, classes),
      configurable: true,
      writable: true,
    });
    const { description, additionalProperties } = schema;
    const metadata = {
      description,
      ...(additionalProperties === undefined ? {} : { additionalProperties }),
    };
    Reflect.defineMetadata(API_SCHEMA, [metadata], dto);
    const mapSchemas = Object.values(schema.properties ?? {}).flatMap((property) =>
      listMapSchemas(property),
    );
    const models = mapSchemas.map((each) => findClass(each, classes));
    if (models.length > 0) Reflect.defineMetadata(API_EXTRA_MODELS, models, dto);
  }
}

function describeProperties(schema: JsonSchema, classes: Classes): Record<string, PropertyOptions> {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const required = schema.required?.includes(name) ?? false;
    return [name, { ...describeProperty(property, classes), required }];
  });
  return Object.fromEntries(properties) as Record<string, PropertyOptions>;
}

function describeProperty(property: JsonSchema, classes: Classes): PropertyOptions {
  const { type, anyOf, $ref, items, additionalProperties, ...keywords } = property;
  const types = [type ?? []].flat();
  const reference = $ref ?? anyOf?.find((each) => each.$ref !== undefined)?.$ref;
  const nullable = types.includes('null') || anyOf !== undefined ? { nullable: true } : {};
  const plainType = types.find((each) => each !== 'null');
  if (reference !== undefined)
    return { ...keywords, ...nullable, type: findClass(getSchemaName(reference), classes) };
  if (items?.$ref !== undefined) {
    return {
      ...keywords,
      ...nullable,
      type: findClass(getSchemaName(items.$ref), classes),
      isArray: true,
    };
  }
  if (items !== undefined) {
    return { ...keywords, ...nullable, type: items.type, isArray: true };
  }
  return {
    ...keywords,
    ...nullable,
    type: plainType,
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: toDocumentSchema(additionalProperties) }
      : {}),
  };
}

/** Returns schemas that are only used as values of maps, so that no property's class refers to them. */
function listMapSchemas({ additionalProperties }: JsonSchema): string[] {
  const $ref =
    typeof additionalProperties === 'object' ? additionalProperties.items?.$ref : undefined;
  return $ref === undefined ? [] : [getSchemaName($ref)];
}

function toDocumentSchema(map: JsonSchema): JsonSchema {
  const { items, ...keywords } = map;
  return items?.$ref === undefined
    ? map
    : { ...keywords, items: { $ref: `#/components/schemas/${getSchemaName(items.$ref)}Dto` } };
}

function getSchemaName($ref: string): string {
  return $ref.slice('#/$defs/'.length);
}

function findClass(name: string, classes: Classes): DtoClass {
  const found = classes[`${name}Dto`];
  if (found === undefined) throw new Error(`unknown class ${name}Dto`);
  return found;
}
