/** Time and chance as the client takes them; tests hand in their own. */
export interface Clock {
  /** Milliseconds from any fixed point, never going back. */
  now(): number;
  /** From 0 up to, not including, 1. */
  random(): number;
  /** Runs once after so many milliseconds, unless the function it gives back is called before. */
  after(ms: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  random: () => Math.random(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => {
      clearTimeout(timer);
    };
  },
};

/** Waits, but no longer than until the signal is aborted; rejects then. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      cancel();
      reject(new Error('aborted'));
    };
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
