import { useEffect, useState } from 'react';
import type { RequestOf } from '../../bridge/channels.ts';
import type { MessageKey } from '../text/text.tsx';
import { useMasked } from './mask.tsx';
import { unwrap } from './service-call.ts';
import { useShown } from './shown-records.ts';

interface Copying {
  /** The result of a copy, for ten seconds. */
  readonly message: MessageKey | undefined;
  readonly copy: () => void;
}

/** Copies an identifying value, unless masked. */
export function useCopy(value: string): Copying {
  const masked = useMasked();
  const shown = useShown();
  return useCopying(() => (masked ? undefined : { text: value, from: shown() }));
}

/** Copies a value that identifies nobody, such as a request's id. */
export function usePlainCopy(value: string): Copying {
  return useCopying(() => ({ text: value }));
}

function useCopying(requestOf: () => RequestOf<'copyText'> | undefined): Copying {
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
    const request = requestOf();
    if (request === undefined) {
      setMessage('patient.notCopied');
      return;
    }
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

/** Copies selected text through main too, which records it and clears the clipboard later. */
export function useClearedCopies(): void {
  const shown = useShown();
  useEffect(() => {
    const onCopy = (event: ClipboardEvent): void => {
      const { text, isOfField } = selectedText();
      if (text === '') return;
      // Text typed by the user isn't recorded.
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
