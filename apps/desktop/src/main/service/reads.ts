/** This module is loaded at the first read, since its validators are as large as the rest of main. */
import { READ_OPERATIONS } from '@caregate/domain/operations';
import type { OperationName, ReadOperation } from '@caregate/domain/operations';
import { schemas, type JsonSchema } from '@caregate/domain/schema';
import * as v from 'valibot';
import { integer, list, text } from '../../shared/schema.ts';

export { ANSWER_VALIDATORS } from '@caregate/domain/answers';

/** Builds the schema of an operation's parameters, with their names in camel case. */
export function buildParamsSchema(operation: OperationName): v.GenericSchema {
  const { params, query, body }: ReadOperation = READ_OPERATIONS[operation];
  const fields = [params, query, body].flatMap((name) => {
    if (name === undefined) return [];
    const { properties = {}, required = [] } = schemas[name];
    return Object.entries(properties).map(([field, json]): [string, v.GenericSchema] => {
      const schema = buildFieldSchema(json, findMaxLength(field, json));
      return [toCamelCase(field), required.includes(field) ? schema : v.optional(schema)];
    });
  });
  return v.strictObject(Object.fromEntries(fields));
}

function findMaxLength(field: string, { format }: JsonSchema): number {
  if (format === 'query-date') return 40;
  if (format === 'search-text') return 400;
  if (field.endsWith('_id')) return 1024;
  return field.endsWith('cursor') ? 4096 : 200;
}

/** The schema checks types and limits; the service checks the format of a text. */
function buildFieldSchema(json: JsonSchema, maxLength: number): v.GenericSchema {
  const types = [json.type].flat();
  if (json.enum !== undefined) return v.picklist(json.enum as readonly string[]);
  if (types.includes('boolean')) return v.boolean();
  if (types.includes('integer')) {
    return integer(json.minimum ?? 0, json.maximum ?? Number.MAX_SAFE_INTEGER);
  }
  if (types.includes('array') && json.items)
    return list(buildFieldSchema(json.items, maxLength), 100);
  return text(1, maxLength);
}

export function toCamelCase(name: string): string {
  return name.replace(/_([a-z])/gu, (_all, letter: string) => letter.toUpperCase());
}
