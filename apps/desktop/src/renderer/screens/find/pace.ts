import { useCallback, useEffect, useRef } from 'react';

/** No scanner takes longer between two keys of a code that it reads well: none starts a search, nor Find by its letters. */
export const pauseMs = 80;
/** Somebody who typed on so soon has put no scanner into their hand meanwhile. */
const typesOnMs = 1000;
/** What changes the field later than this after a key was pasted, or said. */
const ofKeyMs = 250;

/** When the last two keys were pressed. Milliseconds, as `performance.now()` and the keys' own times are. */
export interface LastKeys {
  readonly before: number;
  readonly last: number;
}

/** How long to wait for another key: not at all where keys come as from a hand, which a scanner can't be that slow for. */
export function pauseAfter({ before, last }: LastKeys, now: number): number {
  const gap = last - before;
  const isByHand = gap > pauseMs && gap < typesOnMs && now - last < ofKeyMs;
  return isByHand ? 0 : pauseMs;
}

/** The same by the keys of this page, by their own times: a page that was held up sees them all at once. */
export function usePauseAfterKey(): () => number {
  const keys = useRef<LastKeys>({ before: -Infinity, last: -Infinity });
  useEffect(() => {
    const onKey = ({ key, timeStamp }: KeyboardEvent): void => {
      if (key === 'Shift' || key === 'AltGraph') return;
      keys.current = { before: keys.current.last, last: timeStamp };
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => {
      window.removeEventListener('keydown', onKey, { capture: true });
    };
  }, []);
  return useCallback(() => pauseAfter(keys.current, performance.now()), []);
}
