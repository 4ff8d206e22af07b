// The desktop's page is compiled without Node's types, and its specs import this file too.
const { process } = globalThis as unknown as {
  process: { env: Record<string, string | undefined> };
};
const text = process.env['SEED'] ?? '0';
if (!/^[\da-f]{1,8}$/iu.test(text)) {
  throw new Error(
    `SEED takes up to eight hexadecimal digits, as in SEED=1a2b3c4d; it is "${text}".`,
  );
}

/** Seed of the test run, 32 bits. It comes from the commit unless SEED is set. */
export const seed = Number.parseInt(text, 16);

/**
 * Returns every `parts`-th item, starting at an index that depends on the seed. Over `parts` consecutive seeds, all
 * items are returned.
 */
export function share<T>(all: readonly T[], parts: number): T[] {
  return all.filter((_, place) => (place + seed) % parts === 0);
}
