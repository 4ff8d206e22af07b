import { useEffect, useState } from 'react';
import type { MessageKey } from '../text/text.tsx';
import { useMasked } from './mask.tsx';
import { unwrap } from './service-call.ts';
import { useShown } from './shown-records.ts';

/** Copies an identifying value, with a message to show for a while; under the mask it isn't copied. */
export function useCopy(value: string): {
  readonly message: MessageKey | undefined;
  readonly copy: () => void;
} {
  const masked = useMasked();
  const shown = useShown();
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
    unwrap(window.caregate.copyText({ text: value, from: shown() })).then(
      () => {
        setMessage('patient.copied');
      },
      () => {
        setMessage('patient.copyFailed');
      },
    );
  };
  return { message, copy };
}

/** Text copied by a shortcut goes through main too, so that the clipboard is cleared again. */
export function useClearedCopies(): void {
  const shown = useShown();
  useEffect(() => {
    const onCopy = (event: ClipboardEvent): void => {
      const { text, isOfField } = selectedText();
      if (text === '') return;
      // What was typed is nobody's answer. All else waits until it is recorded, and main copies it then.
      if (!isOfField) event.preventDefault();
      void window.caregate.copyText({ text, ...(!isOfField && { from: shown() }) });
    };
    document.addEventListener('copy', onCopy);
    document.addEventListener('cut', onCopy);
    return () => {
      document.removeEventListener('copy', onCopy);
      document.removeEventListener('cut', onCopy);
    };
  }, [shown]);
}

function selectedText(): { readonly text: string; readonly isOfField: boolean } {
  const { activeElement } = document;
  if (activeElement instanceof HTMLInputElement || activeElement instanceof HTMLTextAreaElement) {
    const { value, selectionStart, selectionEnd } = activeElement;
    return { text: value.slice(selectionStart ?? 0, selectionEnd ?? 0), isOfField: true };
  }
  return { text: getSelection()?.toString() ?? '', isOfField: false };
}
