interface PointRow extends SourceKey {
  readonly body: string;
}

interface SourceKey {
  readonly provider: string;
  readonly type: string;
}

export interface SourceRow extends SourceKey {
  readonly body: string;
}

// Maps, not objects: a provider may be called `__proto__`, or `1`, which an object would move to the front.
type PointGroups = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

export function groupPoints(rows: readonly PointRow[]): PointGroups {
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
  return providers;
}

/** Concatenated without parsing; a source that is not in `sources` has only provider and type. */
export function groupsText(groups: PointGroups, sources: readonly SourceRow[]): string {
  const texts = new Map(sources.map((source) => [keyText(source), source.body]));
  const entries = Array.from(groups, ([provider, types]) => {
    const inProvider = Array.from(types, ([type, bodies]) => {
      const source = { provider, type };
      return formatSourceGroup(source, bodies.join(','), texts.get(keyText(source)));
    });
    return `${JSON.stringify(provider)}:[${inProvider.join(',')}]`;
  });
  return `{${entries.join(',')}}`;
}

function formatSourceGroup(key: SourceKey, bodies: string, source: string | undefined): string {
  return `{"data":[${bodies}],"source":${source ?? JSON.stringify(key)}}`;
}

function keyText({ provider, type }: SourceKey): string {
  return JSON.stringify([provider, type]);
}
