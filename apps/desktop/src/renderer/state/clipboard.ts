import { useEffect, useState } from 'react';
import type { MessageKey } from '../text/text.tsx';
import { useMasked } from './mask.tsx';
import { unwrap } from './service-call.ts';

/** Copies an identifying value, with a message to show for a while; under the mask it isn't copied. */
export function useCopy(value: string): {
  readonly message: MessageKey | undefined;
  readonly copy: () => void;
} {
  const masked = useMasked();
  const [message, setMessage] = useState<MessageKey>();
  useEffect(() => {
    if (message === undefined) return undefined;
    const timer = setTimeout(() => {
      setMessage(undefined);
    }, 4000);
    return () => {
      clearTimeout(timer);
    };
  }, [message]);
  const copy = (): void => {
    if (masked) {
      setMessage('patient.notCopied');
      return;
    }
    // Only after main has written the clipboard: it may refuse.
    unwrap(window.caregate.copyText({ text: value })).then(
      () => {
        setMessage('patient.copied');
      },
      () => undefined,
    );
  };
  return { message, copy };
}

/** Text copied by a shortcut goes through main too, so that the clipboard is cleared again. */
export function useClearedCopies(): void {
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
