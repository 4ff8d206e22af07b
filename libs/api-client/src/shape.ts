/** A check of an answer's outline: undefined where it holds, else what is wrong, without quoting the answer. */
export type Fault = (body: unknown) => string | undefined;

type Kind = 'object' | 'array' | 'number' | 'string';

/** An object whose named fields are of these kinds; everything else in it is let through as it came. */
export function objectWith(fields: Readonly<Record<string, Kind>>): Fault {
  return (body) => {
    if (!isKind(body, 'object')) return 'answer is not a JSON object';
    for (const [name, kind] of Object.entries(fields)) {
      const value = (body as Record<string, unknown>)[name];
      if (!isKind(value, kind)) return `answer has no ${kind} "${name}"`;
    }
    return undefined;
  };
}

export function isKind(value: unknown, kind: Kind): boolean {
  // JavaScript calls arrays and null objects too.
  return kind === 'array'
    ? Array.isArray(value)
    : typeof value === kind && value !== null && !Array.isArray(value);
}
