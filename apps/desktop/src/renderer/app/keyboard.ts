import { useEffect, useEffectEvent } from 'react';
import type { MessageKey } from '../i18n/text.tsx';

interface Command {
  /** As `nameKeys` names them; `Ctrl+Digit` stands for each of the digits 0 to 9. */
  readonly keys: readonly string[];
  /** What it does, in the list of shortcuts; absent where that depends on the digit. */
  readonly text?: MessageKey;
  /** Not for auditors, who open no patients. */
  readonly isOfPatients?: true;
  /** Runs again while its keys are held down. */
  readonly repeats?: true;
  /** A dialog, menu or select that has the focus takes its keys. */
  readonly yieldsToOverlay?: true;
}

/** Every keyboard command of the window, in the order of the list of shortcuts. */
export const COMMANDS = {
  search: { keys: ['Ctrl+KeyK'], text: 'screen.find', isOfPatients: true },
  previousPatient: { keys: ['Ctrl+Tab'], text: 'keys.before', isOfPatients: true },
  screen: { keys: ['Ctrl+Digit'] },
  newerOrder: {
    ...{ keys: ['Alt+ArrowUp'], text: 'keys.newerOrder' },
    ...{ isOfPatients: true, repeats: true, yieldsToOverlay: true },
  },
  olderOrder: {
    ...{ keys: ['Alt+ArrowDown'], text: 'keys.olderOrder' },
    ...{ isOfPatients: true, repeats: true, yieldsToOverlay: true },
  },
  abnormalFirst: { keys: ['Alt+KeyA'], text: 'labs.abnormalFirst', isOfPatients: true },
  overTime: { keys: ['Alt+KeyT'], text: 'labs.view.overTime', isOfPatients: true },
  refresh: { keys: ['F5', 'Shift+F5'], text: 'labs.refresh', isOfPatients: true },
  printLabel: { keys: ['Ctrl+KeyB'], text: 'keys.label', isOfPatients: true },
  correctScan: { keys: ['F2'], text: 'scan.correct', isOfPatients: true },
  print: { keys: ['Ctrl+KeyP'], text: 'print.send' },
  mask: { keys: ['F8'], text: 'keys.mask' },
  lock: { keys: ['Ctrl+KeyL'], text: 'status.lock' },
  switchUser: { keys: ['Alt+Digit'], text: 'keys.card' },
  zoomIn: { keys: ['Ctrl+Plus'], text: 'keys.zoomIn', repeats: true },
  zoomOut: { keys: ['Ctrl+Minus'], text: 'keys.zoomOut', repeats: true },
  zoomReset: { keys: ['Ctrl+Digit0'], text: 'keys.zoomReset' },
  help: { keys: ['F1'], text: 'keys.title' },
  escape: { keys: ['Escape'], text: 'keys.escape', yieldsToOverlay: true },
} as const satisfies Readonly<Record<string, Command>>;

export type CommandId = keyof typeof COMMANDS;
/** `digit`: of a command with `Digit` in its keys. */
type Run = (digit: number) => void;

const idByKeys = new Map<string, CommandId>();
for (const id of Object.keys(COMMANDS) as CommandId[]) {
  for (const keys of COMMANDS[id].keys) idByKeys.set(keys, id);
}

type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** Whether it is pressed with Ctrl, Alt or Meta, other than to write a letter. */
export function isChord(event: KeyboardEvent): boolean {
  const { ctrlKey, altKey, metaKey } = event;
  return (ctrlKey || altKey || metaKey) && !event.getModifierState('AltGraph');
}

/** Signs whose place depends on the layout, and which some layouts have on Shift. */
const SIGNS: ReadonlyMap<string, string> = new Map([
  ['+', 'Plus'],
  ['=', 'Plus'],
  ['-', 'Minus'],
  ['0', 'Digit0'],
]);

/**
 * The name of a key with its modifiers: `Ctrl+Shift+KeyP`, `Alt+Digit1`, `F8`. ⌘ counts as Ctrl.
 *
 * A Latin letter is where the layout has it. On a layout without Latin letters, such as Arabic or Cyrillic, the key
 * counts that has the letter on a US keyboard.
 */
export function nameKeys({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): string {
  const sign = SIGNS.get(key);
  const isLatinLetter = /^[a-z]$/iu.test(key) && !altKey;
  const name = isLatinLetter ? `Key${key.toUpperCase()}` : code.replace(/^Numpad(?=\d$)/u, 'Digit');
  const modifiers = [
    (ctrlKey || metaKey) && 'Ctrl+',
    altKey && 'Alt+',
    shiftKey && sign === undefined && 'Shift+',
  ].filter((modifier) => modifier !== false);
  return `${modifiers.join('')}${sign ?? name}`;
}

const CAPS: Readonly<Record<string, string>> = {
  ...{ ArrowUp: '↑', ArrowDown: '↓', Plus: '+', Minus: '−', Escape: 'Esc' },
};

/** Writes a command's keys as on a key cap: `Ctrl K`, or `Ctrl 2` with the digit of one that has digits. */
export function formatKeys(id: CommandId, digit: number | string = ''): string {
  return COMMANDS[id].keys[0]
    .split('+')
    .map((key) => CAPS[key] ?? key.replace(/^(?:Key|Digit)/u, ''))
    .join(' ')
    .concat(String(digit));
}

/** Longer ago, whoever pressed a key has looked at something else since. */
const earlyMs = 10_000;
const overlays = 'select, [role=dialog], [role=alertdialog], [role=menu]';

/** Returns whether the key goes no further. */
type Watch = (event: KeyboardEvent) => boolean;

/** Hands each key of the window to those who watch all keys, then to the command that it belongs to. */
export class Keyboard {
  readonly #watching = new Set<Watch>();
  readonly #commands: { readonly id: CommandId; readonly run: Run }[] = [];
  #early: { readonly id: CommandId; readonly at: number } | undefined;
  /** When the last two keys were pressed, as in `performance.now()`. */
  #times = { before: -Infinity, last: -Infinity };

  get times(): { readonly before: number; readonly last: number } {
    return this.#times;
  }

  watch(watch: Watch): () => void {
    this.#watching.add(watch);
    return () => this.#watching.delete(watch);
  }

  /** The command registered last runs: that of a screen before the one of the window. */
  register(id: CommandId, run: Run, isEarly = false): () => void {
    const command = { id, run };
    this.#commands.push(command);
    const early = this.#early;
    if (isEarly && early?.id === id) {
      this.#early = undefined;
      if (performance.now() - early.at < earlyMs) run(0);
    }
    return () => {
      this.#commands.splice(this.#commands.indexOf(command), 1);
    };
  }

  /** On another screen, a command that waits for its component is not meant any more. */
  readonly forgetEarly = (): void => {
    this.#early = undefined;
  };

  press(event: KeyboardEvent): void {
    if (event.key !== 'Shift' && event.key !== 'AltGraph') {
      this.#times = { before: this.#times.last, last: event.timeStamp };
    }
    const isTaken = [...this.#watching].map((watch) => watch(event)).some(Boolean);
    if (isTaken || this.#run(event)) event.preventDefault();
    if (isTaken) event.stopImmediatePropagation();
  }

  /** Returns whether the keys are those of a command that something offers at the moment. */
  #run(event: KeyboardEvent): boolean {
    if (event.isComposing) return false;
    const keys = nameKeys(event);
    const id = idByKeys.get(keys) ?? idByKeys.get(keys.replace(/(?<=Digit)\d$/u, ''));
    const command: Command | undefined = id && COMMANDS[id];
    if (event.repeat && command?.repeats !== true) return this.#find(id) !== undefined;
    this.#early = undefined;
    if (id === undefined || command === undefined) return false;
    const { target } = event;
    const isInOverlay = command.yieldsToOverlay === true && target instanceof Element;
    if (isInOverlay && target.closest(overlays) !== null) return false;
    const registered = this.#find(id);
    if (registered !== undefined) registered.run(Number(keys.at(-1)));
    else this.#early = { id, at: event.timeStamp };
    return registered !== undefined;
  }

  #find(id: CommandId | undefined): { readonly run: Run } | undefined {
    return this.#commands.findLast((one) => one.id === id);
  }
}

export const keyboard = new Keyboard();

/** The window's only listener to keys. It comes before those of the page's parts, so that a scanned code reaches none. */
export function listenToKeys(): void {
  window.addEventListener(
    'keydown',
    (event) => {
      // Lists send keys on to the item in focus: these aren't trusted.
      if (event.isTrusted) keyboard.press(event);
    },
    { capture: true },
  );
}

/** Offers a command while the component is mounted and `isOn`. */
export function useCommand(
  id: CommandId,
  run: Run,
  /** `isEarly`: also runs if it was pressed on this screen shortly before the component was shown. */
  { isOn = true, isEarly = false } = {},
): void {
  const onRun = useEffectEvent(run);
  useEffect(() => {
    if (!isOn) return undefined;
    const forward = (digit: number): void => {
      onRun(digit);
    };
    return keyboard.register(id, forward, isEarly);
  }, [id, isOn, isEarly]);
}
