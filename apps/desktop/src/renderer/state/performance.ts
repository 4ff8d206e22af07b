/** Performance entries of the page, for benchmarks. */
const MEASURES = {
  open: 'caregate.open',
  filter: 'caregate.filter',
} as const;
type Measure = keyof typeof MEASURES;

const startedAt = new Map<Measure, number>();

export function startMeasure(measure: Measure): void {
  startedAt.set(measure, performance.now());
}

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
