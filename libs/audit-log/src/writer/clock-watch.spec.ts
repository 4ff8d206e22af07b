import { describe, expect, it, jest } from '@jest/globals';
import { ClockWatch } from './clock-watch.ts';

describe('the clock watch', () => {
  it.each([-3_600_000, 2001])('records a step of %i ms, once', (milliseconds) => {
    // Both stand still, so that a process that has to wait between the two changes nothing.
    const monotonic = jest.spyOn(performance, 'now').mockReturnValue(5000);
    const wall = jest.spyOn(Date, 'now').mockReturnValue(1_700_000_000_000);
    try {
      const watch = new ClockWatch();
      expect(watch.step()).toBeUndefined();
      wall.mockReturnValue(1_700_000_000_000 + milliseconds);
      expect(JSON.parse(watch.step() ?? '')).toMatchObject({
        operation: 'clockStep',
        details: { milliseconds },
      });
      expect(watch.step()).toBeUndefined();
    } finally {
      wall.mockRestore();
      monotonic.mockRestore();
    }
  });
});
