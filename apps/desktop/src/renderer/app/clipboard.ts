import { useEffect } from 'react';
import type { ChannelRequest } from '../../shared/channels.ts';
import { useMasked } from './mask.tsx';
import { toast } from './toasts.ts';
import { unwrap } from '../api/service-call.ts';
import { useShown } from '../api/shown-records.ts';

export function useCopy(value: string): () => void {
  const masked = useMasked();
  const shown = useShown();
  return () => {
    if (masked) toast.info('patient.notCopied');
    else copyText({ text: value, from: shown() });
  };
}

/**
 * Copies a text and shows whether that worked. `from` is set if the text identifies a patient. After a failure, main
 * clears the clipboard.
 */
export function copyText(request: ChannelRequest<'copyText'>): void {
  unwrap(window.caregate.copyText(request)).then(() => toast.info('patient.copied'), warnOfFailure);
}

function warnOfFailure(): void {
  toast.warn('patient.copyFailed');
}

/** Main also copies selected text, so that it records the copy and clears the clipboard later. */
export function useClearedCopies(): void {
  const shown = useShown();
  useEffect(() => {
    const onCopy = (event: ClipboardEvent): void => {
      const { text, isInField } = readSelection();
      if (text === '') return;
      // Text that the user has typed isn't recorded.
      if (!isInField) event.preventDefault();
      unwrap(window.caregate.copyText({ text, ...(!isInField && { from: shown() }) })).catch(
        warnOfFailure,
      );
    };
    document.addEventListener('copy', onCopy);
    document.addEventListener('cut', onCopy);
    return () => {
      document.removeEventListener('copy', onCopy);
      document.removeEventListener('cut', onCopy);
    };
  }, [shown]);
}

function readSelection(): { readonly text: string; readonly isInField: boolean } {
  const { activeElement } = document;
  if (activeElement instanceof HTMLInputElement || activeElement instanceof HTMLTextAreaElement) {
    const { value, selectionStart, selectionEnd } = activeElement;
    return { text: value.slice(selectionStart ?? 0, selectionEnd ?? 0), isInField: true };
  }
  return { text: getSelection()?.toString() ?? '', isInField: false };
}
