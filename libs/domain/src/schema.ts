/** The shapes as JSON Schema (2020-12), for programs that document or check them in other ways. */
import { SCHEMAS } from './generated/schemas.ts';
import type { JsonSchema } from './validation/json-schema.ts';

export { bundled } from './schema/bundled.ts';
export type { JsonSchema } from './validation/json-schema.ts';

/** Name of a shape: the type's name in `@caregate/domain`. */
export type SchemaName = keyof typeof SCHEMAS;

/** Every shape by its name; they refer to each other by `#/$defs/<name>`. */
export const schemas: Readonly<Record<SchemaName, JsonSchema>> = SCHEMAS;
