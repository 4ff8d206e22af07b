import { useEffect, useState } from 'react';
import { valueOf } from '../service/ask.ts';
import type { MessageKey } from '../text/text.tsx';
import { useMasked } from './mask.ts';

/** Copies a value that tells who somebody is, and what to say of it for a while; under the mask it isn't copied. */
export function useCopy(value: string): {
  readonly said: MessageKey | undefined;
  readonly copy: () => void;
} {
  const masked = useMasked();
  const [said, setSaid] = useState<MessageKey>();
  useEffect(() => {
    if (said === undefined) return undefined;
    const timer = setTimeout(() => {
      setSaid(undefined);
    }, 4000);
    return () => {
      clearTimeout(timer);
    };
  }, [said]);
  const copy = (): void => {
    if (masked) {
      setSaid('patient.notCopied');
      return;
    }
    // Said once it is so: main writes the clipboard, or refuses.
    valueOf(window.caregate.copyText({ text: value })).then(
      () => {
        setSaid('patient.copied');
      },
      () => undefined,
    );
  };
  return { said, copy };
}
