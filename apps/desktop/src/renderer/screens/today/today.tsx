import type { ReactElement } from 'react';
import { TodayList } from '../../components/day/today-list.tsx';

export function TodayScreen(): ReactElement {
  return (
    <div className="bleed">
      <TodayList isEdited />
    </div>
  );
}
