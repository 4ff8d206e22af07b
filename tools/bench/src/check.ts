import type { Row, Section } from './measure.ts';

/** Rows by the name of their section. */
export type Results = Readonly<Record<Section['name'], readonly Row[]>>;

/**
 * The rows that miss their promise: with a goal, those whose ratio is past it by more than the noise of its rounds;
 * without, those that were not kept. One line of text each.
 */
export function misses(results: Results): string[] {
  return Object.entries(results).flatMap(([section, rows]) =>
    rows.filter(isMissed).map((row) => `${section}: ${missText(row)}`),
  );
}

function isMissed({ ratio, goal, noise = 0, kept }: Row): boolean {
  if (goal === undefined || ratio === undefined) {
    return kept === false;
  }
  // A ratio that is no number keeps no promise.
  return !('most' in goal ? ratio - noise <= goal.most : ratio + noise >= goal.least);
}

function missText({ what, ratio, bound = '', noise = 0 }: Row): string {
  const measured = ratio === undefined ? '' : ` ${ratio.toFixed(2)}x (noise ${noise.toFixed(2)}),`;
  return `${what}:${measured} ${bound}`;
}
