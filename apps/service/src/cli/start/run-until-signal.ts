import type { Started } from './start-service.ts';

/** A second signal this soon is the first one again: a terminal and a parent process both pass on one Ctrl-C. */
const togetherMs = 150;
/** How long a stop may take beyond what running requests are given: a slow disk must get the last audit records. */
const patienceMs = 3000;

/**
 * The first SIGINT, SIGTERM or SIGHUP from now on, which ends nothing by itself; a second one ends the process at once.
 * Call it before anybody is told that the service runs: who reads that may end it in the same moment.
 */
export function firstSignal(): Promise<void> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const onSignal = (): void => {
      if (first === undefined) {
        first = performance.now();
        resolve();
      } else if (performance.now() - first > togetherMs) {
        process.exit(130);
      }
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, onSignal);
    }
  });
}

/** Keeps the service running until the signal, then stops it. A stop that hangs ends the process at once. */
export async function runUntil(
  signal: Promise<void>,
  service: Started,
  shutdownTimeoutMs: number,
): Promise<void> {
  await signal;
  const hung = setTimeout(() => {
    process.stderr.write('The service did not stop in time and was ended.\n');
    process.exit(1);
  }, shutdownTimeoutMs + patienceMs);
  await service.stop();
  clearTimeout(hung);
}
