import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { DEBUGGING_SWITCHES, readStartSwitches } from './start-switches.ts';

function start(
  given: Readonly<Record<string, string>>,
  { isPackaged = true, isInspected = false } = {},
): ReturnType<typeof readStartSwitches> {
  return readStartSwitches({
    isPackaged,
    isInspected,
    hasSwitch: (name) => Object.hasOwn(given, name),
    readSwitch: (name) => given[name] ?? '',
  });
}

describe('startSwitches', () => {
  it('accepts a demo and a policy only in a clone', () => {
    const given = { demo: '/tmp/ready.json', policy: '/tmp/policy.json' };
    expect(start(given, { isPackaged: false })).toEqual(given);
    expect(start(given)).toEqual({});
    expect(start(given, { isInspected: true })).toEqual({});
  });

  it('ends a package that is started with a debugging switch, whatever else is given', () => {
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

  it('admits the end-to-end tests, whose package has the inspector', () => {
    expect(start({ 'remote-debugging-port': '0' }, { isInspected: true })).toEqual({});
    expect(start({ 'remote-debugging-port': '0' }, { isPackaged: false })).toEqual({});
  });
});
