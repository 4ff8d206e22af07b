/*
 * Loaded before a command (`--import`): its standard error is a terminal, and to the line of progress alone each look at the
 * clock is three seconds after the one before, so that every work takes long.
 */
const stepMs = 3000;
const now = performance.now.bind(performance);
let steps = 0;
performance.now = () => {
  if (new Error().stack?.includes('progress-line.ts') === true) {
    steps += 1;
    return now() + stepMs * steps;
  }
  return now();
};
process.stderr.isTTY = true;
