import type { MindfulnessMinutesPoint } from '@caregate/domain';

const stamp = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}+00:00`;

/** A point each half hour since 2020. */
export function points(count: number): MindfulnessMinutesPoint[] {
  return Array.from({ length: count }, (_, index) => {
    const start = Date.UTC(2020, 0, 1) + index * 30 * 60_000;
    const value = 5 + (index % 20);
    return { start: stamp(start), end: stamp(start + value * 60_000), unit: 'min', value };
  });
}
