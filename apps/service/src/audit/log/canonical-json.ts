export type CanonicalValue =
  | null
  | boolean
  | number
  | string
  | readonly CanonicalValue[]
  | { readonly [key: string]: CanonicalValue };

/**
 * RFC 8785 canonical JSON: one text for one value, whoever writes it. ECMAScript's own number and string forms are the
 * ones that the RFC prescribes; what is left is the order of keys (by UTF-16 units, as `sort` does) and what to refuse.
 *
 * @throws TypeError for what has no JSON form: NaN, infinities, a lone surrogate
 */
export function canonicalJson(value: CanonicalValue): string {
  switch (typeof value) {
    case 'string':
      return text(value);
    case 'number':
      if (!Number.isFinite(value)) {
        throw new TypeError('A number without a JSON form');
      }
      return JSON.stringify(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      break;
    default:
      throw new TypeError('A value without a JSON form');
  }
  if (value === null) {
    return 'null';
  }
  if (Array.isArray(value)) {
    return `[${(value as readonly CanonicalValue[]).map(canonicalJson).join()}]`;
  }
  const object = value as Readonly<Record<string, CanonicalValue>>;
  const members = Object.keys(object)
    .sort()
    .map((key) => `${text(key)}:${canonicalJson(object[key] as CanonicalValue)}`);
  return `{${members.join()}}`;
}

function text(value: string): string {
  if (/\p{Surrogate}/u.test(value)) {
    throw new TypeError('A text with a lone surrogate');
  }
  return JSON.stringify(value);
}
