import type { GroupedMindfulnessMinutes, MindfulnessMinutesPoint } from '@caregate/domain';

export interface Panel {
  readonly key: string;
  readonly provider: string;
  readonly source: string;
  readonly points: readonly MindfulnessMinutesPoint[];
}

/** Adds a page; panels without news stay the same objects. */
export function withPage(
  panels: readonly Panel[],
  { groups }: GroupedMindfulnessMinutes,
): readonly Panel[] {
  const next = new Map(panels.map((panel) => [panel.key, panel]));
  for (const [provider, list] of Object.entries(groups)) {
    for (const { data, source } of list) {
      // Both names, where the source says it is another provider.
      const named = source.provider === provider ? provider : `${provider} (${source.provider})`;
      const key = JSON.stringify([named, source.type]);
      const before = next.get(key);
      if (before !== undefined && data.length === 0) continue;
      const points = [...(before?.points ?? []), ...data];
      next.set(key, { key, provider: named, source: source.type, points });
    }
  }
  return [...next.values()].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}
