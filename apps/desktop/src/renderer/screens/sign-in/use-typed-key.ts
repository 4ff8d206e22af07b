import { useEffect, useState } from 'react';
import { useSettings } from '../../service/app-state.ts';

/**
 * A staff key while it is typed: in its field, and nowhere else. Left alone for the minutes that would lock the desk,
 * it goes: nobody signs in with what somebody else left there.
 */
export function useTypedKey(): readonly [key: string, setKey: (key: string) => void] {
  const { lockMinutes } = useSettings();
  const [key, setKey] = useState('');
  useEffect(() => {
    if (key === '') return undefined;
    const timer = setTimeout(() => {
      setKey('');
    }, lockMinutes * 60_000);
    return () => {
      clearTimeout(timer);
    };
  }, [key, lockMinutes]);
  return [key, setKey];
}
