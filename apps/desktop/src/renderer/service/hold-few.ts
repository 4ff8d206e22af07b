import type { Query, QueryCache } from '@tanstack/react-query';

/**
 * Holds at most so many answers that no screen shows; the ones that came first go first. By time alone, a busy hour
 * would keep everybody of its last minutes. Gives back what ends it.
 */
export function holdFew(answers: QueryCache, most: number): () => void {
  return answers.subscribe(({ type }) => {
    if (type !== 'observerRemoved') return;
    const unseen = answers
      .getAll()
      // What is still being asked for is about to be shown.
      .filter((query) => query.getObserversCount() === 0 && cameAt(query) > 0)
      .toSorted((one, other) => cameAt(one) - cameAt(other));
    for (const query of unseen.slice(0, Math.max(0, unseen.length - most))) answers.remove(query);
  });
}

/** Milliseconds since the epoch of an answer or a problem; 0 before. */
function cameAt({ state }: Query): number {
  return Math.max(state.dataUpdatedAt, state.errorUpdatedAt);
}
