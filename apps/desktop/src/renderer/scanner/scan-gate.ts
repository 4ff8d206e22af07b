/** Two codes within this are from one pass of the scanner, or from two scanners: nobody scans twice so fast on purpose. */
const atOnce = 500;

export interface Taken {
  readonly code: string;
  readonly at: number;
}

/**
 * What to do with a code: take it, drop it as the one before read twice, or refuse it. The first of two codes wins,
 * for as long as it is looked up.
 */
export function judge(
  code: string,
  at: number,
  before: Taken | undefined,
  isPending: boolean,
): 'take' | 'again' | 'second' {
  if (before === undefined || (!isPending && Math.abs(at - before.at) > atOnce)) return 'take';
  return code === before.code ? 'again' : 'second';
}
