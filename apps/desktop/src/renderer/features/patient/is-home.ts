import { useLookUp, useSearchText } from '../../app/look-up.tsx';
import { useMayAsk } from '../../app/me.tsx';
import { useNavigation } from '../../app/navigation.tsx';
import { useSearchShut } from '../search/people-query.ts';

/** Whether the screen is the empty search, which lists recent people. */
export function useIsHome(): boolean {
  const { screen } = useNavigation();
  const { typed } = useSearchText();
  const { pending } = useLookUp();
  const may = useMayAsk('searchPeople');
  const isShut = useSearchShut() !== undefined;
  const isAllowed = (may === 'yes' || may === 'mask') && !isShut;
  return screen === 'find' && typed.trim() === '' && pending === undefined && isAllowed;
}
