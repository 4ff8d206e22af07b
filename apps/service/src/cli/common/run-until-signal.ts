import { LIMITS } from '../../config/limits.ts';

/** Signals this close together come from one Ctrl-C, which both the terminal and a parent process may forward. */
const TOGETHER_MS = 150;
/** Time for a slow disk to write the last audit records. */
const PATIENCE_MS = 3000;

/** Resolves at the first signal. A second one ends the process. Call it before reporting readiness. */
export function waitForSignal(): Promise<void> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const onSignal = (): void => {
      if (first === undefined) {
        first = performance.now();
        resolve();
      } else if (performance.now() - first > TOGETHER_MS) {
        process.exit(130);
      }
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, onSignal);
    }
  });
}

/** Waits for the signal, then stops the service. Ends the process if that takes too long. */
export async function runUntil(signal: Promise<void>, stop: () => Promise<void>): Promise<void> {
  await signal;
  const hung = setTimeout(() => {
    process.stderr.write('The service did not stop in time and was killed.\n');
    process.exit(1);
  }, LIMITS.shutdownMs + PATIENCE_MS);
  await stop();
  clearTimeout(hung);
}
