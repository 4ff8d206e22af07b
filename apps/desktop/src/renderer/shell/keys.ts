import type { ScreenName } from '../state/navigation.tsx';
import { useKeyDown } from '../state/hooks.ts';

interface KeyActions {
  readonly numbered: readonly ScreenName[];
  readonly people: readonly string[];
  readonly toggleMask: () => void;
  readonly go: (screen: ScreenName) => void;
  readonly find: () => void;
  readonly before: () => void;
  readonly showKeys: () => void;
  readonly escape: () => void;
}

export function useKeys(actions: KeyActions): void {
  useKeyDown((event) => {
    if (!event.defaultPrevented && act(event, actions)) event.preventDefault();
  });
}

function act(event: KeyboardEvent, actions: KeyActions): boolean {
  switch (event.key) {
    case 'F1':
      actions.showKeys();
      return true;
    case 'F8':
      actions.toggleMask();
      return true;
    case 'Escape':
      actions.escape();
      return false;
  }
  if (!(event.ctrlKey || event.metaKey)) return event.altKey && switchTo(actions.people, event);
  return !event.altKey && actWithControl(event, actions);
}

function actWithControl({ key, shiftKey }: KeyboardEvent, actions: KeyActions): boolean {
  const { go, find, before } = actions;
  const numbered = shiftKey ? undefined : actions.numbered[Number(key) - 1];
  if (numbered !== undefined) {
    go(numbered);
    return true;
  }
  switch (key.toLowerCase()) {
    case 'k':
      find();
      return true;
    case 'tab':
      before();
      return true;
    case 'l':
      void window.caregate.lock({});
      return true;
    default:
      return false;
  }
}

/** By key code: with Alt some systems write another letter. */
function switchTo(people: readonly string[], { code }: KeyboardEvent): boolean {
  const digit = /^(?:Digit|Numpad)(?<digit>[1-9])$/u.exec(code)?.groups?.['digit'];
  const staffId = people[Number(digit) - 1];
  if (staffId === undefined) return false;
  void window.caregate.switchTo({ staffId });
  return true;
}
