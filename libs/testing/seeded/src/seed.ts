// The desktop's page is typed without Node, and its specs draw too.
const { process } = globalThis as unknown as {
  process: { env: Record<string, string | undefined> };
};
const text = process.env['SEED'] ?? '0';
if (!/^[\da-f]{1,8}$/iu.test(text)) {
  throw new Error(
    `SEED takes up to eight hexadecimal digits, as in SEED=1a2b3c4d; it is "${text}".`,
  );
}

/** Chooses what a run of the tests tries: the same for a commit, unless SEED is set. 32 bits. */
export const seed = Number.parseInt(text, 16);

/** Every `parts`-th of these, from a place that the seed chooses: `parts` seeds in turn choose all of them. */
export function share<T>(all: readonly T[], parts: number): T[] {
  return all.filter((_, place) => (place + seed) % parts === 0);
}
