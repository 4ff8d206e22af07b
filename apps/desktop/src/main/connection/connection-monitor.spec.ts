import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { ConnectionMonitor, intervalMs } from './connection-monitor.ts';

const second = 1000;

function setUp() {
  let now = 0;
  let watched = true;
  let answer: boolean | 'silent' = true;
  let settle: (answered: boolean | undefined) => void = () => undefined;
  const told: string[] = [];
  const asked: number[] = [];
  const monitor = new ConnectionMonitor({
    now: () => now,
    isWatched: () => watched,
    ask: () => {
      asked.push(now);
      return answer === 'silent'
        ? new Promise((resolve) => {
            settle = resolve;
          })
        : Promise.resolve(answer);
    },
    onState: (state) => told.push(state),
    random: () => 0.5,
  });
  const flush = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    monitor,
    told,
    /** The times of the readiness requests, in milliseconds since the start. */
    asked,
    set: (change: { watched?: boolean; answer?: boolean | 'silent' }) => {
      watched = change.watched ?? watched;
      answer = change.answer ?? answer;
    },
    /** Answers the readiness requests that are still open. */
    settle: (answered: boolean | undefined) => {
      settle(answered);
      return flush();
    },
    pass: async (milliseconds: number) => {
      for (const end = now + milliseconds; now < end;) {
        now = Math.min(end, now + second);
        monitor.tick();
        await flush();
      }
    },
  };
}

describe('ConnectionMonitor', () => {
  it('polls at once and then at each interval', async () => {
    const { asked, told, pass } = setUp();
    await pass(3 * intervalMs);
    expect(asked).toEqual([1, 16, 31].map((at) => at * second));
    expect(new Set(told)).toEqual(new Set(['online']));
  });

  it('reports a lost connection within one interval, and its return within the next', async () => {
    const { told, set, pass } = setUp();
    await pass(intervalMs);
    set({ answer: false });
    await pass(intervalMs + 2 * second);
    expect(told.at(-1)).toBe('offline');
    set({ answer: true });
    await pass(intervalMs);
    expect(told.at(-1)).toBe('online');
  });

  it('ignores a single failure', async () => {
    const { told, set, settle, pass } = setUp();
    await pass(second);
    set({ answer: 'silent' });
    await pass(30 * second);
    set({ answer: true });
    await settle(false);
    await pass(3 * second);
    expect(told).toEqual(['online', 'online']);
  });

  it('sends one request at a time, however slow the answer', async () => {
    const { asked, set, pass, monitor } = setUp();
    set({ answer: 'silent' });
    await pass(100 * second);
    monitor.checkSoon();
    expect(asked).toHaveLength(1);
  });

  it('pauses while the window is hidden, and polls at once when it is shown', async () => {
    const { asked, set, pass } = setUp();
    set({ watched: false });
    await pass(600 * second);
    expect(asked).toEqual([]);
    set({ watched: true });
    await pass(second);
    expect(asked).toEqual([601 * second]);
  });

  it('polls at once when the window gets the focus, but not more often than allowed', async () => {
    const { asked, pass, monitor } = setUp();
    await pass(6 * second);
    monitor.checkSoon();
    expect(asked).toEqual([second, 6 * second]);
    await pass(0);
    for (let times = 0; times < 100; times += 1) monitor.checkSoon();
    await pass(3 * second);
    expect(asked).toEqual([1, 6, 8].map((at) => at * second));
  });

  it('polls less often the longer there is no answer, and at least every minute', async () => {
    const { asked, set, pass } = setUp();
    set({ answer: false });
    await pass(300 * second);
    const gaps = asked.slice(1).map((at, index) => (at - asked[index]!) / second);
    expect(gaps).toEqual([2, 15, 30, 60, 60, 60, 60]);
  });

  it('takes the result of a user’s call at once, and polls an interval later', async () => {
    const { asked, told, set, pass, monitor } = setUp();
    await pass(second);
    set({ answer: false });
    monitor.report('offline');
    expect(told.at(-1)).toBe('offline');
    await pass(14 * second);
    expect(asked).toHaveLength(1);
    monitor.report('online');
    expect(told.at(-1)).toBe('online');
    await pass(14 * second);
    expect(asked).toHaveLength(1);
  });

  it('ignores a cancelled request', async () => {
    const { told, set, settle, pass } = setUp();
    set({ answer: 'silent' });
    await pass(second);
    await settle(undefined);
    expect(told).toEqual([]);
  });

  it('polls at most every two seconds and at least every 72 seconds', async () => {
    const what = fc.constantFrom('pass', 'soon', 'well', 'ill', 'online', 'offline');
    await fc.assert(
      fc.asyncProperty(fc.array(what, { maxLength: 200, size: 'max' }), async (steps) => {
        const { asked, set, pass, monitor } = setUp();
        for (const step of steps) {
          if (step === 'pass') await pass(second);
          else if (step === 'soon') monitor.checkSoon();
          else if (step === 'online' || step === 'offline') monitor.report(step);
          else set({ answer: step === 'well' });
        }
        const gaps = asked.slice(1).map((at, index) => at - asked[index]!);
        expect(gaps.filter((gap) => gap < 2 * second)).toEqual([]);
        const before = asked.length;
        await pass(72 * second);
        expect(asked.length).toBeGreaterThan(before);
      }),
      { numRuns: 50 },
    );
  });
});
