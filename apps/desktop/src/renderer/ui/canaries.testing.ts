import { schemas } from '@caregate/domain/schema';
import type { JsonSchema, SchemaName } from '@caregate/domain/schema';

/** A leaf of a shape, with the value that was inserted there. */
export interface Canary {
  readonly path: string;
  readonly value: string | number | boolean;
}

/** Fills every field of a shape, including nested ones, with its own value. */
export function filled(name: SchemaName): {
  readonly entity: unknown;
  readonly canaries: Canary[];
} {
  const canaries: Canary[] = [];
  const entity = fill({ $ref: `#/$defs/${name}` }, name, canaries);
  return { entity, canaries };
}

function fill(schema: JsonSchema, path: string, canaries: Canary[]): unknown {
  const { $ref, anyOf, items, properties } = schema;
  if ($ref !== undefined) {
    return fill(schemas[$ref.replace('#/$defs/', '') as SchemaName], path, canaries);
  }
  const choice = (anyOf ?? schema.oneOf)?.find(({ type }) => type !== 'null');
  if (choice !== undefined) return fill(choice, path, canaries);
  if (items !== undefined) {
    return ['0', '1'].map((index) => fill(items, `${path}.${index}`, canaries));
  }
  if (properties !== undefined) {
    return Object.fromEntries(
      Object.entries(properties).map(([key, inner]) => [
        key,
        fill(inner, `${path}.${key}`, canaries),
      ]),
    );
  }
  if (typeof schema.additionalProperties === 'object') {
    const key = `canary ${canaries.length}`;
    canaries.push({ path: `${path}.key`, value: key });
    return { [key]: fill(schema.additionalProperties, `${path}.${key}`, canaries) };
  }
  const kind = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  if (kind === 'object') {
    const value = `canary ${canaries.length}`;
    canaries.push({ path: `${path}.anything`, value });
    return { anything: [{ deep: value }] };
  }
  // A field with a closed set of values takes no other value.
  const [only] = schema.enum ?? [];
  const value = typeof only === 'string' ? only : leaf(kind, schema.format, canaries.length);
  canaries.push({ path, value });
  return value;
}

function leaf(
  kind: string | undefined,
  format: string | undefined,
  count: number,
): Canary['value'] {
  if (kind === 'boolean') return true;
  if (kind === 'integer' || kind === 'number') return 7000 + count;
  const two = String((count % 28) + 1).padStart(2, '0');
  const year = 1900 + count;
  if (format === 'date') return `${year}-03-${two}`;
  if (format === 'date-time') return `${year}-03-${two}T08:30:00Z`;
  return `canary ${count}.`;
}
