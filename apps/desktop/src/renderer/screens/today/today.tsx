import type { ReactElement } from 'react';
import { TodayList } from '../../components/day/today-list.tsx';
import styles from './today.module.css';

/** The list that staff keep for the day, with times, and who added whom. */
export function TodayScreen(): ReactElement {
  return (
    <div className={styles['screen']}>
      <TodayList isEdited />
    </div>
  );
}
