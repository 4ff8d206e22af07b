import { useCallback, useRef } from 'react';
import { useKeyDown } from '../../ui/hooks.ts';

/** Longer than any scanner's gap between keys: a scan starts no search by its first letters. */
export const pauseMs = 80;
/** Nobody picks up a scanner between two keys that are closer than this. */
const typesOnMs = 1000;
/** A change later than this after a key was pasted or dictated. */
const ofKeyMs = 250;

/** Times of the last two keys, as in `performance.now()`. */
export interface LastKeys {
  readonly before: number;
  readonly last: number;
}

export function pauseAfter({ before, last }: LastKeys, now: number): number {
  const gap = last - before;
  const isByHand = gap > pauseMs && gap < typesOnMs && now - last < ofKeyMs;
  return isByHand ? 0 : pauseMs;
}

/** Uses the events' own times: a blocked page receives all keys at once. */
export function usePauseAfterKey(): () => number {
  const keys = useRef<LastKeys>({ before: -Infinity, last: -Infinity });
  useKeyDown(({ key, timeStamp }) => {
    if (key === 'Shift' || key === 'AltGraph') return;
    keys.current = { before: keys.current.last, last: timeStamp };
  }, true);
  return useCallback(() => pauseAfter(keys.current, performance.now()), []);
}
