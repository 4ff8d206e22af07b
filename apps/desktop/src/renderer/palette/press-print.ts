/** Presses Ctrl+P, to which the screens listen that have something to print; false where none took it. */
export function pressPrint(): boolean {
  const press = new KeyboardEvent('keydown', { key: 'p', ctrlKey: true, cancelable: true });
  return !window.dispatchEvent(press);
}
