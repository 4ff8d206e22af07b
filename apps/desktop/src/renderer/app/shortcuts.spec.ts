import { expect, it } from '@jest/globals';
import { shortcutOf } from './shortcuts.ts';

const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

it.each([
  ['a US keyboard', { key: 'l', code: 'KeyL', ctrlKey: true }, 'Ctrl+KeyL'],
  ['a Mac', { key: 'l', code: 'KeyL', metaKey: true }, 'Ctrl+KeyL'],
  ['Caps Lock', { key: 'L', code: 'KeyL', ctrlKey: true }, 'Ctrl+KeyL'],
  ['an Arabic layout', { key: 'م', code: 'KeyL', ctrlKey: true }, 'Ctrl+KeyL'],
  ['a Russian layout', { key: 'д', code: 'KeyL', ctrlKey: true }, 'Ctrl+KeyL'],
  ['Dvorak, where L is elsewhere', { key: 'l', code: 'KeyP', ctrlKey: true }, 'Ctrl+KeyL'],
  ['Shift too', { key: 'P', code: 'KeyP', ctrlKey: true, shiftKey: true }, 'Ctrl+Shift+KeyP'],
  [
    'a French layout, whose digits need Shift',
    { key: '&', code: 'Digit1', ctrlKey: true },
    'Ctrl+Digit1',
  ],
  ['the number pad', { key: '2', code: 'Numpad2', ctrlKey: true }, 'Ctrl+Digit2'],
  [
    'Alt, which writes another letter on a Mac',
    { key: '¡', code: 'Digit1', altKey: true },
    'Alt+Digit1',
  ],
  [
    'AltGr, which writes letters',
    { key: 'ł', code: 'KeyL', ctrlKey: true, altKey: true },
    'Ctrl+Alt+KeyL',
  ],
  ['a key of its own', { key: 'F8', code: 'F8' }, 'F8'],
])('knows a shortcut on %s', (_where, press, shortcut) => {
  expect(shortcutOf({ ...none, ...press })).toBe(shortcut);
});
