import { Siren } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { Button } from '../../components/controls.tsx';
import { Icon } from '../../components/icon.tsx';
import { Banner } from '../../components/surfaces.tsx';
import { useStatus } from '../../state/app-state.ts';
import { useEmergencyHere } from '../../state/me.tsx';
import { useText } from '../../text/text.tsx';
import styles from './emergency.module.css';

export function EmergencyBanner(): ReactElement | null {
  const text = useText();
  const { emergency } = useStatus();
  const isHere = useEmergencyHere() !== undefined;
  const now = useNow(emergency !== undefined);
  if (emergency === undefined) return null;
  const left = Math.ceil((Date.parse(emergency.expiresAt) - now) / 60_000);
  if (left <= 0) return null;
  return (
    <Banner kind="flag" role="status" className={styles['banner']}>
      <Icon of={Siren} />
      <p>
        <b>{text(isHere ? 'emergency.title' : 'emergency.elsewhere')}</b>{' '}
        {text('emergency.left', { minutes: left })}
      </p>
      <Button kind="quiet" onPress={() => void window.caregate.endBreakGlass({})}>
        {text('emergency.end')}
      </Button>
    </Banner>
  );
}

function useNow(runs: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!runs) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => {
      setNow(Date.now());
    }, 5000);
    return () => {
      clearInterval(timer);
    };
  }, [runs]);
  return now;
}
