import { useKeyDown } from '../ui/hooks.ts';

type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/**
 * The name of a key with its modifiers: `Ctrl+Shift+KeyP`, `Alt+Digit1`, `F8`. ⌘ counts as Ctrl.
 *
 * A Latin letter is where the layout has it. On a layout without Latin letters, such as Arabic or Cyrillic, the key
 * counts that has the letter on a US keyboard.
 */
export function shortcutOf(press: KeyPress): string {
  const { key, code, ctrlKey, metaKey, altKey, shiftKey } = press;
  const isLatinLetter = /^[a-z]$/iu.test(key) && !altKey;
  const name = isLatinLetter ? `Key${key.toUpperCase()}` : code.replace(/^Numpad(?=\d$)/u, 'Digit');
  const modifiers = [
    (ctrlKey || metaKey) && 'Ctrl+',
    altKey && 'Alt+',
    shiftKey && 'Shift+',
  ].filter((modifier) => modifier !== false);
  return `${modifiers.join('')}${name}`;
}

/** Runs the action of a shortcut, unless a part of the page has taken the key before. */
export function useShortcuts(
  actions: Readonly<Record<string, (event: KeyboardEvent) => void>>,
): void {
  useKeyDown((event) => {
    const act = event.defaultPrevented ? undefined : actions[shortcutOf(event)];
    if (act === undefined) return;
    event.preventDefault();
    act(event);
  });
}
