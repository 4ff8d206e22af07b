import { CircleCheck } from 'lucide-react';
import type { ReactElement } from 'react';
import { Icon } from '../../components/icon.tsx';
import { useStatus } from '../../state/app-state.ts';
import { useText } from '../../text/text.tsx';
import styles from './gate.module.css';

/** Which clinic was found, and that nobody else can read what is sent to it. */
export function Found(): ReactElement | null {
  const text = useText();
  const { clinicName, address } = useStatus();
  if (!URL.canParse(address)) return null;
  const { protocol, hostname } = new URL(address);
  return (
    <div role="status" className={styles['found']}>
      <Icon big of={CircleCheck} />
      <p>
        <b>{text('connect.found', { clinic: clinicName ?? hostname })}</b>
        <br />
        {protocol === 'https:'
          ? text('connect.private', { host: hostname })
          : text('connect.local')}
      </p>
    </div>
  );
}
