/** What a query holds, by name: every value that was given, so that nothing given twice is lost. */
export type QueryValues = Readonly<Record<string, readonly string[]>>;

/** Reads a query as WHATWG does; it never fails. */
export function queryValues(text: string): Record<string, string[]> {
  const values = Object.create(null) as Record<string, string[]>;
  for (const [name, value] of new URLSearchParams(text)) {
    (values[name] ??= []).push(value);
  }
  return values;
}
