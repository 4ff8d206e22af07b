type Verdict<T> = { ok: true; value: T } | { ok: false; issues: readonly { message: string }[] };

/** Checks a value of unknown origin. Never throws; issues never quote the value. */
type Schema<T> = (value: unknown) => Verdict<T>;

export type TypeOf<S> = S extends Schema<infer T> ? T : never;

type Shape = Readonly<Record<string, Schema<unknown>>>;
type OptionalKeys<S extends Shape> = {
  [K in keyof S]: undefined extends TypeOf<S[K]> ? K : never;
}[keyof S];
type Fields<S extends Shape> = { [K in Exclude<keyof S, OptionalKeys<S>>]: TypeOf<S[K]> } & {
  [K in OptionalKeys<S>]?: TypeOf<S[K]>;
};

const refused = (message: string): { ok: false; issues: { message: string }[] } => ({
  ok: false,
  issues: [{ message }],
});

export function text(min: number, max: number): Schema<string> {
  return (value) =>
    typeof value === 'string' && value.length >= min && value.length <= max
      ? { ok: true, value }
      : refused(`must be text of ${min} to ${max} characters`);
}

export function integer(min: number, max: number): Schema<number> {
  return (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max
      ? { ok: true, value }
      : refused(`must be a whole number from ${min} to ${max}`);
}

export function oneOf<const T extends string>(values: readonly T[]): Schema<T> {
  return (value) =>
    values.includes(value as T)
      ? { ok: true, value: value as T }
      : refused(`must be one of ${values.join(', ')}`);
}

export function array<T>(item: Schema<T>, max: number): Schema<T[]> {
  return (value) => {
    if (!Array.isArray(value) || value.length > max) {
      return refused(`must be a list of at most ${max}`);
    }
    for (const [index, one] of (value as unknown[]).entries()) {
      const verdict = item(one);
      if (!verdict.ok) return under(String(index), verdict.issues);
    }
    return { ok: true, value: value as T[] };
  };
}

export function object<const S extends Shape>(shape: S): Schema<Fields<S>> {
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return refused('must be an object');
    }
    for (const key of Object.keys(value)) {
      if (!Object.hasOwn(shape, key)) return refused('has a field that is not known');
    }
    for (const [key, field] of Object.entries(shape)) {
      const own = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
      const verdict = field(own);
      if (!verdict.ok) return under(key, verdict.issues);
    }
    return { ok: true, value: value as Fields<S> };
  };
}

/** Drops other fields: for answers of other programs. */
export function fields<const S extends Shape>(shape: S): Schema<Fields<S>> {
  const closed = object(shape);
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return closed(value);
    const known = Object.entries(value as Record<string, unknown>).filter(([key]) =>
      Object.hasOwn(shape, key),
    );
    const nested = known.map(([key, one]): [string, unknown] => {
      const verdict = shape[key]?.(one);
      return [key, verdict?.ok === true ? verdict.value : one];
    });
    return closed(Object.fromEntries(nested));
  };
}

function under(
  key: string,
  issues: readonly { message: string }[],
): { ok: false; issues: { message: string }[] } {
  return { ok: false, issues: issues.map(({ message }) => ({ message: `${key} ${message}` })) };
}
