import { describe, expect, it } from '@jest/globals';
import { ZOOMS } from '../../bridge/app-state.ts';
import { zoomed, zoomStepOf } from './zoom.ts';
import type { KeyPress } from './zoom.ts';

const press = (key: string, code: string, more: Partial<KeyPress> = {}): KeyPress => ({
  ...{ type: 'keyDown', key, code, control: true, meta: false, alt: false },
  ...more,
});

describe('the keys of zoom', () => {
  it.each([
    ['+', 'Equal', 'in'],
    ['=', 'Equal', 'in'],
    ['+', 'NumpadAdd', 'in'],
    ['+', 'BracketRight', 'in'],
    ['-', 'Minus', 'out'],
    ['-', 'NumpadSubtract', 'out'],
    ['-', 'Slash', 'out'],
    ['0', 'Digit0', 'reset'],
    ['0', 'Numpad0', 'reset'],
    ['à', 'Digit0', 'reset'],
  ])('Ctrl and %s of %s: %s', (key, code, step) => {
    expect(zoomStepOf(press(key, code))).toBe(step);
    expect(zoomStepOf(press(key, code, { control: false, meta: true }))).toBe(step);
  });

  it.each([
    ['+', 'Equal', { control: false }],
    ['0', 'Digit0', { control: false }],
    ['-', 'Minus', { alt: true }],
    ['-', 'Minus', { type: 'keyUp' }],
    ['-', 'Minus', { meta: true }],
    ['1', 'Digit1', {}],
    ['toString', '', {}],
  ])('%s of %s with %j means nothing', (key, code, more) => {
    expect(zoomStepOf(press(key, code, more))).toBeUndefined();
  });
});

describe('zoomed', () => {
  it('goes through every step, and no further', () => {
    let zoom: number = ZOOMS[0];
    const up = [zoom];
    for (let times = 0; times < ZOOMS.length; times += 1) up.push((zoom = zoomed(zoom, 'in')));
    expect(up).toEqual([...ZOOMS, 300]);
    const down = [zoom];
    for (let times = 0; times < ZOOMS.length; times += 1) down.push((zoom = zoomed(zoom, 'out')));
    expect(down).toEqual([...ZOOMS.toReversed(), 50]);
    expect(zoomed(zoom, 'reset')).toBe(100);
  });

  it('comes from a zoom of its own, as a policy may have it, to the next step', () => {
    expect(zoomed(120, 'in')).toBe(125);
    expect(zoomed(120, 'out')).toBe(110);
  });
});
