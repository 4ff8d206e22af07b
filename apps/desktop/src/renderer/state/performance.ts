/** Performance entries of the page, for benchmarks. */
const MEASURES = {
  /** From a person's answer to the paint that shows the person. */
  open: 'caregate.open',
  /** From a change of Find's filter to the paint of the list it leaves. */
  filter: 'caregate.filter',
} as const;
type Measure = keyof typeof MEASURES;

const startedAt = new Map<Measure, number>();

export function startMeasure(measure: Measure): void {
  startedAt.set(measure, performance.now());
}

/** What was started is in the page: measured to the end of the next frame. Only the last of a kind is kept. */
export function endMeasure(measure: Measure): void {
  const start = startedAt.get(measure);
  startedAt.delete(measure);
  if (start === undefined) return;
  requestAnimationFrame(() => {
    // A message comes after the frame's style, layout and paint.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      performance.clearMeasures(MEASURES[measure]);
      performance.measure(MEASURES[measure], { start });
      port1.close();
    };
    port2.postMessage(undefined);
  });
}
