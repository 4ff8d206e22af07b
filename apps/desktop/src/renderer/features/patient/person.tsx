import type { ReactElement } from 'react';
import { useSelection } from '../../app/selection.tsx';
import { Overview } from './overview.tsx';

export function PersonScreen(): ReactElement | null {
  const { person } = useSelection();
  return person === undefined ? null : <Overview person={person} />;
}
