import { describe, it } from '@jest/globals';
import { RuleTester } from 'oxlint/plugins-dev';
import { noTimeLimits } from './no-time-limits.mjs';

Object.assign(RuleTester, { describe, it });

const limit = [{ messageId: 'limit' }];
const elapsed = [{ messageId: 'elapsed' }];

new RuleTester().run('no-time-limits', noTimeLimits, {
  valid: [
    "it('x', () => {});",
    "it.each([1], 2, 3)('x', () => {});",
    'beforeAll(async () => {});',
    'expect(Date.now()).toBeGreaterThan(1);',
    'expect(made).toBeLessThanOrEqual(Date.now());',
    'const rows = read(); expect(rows.length).toBeLessThan(5);',
    'const began = performance.now(); expect(performance.now() - began).toBeGreaterThan(5);',
    { filename: 'jest.preset.js', code: 'export default { testTimeout: 1 };' },
  ],
  invalid: [
    { code: "it('x', () => {}, 60_000);", errors: limit },
    { code: "it('x', () => {}, LONG_MS);", errors: limit },
    { code: "it.only('x', () => {}, 5);", errors: limit },
    { code: "it.each([1])('x', () => {}, 5);", errors: limit },
    { code: "test.each`a`('x', () => {}, 5);", errors: limit },
    { code: 'beforeAll(async () => {}, 5);', errors: limit },
    { code: 'jest.setTimeout(5);', errors: limit },
    {
      filename: 'jest.config.js',
      code: 'export default { testTimeout: 1, forceExit: true };',
      errors: [...limit, { messageId: 'forced' }],
    },
    { code: 'expect(performance.now() - began).toBeLessThan(5);', errors: elapsed },
    { code: 'expect(Math.abs(Date.now() - at)).toBeLessThanOrEqual(5);', errors: elapsed },
    {
      code: 'const taken = performance.now() - began; expect(taken).toBeLessThan(5);',
      errors: elapsed,
    },
  ],
});
