/** The JSON Schemas (2020-12), for other tools. */
import { SCHEMAS } from './generated/schemas.ts';
import type { JsonSchema } from './validation/json-schema.ts';

export { bundled } from './schema/bundled.ts';
export type { JsonSchema } from './validation/json-schema.ts';

/** Name of a schema, which is also the name of its type in `@caregate/domain`. */
export type SchemaName = keyof typeof SCHEMAS;

/** All schemas by name. They refer to each other by `#/$defs/<name>`. */
export const schemas: Readonly<Record<SchemaName, JsonSchema>> = SCHEMAS;
