import type { MindfulnessMinutesPoint } from '@caregate/domain';

const firstStart = Date.UTC(2020, 0, 1);
const minute = 60_000;

export function pointAt(index: number): MindfulnessMinutesPoint {
  const start = firstStart + index * 30 * minute;
  const value = 5 + (index % 20);
  return {
    start: stamp(start),
    end: stamp(start + value * minute),
    unit: 'min',
    value,
  };
}

const stamp = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}+00:00`;
