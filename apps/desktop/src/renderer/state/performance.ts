/** Performance entries of the page, for benchmarks. */
const MEASURES = {
  /** From a person's answer to the paint. */
  open: 'caregate.open',
  /** From a change of Find's text to the paint. */
  filter: 'caregate.filter',
} as const;
type Measure = keyof typeof MEASURES;

const startedAt = new Map<Measure, number>();

export function startMeasure(measure: Measure): void {
  startedAt.set(measure, performance.now());
}

/** Ends at the end of the next frame. */
export function endMeasure(measure: Measure): void {
  const start = startedAt.get(measure);
  startedAt.delete(measure);
  if (start === undefined) return;
  requestAnimationFrame(() => {
    // Runs after the frame's paint.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      performance.clearMeasures(MEASURES[measure]);
      performance.measure(MEASURES[measure], { start });
      port1.close();
    };
    port2.postMessage(undefined);
  });
}
