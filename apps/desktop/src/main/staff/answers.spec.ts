import { describe, expect, it } from '@jest/globals';
import * as v from 'valibot';
import { findInterfaceProblem, signInInfoSchema } from './answers.ts';
import type { SignInInfo } from './answers.ts';

const info: SignInInfo = { pin: { min: 6, max: 12 } };
const between = (oldest: number, newest: number): SignInInfo => ({
  ...info,
  ...{ desk_interface: newest, oldest_desk_interface: oldest },
});

describe('the interface version', () => {
  it('fits if the service supports the desk’s version', () => {
    for (const [oldest, newest] of [
      [2, 2],
      [1, 2],
      [2, 9],
      [1, 9],
    ] as const) {
      expect(findInterfaceProblem(between(oldest, newest), 2)).toBeUndefined();
    }
    expect(findInterfaceProblem(info)).toBeUndefined();
  });

  it('is too old or too new, with both versions', () => {
    expect(findInterfaceProblem(between(1, 1), 2)).toEqual({
      ...{ kind: 'serviceTooOld', interfaces: { needed: 2, offered: 1 } },
    });
    expect(findInterfaceProblem(info, 2)).toMatchObject({ kind: 'serviceTooOld' });
    expect(findInterfaceProblem(between(3, 9), 2)).toEqual({
      ...{ kind: 'deskTooOld', interfaces: { needed: 3, offered: 2 } },
    });
  });

  it('is read from the service’s answer', () => {
    expect(v.parse(signInInfoSchema, between(1, 2))).toEqual(between(1, 2));
    expect(v.is(signInInfoSchema, { ...info, desk_interface: 0 })).toBe(false);
  });
});
