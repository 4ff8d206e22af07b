import { useLayoutEffect } from 'react';
import type { RefObject } from 'react';

/** Sets the value as a property alone: a controlled field has it as an attribute too, in the page's own text. */
export function useSecretValue(input: RefObject<HTMLInputElement | null>, value: string): void {
  useLayoutEffect(() => {
    if (input.current !== null && input.current.value !== value) input.current.value = value;
  }, [input, value]);
}
