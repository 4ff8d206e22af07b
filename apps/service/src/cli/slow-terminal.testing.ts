import { caregateIn, type Ended } from './caregate.testing.ts';

const stepMs = 3000;
const now = performance.now.bind(performance);

/** With a terminal as standard error, and a progress clock that moves three seconds per look. */
export async function slowCaregate(
  env: Readonly<Record<string, string>>,
  words: readonly string[],
): Promise<Ended> {
  let steps = 0;
  performance.now = () => {
    if (new Error().stack?.includes('progress-line.ts') === true) {
      steps += 1;
      return now() + stepMs * steps;
    }
    return now();
  };
  try {
    return await caregateIn(env, words, { isTTY: true });
  } finally {
    performance.now = now;
  }
}
