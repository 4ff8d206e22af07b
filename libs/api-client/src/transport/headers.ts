/** Headers as HTTP libraries of Node give them, with names in lower case and lists joined. */
export function headersOf(headers: unknown): Record<string, string> {
  const entries: [string, string][] = [];
  for (const [name, value] of Object.entries(headers ?? {}) as [string, unknown][]) {
    if (typeof value === 'string') entries.push([name.toLowerCase(), value]);
    else if (Array.isArray(value)) entries.push([name.toLowerCase(), value.join(', ')]);
  }
  return Object.fromEntries(entries);
}
