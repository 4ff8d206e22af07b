import { useState } from 'react';
import type { ReactElement } from 'react';
import { LONGEST_SIGN_IN_HOURS } from '@caregate/domain';
import { KeyCap } from '../../components/controls.tsx';
import { useSettings, useStatus } from '../../state/app-state.ts';
import { useText } from '../../text/text.tsx';
import { GateFrame } from './gate-frame.tsx';
import styles from './gate.module.css';
import { KeyLock } from './key-sign-in.tsx';
import { StaffLock } from './staff-lock.tsx';

/** Shows nothing of a patient. Opened by PIN, by the provider, or by a key without a person. */
export function LockScreen(): ReactElement {
  const text = useText();
  const { reason = 'asked', people, keyId } = useStatus();
  const { lockMinutes } = useSettings();
  const [byKey, setByKey] = useState(false);
  const isStaff = people.length > 0 && !byKey;
  const why =
    reason === 'idle'
      ? text('lock.idle', { minutes: lockMinutes })
      : text(`reason.${reason}`, { hours: LONGEST_SIGN_IN_HOURS });
  // Without cards, the title says no more than "Locked".
  const isSaid = !isStaff && reason === 'asked';
  return (
    <GateFrame
      label={text('lock.title')}
      {...(!isSaid && { reason: why })}
      keys={isStaff && <Keys />}
    >
      {isStaff ? (
        <StaffLock
          onKey={() => {
            setByKey(true);
          }}
        />
      ) : (
        <KeyLock keyId={keyId} />
      )}
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
        {text('lock.choose')}
      </span>
      <span className={styles['clear']}>
        <KeyCap keys="Esc" /> {text('lock.clear')}
      </span>
    </>
  );
}
