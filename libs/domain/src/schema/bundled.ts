import { SCHEMAS } from '../generated/schemas.ts';
import type { JsonSchema } from '../validation/json-schema.ts';

const all: Readonly<Record<string, JsonSchema>> = SCHEMAS;

/** Returns a self-contained JSON Schema, with the schemas that it refers to in `$defs`. */
export function bundled(name: keyof typeof SCHEMAS): JsonSchema {
  return withDefs(SCHEMAS[name]);
}

/** Returns a self-contained JSON Schema for the union of several schemas. */
export function bundleUnion(names: readonly (keyof typeof SCHEMAS)[]): JsonSchema {
  return withDefs({ oneOf: names.map((name) => ({ $ref: `#/$defs/${name}` })) });
}

function withDefs(schema: JsonSchema): JsonSchema {
  const needed = new Set<string>();
  collect(schema, needed);
  const defs = [...needed].toSorted().map((each) => [each, all[each]] as const);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...schema,
    ...(defs.length > 0 ? { $defs: Object.fromEntries(defs) as Record<string, JsonSchema> } : {}),
  };
}

function collect(schema: unknown, needed: Set<string>): void {
  if (typeof schema !== 'object' || schema === null) {
    return;
  }
  for (const [key, value] of Object.entries(schema)) {
    const name = key === '$ref' ? String(value).replace('#/$defs/', '') : undefined;
    if (name === undefined) {
      collect(value, needed);
    } else if (!needed.has(name)) {
      needed.add(name);
      collect(all[name], needed);
    }
  }
}
