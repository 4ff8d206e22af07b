import type { Started } from './start-service.ts';

/** A second signal this soon is the first one again: a terminal and a parent process both pass on one Ctrl-C. */
const togetherMs = 150;
/** How long a stop may take beyond what running requests are given: a slow disk must get the last audit records. */
const patienceMs = 3000;

/**
 * Keeps the service running until SIGINT, SIGTERM or SIGHUP, then stops it. A second signal, or a stop that hangs, ends
 * the process at once.
 */
export async function runUntilSignal(service: Started, shutdownTimeoutMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
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
  const hung = setTimeout(() => {
    process.stderr.write('The service did not stop in time and was ended.\n');
    process.exit(1);
  }, shutdownTimeoutMs + patienceMs);
  await service.stop();
  clearTimeout(hung);
}
