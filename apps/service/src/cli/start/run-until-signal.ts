import type { Started } from './start-service.ts';

/** A second signal within this time is a duplicate: terminal and parent process may both forward one Ctrl-C. */
const togetherMs = 150;
/** Additional time for the shutdown, so that a slow disk can write the last audit records. */
const patienceMs = 3000;

/**
 * Resolves on the first SIGINT, SIGTERM or SIGHUP; a second one exits immediately. Call it before reporting that the service
 * is ready, since it may be stopped right after that.
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

/** Runs the service until the signal, then stops it. Exits if the shutdown hangs. */
export async function runUntil(
  signal: Promise<void>,
  service: Pick<Started, 'stop'>,
  shutdownTimeoutMs: number,
): Promise<void> {
  await signal;
  const hung = setTimeout(() => {
    process.stderr.write('The service did not stop in time and was killed.\n');
    process.exit(1);
  }, shutdownTimeoutMs + patienceMs);
  await service.stop();
  clearTimeout(hung);
}
