/** A DTO class: made without arguments, its fields set afterwards. */
export type DtoClass<T extends object = object> = new () => T;

/** Which fields of a class hold other DTO classes, and how. */
export interface Nested {
  readonly kind: 'one' | 'list' | 'record';
  readonly type: () => DtoClass;
}

const nestedFields = new Map<unknown, Map<string, Nested>>();

/** The nested fields a class declares itself. */
export function nestedIn(target: unknown): Map<string, Nested> {
  const fields = nestedFields.get(target) ?? new Map<string, Nested>();
  nestedFields.set(target, fields);
  return fields;
}

function nestedField(target: unknown, name: string): Nested | undefined {
  for (let owner = target; typeof owner === 'function'; owner = Object.getPrototypeOf(owner)) {
    const nested = nestedFields.get(owner)?.get(name);
    if (nested !== undefined) {
      return nested;
    }
  }
  return undefined;
}

/** An object as JSON knows it: neither null nor a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
