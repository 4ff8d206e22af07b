import { describe, expect, it, jest } from '@jest/globals';
import { ClockWatch } from './clock-watch.ts';

describe('the clock watch', () => {
  it.each([-3_600_000, 2001])('records a step of %i ms, once', (milliseconds) => {
    const watch = new ClockWatch();
    expect(watch.step()).toBeUndefined();
    const real = Date.now.bind(Date);
    const stepped = jest.spyOn(Date, 'now').mockImplementation(() => real() + milliseconds);
    try {
      const entry = watch.step();
      expect(entry).toMatchObject({ operation: 'clockStep', actorType: 'system', patients: [] });
      expect(Math.abs(Number(entry?.details?.['milliseconds']) - milliseconds)).toBeLessThan(100);
      expect(watch.step()).toBeUndefined();
    } finally {
      stepped.mockRestore();
    }
  });
});
