import type { ReactElement } from 'react';
import { TodayList } from '../../components/day/today-list.tsx';

/** The list that staff keep for the day, with times, and who added whom. */
export function TodayScreen(): ReactElement {
  return (
    <div className="bleed">
      <TodayList isEdited />
    </div>
  );
}
