import { useEffect, useState } from 'react';

/** Returns the current time, which is updated at every full interval. */
export function useNow(everyMs = 60_000): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setTimeout(() => setNow(new Date()), everyMs - (now.getTime() % everyMs));
    return () => clearTimeout(timer);
  }, [now, everyMs]);
  return now;
}

export function useAfter(ms: number): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return isOver;
}
