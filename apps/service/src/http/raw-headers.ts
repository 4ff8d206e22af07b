/** Node joins or drops repeated headers. @param name in lower case */
export function headerValues(rawHeaders: readonly string[], name: string): readonly string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at];
    if (header?.length === name.length && header.toLowerCase() === name) {
      values.push(rawHeaders[at + 1] ?? '');
    }
  }
  return values;
}
