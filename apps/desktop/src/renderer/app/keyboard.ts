import { useEffect, useEffectEvent } from 'react';
import type { MessageKey } from '../i18n/text.tsx';

interface Command {
  /** Keys as `nameKeys` names them. `Ctrl+Digit` stands for each of the digits 0 to 9. */
  readonly keys: readonly string[];
  /** The description in the list of shortcuts; absent if it depends on the digit. */
  readonly text?: MessageKey;
  /** Not available to auditors, who open no patients. */
  readonly isOfPatients?: true;
  /** Runs again while its keys are held down. */
  readonly repeats?: true;
  /** If the focus is in a dialog, menu or select, that gets the keys instead. */
  readonly yieldsToOverlay?: true;
}

/** All keyboard commands, in the order of the list of shortcuts. */
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
/** `digit` is the pressed digit if the keys of the command have `Digit`. */
type Run = (digit: number) => void;

const idByKeys = new Map<string, CommandId>();
for (const id of Object.keys(COMMANDS) as CommandId[]) {
  for (const keys of COMMANDS[id].keys) idByKeys.set(keys, id);
}

type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** Whether the key is pressed with Ctrl, Alt or Meta, except to type a character with AltGr. */
export function isChord(event: KeyboardEvent): boolean {
  const { ctrlKey, altKey, metaKey } = event;
  return (ctrlKey || altKey || metaKey) && !event.getModifierState('AltGraph');
}

/** Signs whose position depends on the keyboard layout. Some layouts have them on Shift. */
const SIGNS: ReadonlyMap<string, string> = new Map([
  ['+', 'Plus'],
  ['=', 'Plus'],
  ['-', 'Minus'],
  ['0', 'Digit0'],
]);

/**
 * Names a key with its modifiers, such as `Ctrl+Shift+KeyP`, `Alt+Digit1` or `F8`. ⌘ counts as Ctrl.
 *
 * A Latin letter is named by the keyboard layout. On a layout without Latin letters, such as Arabic or Cyrillic, a key
 * is named by its position on a US keyboard.
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

/** Formats a command's keys for a key cap, such as `Ctrl K`, or `Ctrl 2` with a digit. */
export function formatKeys(id: CommandId, digit: number | string = ''): string {
  return COMMANDS[id].keys[0]
    .split('+')
    .map((key) => CAPS[key] ?? key.replace(/^(?:Key|Digit)/u, ''))
    .join(' ')
    .concat(String(digit));
}

/** If the component isn't shown within this time, the user has moved on, and the command is dropped. */
const earlyMs = 10_000;
const overlays = 'select, [role=dialog], [role=alertdialog], [role=menu]';

/** Returns whether the event ends here. */
type Watch = (event: KeyboardEvent) => boolean;

/** Passes each key to the watchers of all keys, and then to the command with these keys. */
export class Keyboard {
  readonly #watching = new Set<Watch>();
  readonly #commands: { readonly id: CommandId; readonly run: Run }[] = [];
  #early: { readonly id: CommandId; readonly at: number } | undefined;
  /** When the last two keys were pressed, on the clock of `performance.now()`. */
  #times = { before: -Infinity, last: -Infinity };

  get times(): { readonly before: number; readonly last: number } {
    return this.#times;
  }

  watch(watch: Watch): () => void {
    this.#watching.add(watch);
    return () => this.#watching.delete(watch);
  }

  /** If a command is registered several times, the last one runs: a screen's command precedes the window's. */
  register(id: CommandId, run: Run, isEarly = false): () => void {
    const command = { id, run };
    this.#commands.push(command);
    const early = this.#early;
    if (isEarly && early?.id === id) {
      this.#early = undefined;
      if (performance.now() - early.at < earlyMs) run(0);
    }
    return () => this.#commands.splice(this.#commands.indexOf(command), 1);
  }

  /** A command that waits for its component is dropped when the user goes to another screen. */
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

  /** Runs the command with these keys. Returns whether it is registered at the moment. */
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

/** Adds the window's only key listener. It runs before all others, so that no control receives the keys of a scanned code. */
export function listenToKeys(): void {
  window.addEventListener(
    'keydown',
    (event) => {
      // React Aria forwards the keys of a list to its focused item by events that aren't trusted.
      if (event.isTrusted) keyboard.press(event);
    },
    { capture: true },
  );
}

/** Registers a command while the component is mounted and `isOn` is true. */
export function useCommand(
  id: CommandId,
  run: Run,
  /** `isEarly`: the command also runs if its keys were pressed on this screen shortly before the component was mounted. */
  { isOn = true, isEarly = false } = {},
): void {
  const onRun = useEffectEvent(run);
  useEffect(() => {
    if (!isOn) return undefined;
    const forward = (digit: number): void => onRun(digit);
    return keyboard.register(id, forward, isEarly);
  }, [id, isOn, isEarly]);
}
