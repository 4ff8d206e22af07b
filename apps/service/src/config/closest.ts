/** The `count` of the words that are fewest edits (Levenshtein) away from a misspelt one, nearest first. */
export function closest(
  misspelt: string,
  words: readonly string[],
  count: number,
): readonly string[] {
  return words
    .map((word) => ({ word, edits: editsBetween(misspelt, word) }))
    .sort((a, b) => a.edits - b.edits)
    .slice(0, count)
    .map(({ word }) => word);
}

function editsBetween(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const removed = (above[column] ?? 0) + 1;
      const added = (current[column - 1] ?? 0) + 1;
      current.push(Math.min(replaced, removed, added));
    }
    above = current;
  }
  return above[b.length] ?? 0;
}
