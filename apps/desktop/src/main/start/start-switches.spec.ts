import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { DEBUGGING_SWITCHES, startSwitches } from './start-switches.ts';

function start(
  given: Readonly<Record<string, string>>,
  { isPackaged = true, isInspected = false } = {},
): ReturnType<typeof startSwitches> {
  return startSwitches({
    isPackaged,
    isInspected,
    hasSwitch: (name) => Object.hasOwn(given, name),
    valueOf: (name) => given[name] ?? '',
  });
}

describe('the switches of a start', () => {
  it('name a demo and a policy in a clone alone', () => {
    const given = { demo: '/tmp/ready.json', policy: '/tmp/policy.json' };
    expect(start(given, { isPackaged: false })).toEqual(given);
    expect(start(given)).toEqual({});
    expect(start(given, { isInspected: true })).toEqual({});
  });

  it('end a package that somebody wants to debug from outside, whatever else is given', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...DEBUGGING_SWITCHES),
        fc.dictionary(fc.string(), fc.string()),
        (name, others) => {
          expect(start({ ...others, [name]: '0' })).toBeUndefined();
        },
      ),
    );
  });

  it('let the end-to-end run in, whose package has the inspector', () => {
    expect(start({ 'remote-debugging-port': '0' }, { isInspected: true })).toEqual({});
    expect(start({ 'remote-debugging-port': '0' }, { isPackaged: false })).toEqual({});
  });
});
