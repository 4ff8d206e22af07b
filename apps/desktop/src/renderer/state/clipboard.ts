import { useEffect, useState } from 'react';
import type { RequestOf } from '../../bridge/channels.ts';
import type { MessageKey } from '../text/text.tsx';
import { useMasked } from './mask.tsx';
import { unwrap } from './service-call.ts';
import { useShown } from './shown-records.ts';

interface Copying {
  /** For a while after a copy: whether it was one. */
  readonly message: MessageKey | undefined;
  readonly copy: () => void;
}

/** Copies an identifying value; under the mask it isn't copied. */
export function useCopy(value: string): Copying {
  const masked = useMasked();
  const shown = useShown();
  return useCopying(() => (masked ? undefined : { text: value, from: shown() }));
}

/** Copies what tells of nobody: a request's id, a record's, a checkpoint. */
export function usePlainCopy(value: string): Copying {
  return useCopying(() => ({ text: value }));
}

/** @param given what is copied; undefined: nothing, since it is masked */
function useCopying(given: () => RequestOf<'copyText'> | undefined): Copying {
  const [message, setMessage] = useState<MessageKey>();
  useEffect(() => {
    if (message === undefined) return undefined;
    const timer = setTimeout(() => {
      setMessage(undefined);
    }, 10_000);
    return () => {
      clearTimeout(timer);
    };
  }, [message]);
  const copy = (): void => {
    const request = given();
    if (request === undefined) {
      setMessage('patient.notCopied');
      return;
    }
    // Only after main has written the clipboard: it may refuse.
    unwrap(window.caregate.copyText(request)).then(
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
