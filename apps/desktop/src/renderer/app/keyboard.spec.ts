import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { formatKeys, Keyboard, nameKeys } from './keyboard.ts';

const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

describe('a shortcut', () => {
  it.each([
    ['a US keyboard', { key: 'l', code: 'KeyL', ctrlKey: true }, 'Ctrl+KeyL'],
    ['a Mac', { key: 'l', code: 'KeyL', metaKey: true }, 'Ctrl+KeyL'],
    ['Caps Lock', { key: 'L', code: 'KeyL', ctrlKey: true }, 'Ctrl+KeyL'],
    ['an Arabic layout', { key: 'م', code: 'KeyL', ctrlKey: true }, 'Ctrl+KeyL'],
    ['a Russian layout', { key: 'д', code: 'KeyL', ctrlKey: true }, 'Ctrl+KeyL'],
    ['Dvorak, where L is elsewhere', { key: 'l', code: 'KeyP', ctrlKey: true }, 'Ctrl+KeyL'],
    ['Shift too', { key: 'P', code: 'KeyP', ctrlKey: true, shiftKey: true }, 'Ctrl+Shift+KeyP'],
    ['French digits, on Shift', { key: '&', code: 'Digit1', ctrlKey: true }, 'Ctrl+Digit1'],
    ['the number pad', { key: '2', code: 'Numpad2', ctrlKey: true }, 'Ctrl+Digit2'],
    [
      'Alt, which writes a letter on a Mac',
      { key: '¡', code: 'Digit1', altKey: true },
      'Alt+Digit1',
    ],
    [
      'AltGr, which writes letters',
      { key: 'ł', code: 'KeyL', ctrlKey: true, altKey: true },
      'Ctrl+Alt+KeyL',
    ],
    ['a function key', { key: 'F8', code: 'F8' }, 'F8'],
    ['the plus of a US keyboard', { key: '=', code: 'Equal', ctrlKey: true }, 'Ctrl+Plus'],
    [
      'the plus of a US keyboard, with Shift',
      { key: '+', code: 'Equal', ctrlKey: true, shiftKey: true },
      'Ctrl+Plus',
    ],
    [
      'the plus of a German keyboard',
      { key: '+', code: 'BracketRight', ctrlKey: true },
      'Ctrl+Plus',
    ],
    ['the plus of a number pad', { key: '+', code: 'NumpadAdd', ctrlKey: true }, 'Ctrl+Plus'],
    ['the minus of a German keyboard', { key: '-', code: 'Slash', ctrlKey: true }, 'Ctrl+Minus'],
    ['the minus of a Mac', { key: '-', code: 'Minus', metaKey: true }, 'Ctrl+Minus'],
    ['the zero of a number pad', { key: '0', code: 'Numpad0', ctrlKey: true }, 'Ctrl+Digit0'],
    ['the zero of a French keyboard', { key: 'à', code: 'Digit0', ctrlKey: true }, 'Ctrl+Digit0'],
    [
      'the zero of a French keyboard, with Shift',
      { key: '0', code: 'Digit0', ctrlKey: true, shiftKey: true },
      'Ctrl+Digit0',
    ],
  ])('is known on %s', (_where, press, keys) => {
    expect(nameKeys({ ...none, ...press })).toBe(keys);
  });

  it('is written on a cap', () => {
    const caps = [
      formatKeys('printLabel'),
      formatKeys('newerOrder'),
      formatKeys('screen', 2),
      formatKeys('escape'),
    ];
    expect(caps).toEqual(['Ctrl B', 'Alt ↑', 'Ctrl 2', 'Esc']);
  });
});

describe('a pressed key', () => {
  let keyboard: Keyboard;
  let taken: jest.Mock<() => void>;
  let ran: (string | number)[];
  beforeEach(() => {
    keyboard = new Keyboard();
    taken = jest.fn();
    ran = [];
  });
  const press = (code: string, more: Partial<KeyboardEvent> = {}): void => {
    const event = {
      ...{ ...none, key: '', code, repeat: false, isComposing: false, target: null },
      ...{ timeStamp: performance.now(), preventDefault: taken },
      ...{ stopImmediatePropagation: () => ran.push('stopped'), ...more },
    };
    keyboard.press(event as unknown as KeyboardEvent);
  };
  const note = (name: string) => (): void => void ran.push(name);

  it('runs its command, the one registered last of two, and is left alone without one', () => {
    press('F8');
    expect(taken).not.toHaveBeenCalled();
    keyboard.register('mask', note('window'));
    const leave = keyboard.register('mask', note('screen'));
    press('F8');
    leave();
    press('F8');
    expect(ran).toEqual(['screen', 'window']);
    expect(taken).toHaveBeenCalledTimes(2);
  });

  it('tells a command of digits which it was, but for the digit of another command', () => {
    keyboard.register('screen', (digit) => ran.push(digit));
    keyboard.register('zoomReset', note('zoomReset'));
    for (const digit of [1, 9, 0]) press(`Digit${String(digit)}`, { ctrlKey: true });
    expect(ran).toEqual([1, 9, 'zoomReset']);
  });

  it('runs its command once while held down, unless that repeats', () => {
    keyboard.register('print', note('print'));
    keyboard.register('zoomIn', note('zoomIn'));
    for (const repeat of [false, true, true]) press('KeyP', { ctrlKey: true, repeat });
    for (const repeat of [false, true]) press('Equal', { key: '=', ctrlKey: true, repeat });
    expect(ran).toEqual(['print', 'zoomIn', 'zoomIn']);
    expect(taken).toHaveBeenCalledTimes(5);
  });

  it('reaches neither a command nor the page if a watcher takes it, and all watchers see it', () => {
    keyboard.register('lock', note('lock'));
    const leave = keyboard.watch(() => true);
    keyboard.watch(() => {
      ran.push('seen');
      return false;
    });
    press('KeyL', { ctrlKey: true });
    expect(ran).toEqual(['seen', 'stopped']);
    leave();
    press('KeyL', { ctrlKey: true });
    expect(ran).toEqual(['seen', 'stopped', 'seen', 'lock']);
  });

  describe('before its component is shown', () => {
    const early = (): void => void keyboard.register('print', note('print'), true);

    it('runs the command once it is', () => {
      press('KeyP', { ctrlKey: true });
      press('KeyP', { ctrlKey: true, repeat: true });
      early();
      early();
      expect(ran).toEqual(['print']);
    });

    it('runs nothing if another key was pressed since', () => {
      press('KeyP', { ctrlKey: true });
      press('KeyX');
      early();
      expect(ran).toEqual([]);
    });

    it('runs nothing if another screen was opened since', () => {
      press('KeyP', { ctrlKey: true });
      keyboard.forgetEarly();
      early();
      expect(ran).toEqual([]);
    });

    it('runs nothing of a component that does not ask for it', () => {
      press('KeyP', { ctrlKey: true });
      keyboard.register('print', note('print'));
      expect(ran).toEqual([]);
    });

    it('runs nothing if it was pressed more than ten seconds ago', () => {
      press('KeyP', { ctrlKey: true, timeStamp: performance.now() - 10_001 });
      early();
      expect(ran).toEqual([]);
    });
  });

  it('is not a command while a text is composed', () => {
    keyboard.register('escape', note('escape'));
    press('Escape', { isComposing: true });
    expect(ran).toEqual([]);
  });

  it('gives the times of the last two, without Shift', () => {
    for (const [code, timeStamp] of [
      ['KeyA', 100],
      ['ShiftLeft', 150],
      ['KeyB', 220],
    ] as const) {
      press(code, { timeStamp, key: code.startsWith('Shift') ? 'Shift' : 'a' });
    }
    expect(keyboard.times).toEqual({ before: 100, last: 220 });
  });
});
