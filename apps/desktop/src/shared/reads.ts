/** In a file of its own, loaded at the first read: the validators are as large as the rest of main. */
import { ANSWER_VALIDATORS } from '@caregate/domain/answers';
import { READ_OPERATIONS } from '@caregate/domain/operations';
import type {
  AnswerOf,
  OperationName,
  ReadOperation,
  ReadOperations,
} from '@caregate/domain/operations';
import { schemas } from '@caregate/domain/schema';
import type { JsonSchema } from '@caregate/domain/schema';
import type * as validators from '@caregate/domain/validate';
import { array, boolean, camelCase, integer, object, oneOf, optional, text } from './schema.ts';
import type { Schema } from './schema.ts';

type CamelCase<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;
type Fields<T> = { [K in keyof T as CamelCase<K>]: Exclude<T[K], null> };
type PartOf<O extends OperationName, Part extends string> =
  ReadOperations[O] extends Readonly<Record<Part, infer Name extends string>>
    ? `validate${Name}` extends keyof typeof validators
      ? (typeof validators)[`validate${Name}`] extends validators.Validator<infer T>
        ? Fields<T>
        : never
      : never
    : object;

/** Parameters of the path, query and body together, in camel case; `call` is what `cancel` names. */
export type ReadRequest<O extends OperationName> = { readonly call: string } & PartOf<O, 'params'> &
  PartOf<O, 'query'> &
  PartOf<O, 'body'>;

export function readRequest<O extends OperationName>(operation: O): Schema<ReadRequest<O>> {
  const { params, query, body }: ReadOperation = READ_OPERATIONS[operation];
  const fields = [params, query, body].flatMap((name) => {
    if (name === undefined) return [];
    const { properties = {}, required = [] } = schemas[name];
    return Object.entries(properties).map(([field, json]): [string, Schema<unknown>] => {
      const schema = fieldSchema(json, longestOf(field, json));
      return [camelCase(field), required.includes(field) ? schema : optional(schema)];
    });
  });
  const request = object({ call: text(1, 64), ...Object.fromEntries(fields) });
  return request as unknown as Schema<ReadRequest<O>>;
}

export function readAnswer<O extends OperationName>(operation: O): Schema<AnswerOf<O>> {
  return ANSWER_VALIDATORS[operation];
}

function longestOf(field: string, { format }: JsonSchema): number {
  if (format === 'query-date') return 40;
  if (format === 'search-text') return 400;
  if (field.endsWith('_id')) return 1024;
  return field.endsWith('cursor') ? 4096 : 200;
}

/** Types and bounds only: the service checks the form of a text. */
function fieldSchema(json: JsonSchema, longest: number): Schema<unknown> {
  const types = [json.type].flat();
  if (json.enum !== undefined) return oneOf(json.enum as readonly string[]);
  if (types.includes('boolean')) return boolean;
  if (types.includes('integer')) {
    return integer(json.minimum ?? 0, json.maximum ?? Number.MAX_SAFE_INTEGER);
  }
  if (types.includes('array') && json.items) return array(fieldSchema(json.items, longest), 100);
  return text(1, longest);
}
