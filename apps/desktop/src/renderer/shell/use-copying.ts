import { useEffect } from 'react';

/** What people copy by the keys is cleared again like what a button copies: main is told of it. */
export function useCopying(): void {
  useEffect(() => {
    const onCopy = (): void => {
      const text = selectedText();
      if (text !== '') void window.caregate.copyText({ text });
    };
    document.addEventListener('copy', onCopy);
    document.addEventListener('cut', onCopy);
    return () => {
      document.removeEventListener('copy', onCopy);
      document.removeEventListener('cut', onCopy);
    };
  }, []);
}

function selectedText(): string {
  const { activeElement } = document;
  if (activeElement instanceof HTMLInputElement || activeElement instanceof HTMLTextAreaElement) {
    const { value, selectionStart, selectionEnd } = activeElement;
    return value.slice(selectionStart ?? 0, selectionEnd ?? 0);
  }
  return getSelection()?.toString() ?? '';
}
