import { describe, expect, it } from '@jest/globals';
import { zoomStepOf } from './zoom-keys.ts';
import type { KeyPress } from './zoom-keys.ts';

const press = (key: string, code: string, more: Partial<KeyPress> = {}): KeyPress => ({
  ...{ key, code, ctrlKey: true, metaKey: false, altKey: false },
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
    expect(zoomStepOf(press(key, code, { ctrlKey: false, metaKey: true }))).toBe(step);
  });

  it.each([
    ['+', 'Equal', { ctrlKey: false }],
    ['0', 'Digit0', { ctrlKey: false }],
    ['-', 'Minus', { altKey: true }],
    ['-', 'Minus', { metaKey: true }],
    ['1', 'Digit1', {}],
    ['toString', '', {}],
  ])('%s of %s with %j means nothing', (key, code, more) => {
    expect(zoomStepOf(press(key, code, more))).toBeUndefined();
  });
});
