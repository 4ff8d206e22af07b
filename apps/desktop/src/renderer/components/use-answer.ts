import { useEffect, useState } from 'react';
import type { Outcome } from '../../bridge/problem.ts';

/** One call of main, made once; undefined until it answers, and where it fails. */
export function useAnswer<T>(call: (() => Promise<Outcome<T>>) | undefined): T | undefined {
  const [value, setValue] = useState<T>();
  useEffect(() => {
    let isMounted = true;
    void call?.().then((outcome) => {
      if (isMounted && outcome.ok) setValue(outcome.value);
    });
    return () => {
      isMounted = false;
    };
  }, []);
  return value;
}
