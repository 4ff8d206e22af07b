/** The one whose turn it is, round and round. @throws where there is none */
export function turn<T>(of: readonly T[], at: number): T {
  const found = of[at % of.length];
  if (found === undefined) {
    throw new RangeError('Nobody to take a turn');
  }
  return found;
}
