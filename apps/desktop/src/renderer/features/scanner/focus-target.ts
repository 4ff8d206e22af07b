import type { FocusTarget } from './scan-listener.ts';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

export function currentFocus(): FocusTarget {
  const element = document.activeElement;
  return {
    takesText: isText(element),
    save: () => (isControl(element) ? saveControl(element) : () => undefined),
  };
}

function isControl(element: Element | null): element is Control {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement
  );
}

const pressed = new Set(['button', 'checkbox', 'radio', 'range', 'color', 'submit', 'reset']);

function isText(element: Element | null): boolean {
  if (element instanceof HTMLInputElement) return !pressed.has(element.type);
  return element instanceof HTMLTextAreaElement;
}

function saveControl(control: Control): () => void {
  const { value } = control;
  const selection = selectionOf(control);
  return () => {
    if (control.value !== value) {
      setValue(control, value);
      const name = control instanceof HTMLSelectElement ? 'change' : 'input';
      control.dispatchEvent(new Event(name, { bubbles: true }));
    }
    if (selection !== undefined && 'setSelectionRange' in control) {
      control.setSelectionRange(...selection);
    }
  };
}

function selectionOf(control: Control): [number, number] | undefined {
  if (control instanceof HTMLSelectElement) return undefined;
  const { selectionStart, selectionEnd } = control;
  return selectionStart === null || selectionEnd === null
    ? undefined
    : [selectionStart, selectionEnd];
}

/** React overrides the element's setter and would miss the change. */
function setValue(control: Control, value: string): void {
  const { prototype } =
    control instanceof HTMLInputElement
      ? HTMLInputElement
      : control instanceof HTMLSelectElement
        ? HTMLSelectElement
        : HTMLTextAreaElement;
  Reflect.set(prototype, 'value', value, control);
}
