import type { ReactElement } from 'react';
import { LONGEST_SIGN_IN_HOURS } from '@caregate/domain';
import { KeyCap } from '../../ui/controls.tsx';
import { useSettings, useStatus } from '../../api/app-state.ts';
import { useText } from '../../i18n/text.tsx';
import { GateFrame } from './gate-frame.tsx';
import styles from './gate.module.css';
import { StaffLock } from './staff-lock.tsx';

/** Shows nothing of a patient. Opened by PIN or by the provider. */
export function LockScreen(): ReactElement {
  const text = useText();
  const { reason = 'asked' } = useStatus();
  const { lockMinutes } = useSettings();
  const why =
    reason === 'idle'
      ? text('lock.idle', { minutes: lockMinutes })
      : text(`reason.${reason}`, { hours: LONGEST_SIGN_IN_HOURS });
  return (
    <GateFrame label={text('lock.title')} reason={why} keys={<Keys />}>
      <StaffLock />
    </GateFrame>
  );
}

function Keys(): ReactElement {
  const text = useText();
  const { people } = useStatus();
  return (
    <>
      <span>
        <bdi dir="ltr">
          <KeyCap keys="Alt 1" />
          {people.length > 1 && (
            <>
              –<kbd>{Math.min(9, people.length)}</kbd>
            </>
          )}
        </bdi>{' '}
        {text('find.keyChoose')}
      </span>
      <span className={styles['clear']}>
        <KeyCap keys="Esc" /> {text('lock.clear')}
      </span>
    </>
  );
}
