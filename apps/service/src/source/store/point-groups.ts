/** A stored point and the source it came from; `body` is its JSON text. */
export interface PointRow {
  readonly provider: string;
  readonly type: string;
  readonly body: string;
}

/**
 * The JSON text of `groups` for the points of one page: provider to array of `{data, source}`, one entry a source
 * type, each in the order in which it first appears. Nothing is parsed: the points' own texts are put together.
 */
export function groupsText(rows: readonly PointRow[]): string {
  // Maps, not objects: a provider may be called `__proto__`, or `1`, which an object would move to the front.
  const providers = new Map<string, Map<string, string[]>>();
  for (const { provider, type, body } of rows) {
    let types = providers.get(provider);
    if (types === undefined) {
      types = new Map();
      providers.set(provider, types);
    }
    const bodies = types.get(type);
    if (bodies === undefined) {
      types.set(type, [body]);
    } else {
      bodies.push(body);
    }
  }
  const entries = Array.from(providers, ([provider, types]) => {
    const name = JSON.stringify(provider);
    const groups = Array.from(
      types,
      ([type, bodies]) =>
        `{"data":[${bodies.join(',')}],"source":{"provider":${name},"type":${JSON.stringify(type)}}}`,
    );
    return `${name}:[${groups.join(',')}]`;
  });
  return `{${entries.join(',')}}`;
}
