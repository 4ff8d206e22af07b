import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';
import { useDesk } from './desk.tsx';

/**
 * For what a screen is for: it has the focus each time that somebody comes to the screen, a field with its text
 * selected. A screen without such a place has the focus as a whole, where keys but move it.
 */
export function useArrival<T extends HTMLElement>(): RefObject<T | null> {
  const { visit } = useDesk();
  const place = useRef<T>(null);
  useEffect(() => {
    place.current?.focus();
    if (place.current instanceof HTMLInputElement) place.current.select();
  }, [visit]);
  return place;
}
