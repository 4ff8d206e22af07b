/**
 * Checks the structure of a response. Returns undefined if it passes, otherwise what is wrong, without quoting the
 * response.
 */
export type ShapeCheck = (body: unknown) => string | undefined;

type Kind = 'object' | 'array' | 'number' | 'string';

/** Checks for an object with fields of these types. Other fields are accepted. */
export function createShapeCheck(fields: Readonly<Record<string, Kind>>): ShapeCheck {
  return (body) => {
    if (!isKind(body, 'object')) return 'response is not a JSON object';
    for (const [name, kind] of Object.entries(fields)) {
      const value = (body as Record<string, unknown>)[name];
      if (!isKind(value, kind)) return `response has no ${kind} "${name}"`;
    }
    return undefined;
  };
}

export function isKind(value: unknown, kind: Kind): boolean {
  // typeof is 'object' for arrays and null, too.
  return value !== null && (Array.isArray(value) ? 'array' : typeof value) === kind;
}
