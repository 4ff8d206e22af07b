/** Characters of the keys of a US keyboard, without and with Shift, by `KeyboardEvent.code`. */
const KEYS: ReadonlyMap<string, string> = new Map([
  ...Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => {
    const upper = letter.toUpperCase();
    return [`Key${upper}`, `${letter}${upper}`] as const;
  }),
  ...Array.from(')!@#$%^&*(', (sign, digit) => [`Digit${digit}`, `${digit}${sign}`] as const),
  ...Object.entries({
    ...{ Minus: '-_', Equal: '=+', BracketLeft: '[{', BracketRight: ']}', Backslash: '\\|' },
    ...{ Semicolon: ';:', Quote: '\'"', Backquote: '`~', Comma: ',<', Period: '.>', Slash: '/?' },
  }),
]);

/** What a key would type on a US keyboard, as which most scanners type whatever the computer's layout is; else what it types here. */
export function usCharacter({
  code,
  key,
  shiftKey,
}: Pick<KeyboardEvent, 'code' | 'key' | 'shiftKey'>): string {
  return KEYS.get(code)?.charAt(shiftKey ? 1 : 0) ?? key;
}
