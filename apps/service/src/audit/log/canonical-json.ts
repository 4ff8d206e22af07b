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
  if (typeof value === 'string') {
    return text(value);
  }
  if (typeof value === 'boolean' || Number.isFinite(value)) {
    return JSON.stringify(value);
  }
  if (value === null) {
    return 'null';
  }
  if (Array.isArray(value)) {
    return `[${(value as readonly CanonicalValue[]).map(canonicalJson).join()}]`;
  }
  if (typeof value !== 'object') {
    throw new TypeError('A value without a JSON form');
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
