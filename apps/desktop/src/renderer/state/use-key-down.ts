import { useEffect, useEffectEvent } from 'react';

/** Calls the handler for each key that is pressed in the page. */
export function useKeyDown(handler: (event: KeyboardEvent) => void, capture = false): void {
  const onKey = useEffectEvent(handler);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      onKey(event);
    };
    window.addEventListener('keydown', listen, { capture });
    return () => {
      window.removeEventListener('keydown', listen, { capture });
    };
  }, [capture]);
}
