import type { Started } from './start-service.ts';

/** Terminal and parent may both forward one Ctrl-C. */
const togetherMs = 150;
/** For a slow disk to write the last audit records. */
const patienceMs = 3000;

/** Exits on a second signal. Call before reporting readiness. */
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
