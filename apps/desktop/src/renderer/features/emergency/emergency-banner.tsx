import { Siren } from 'lucide-react';
import { Button } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Banner } from '../../ui/surfaces.tsx';
import { useStatus } from '../../api/app-state.ts';
import { useNow } from '../../ui/hooks.ts';
import { useEmergencyHere } from '../../app/me.tsx';
import { useText } from '../../i18n/text.tsx';
import styles from './emergency.module.css';

export function EmergencyBanner() {
  const text = useText();
  const { emergency } = useStatus();
  const isHere = useEmergencyHere() !== undefined;
  useNow(5000);
  if (emergency === undefined) return null;
  const left = Math.ceil((Date.parse(emergency.expiresAt) - Date.now()) / 60_000);
  if (left <= 0) return null;
  return (
    <Banner kind="flag" role="status" className={styles['banner']}>
      <Icon of={Siren} />
      <p>
        <b>{text(isHere ? 'screen.reviews' : 'emergency.elsewhere')}</b>{' '}
        {text('find.emergencyLeft', { minutes: left })}
      </p>
      <Button kind="quiet" onPress={() => void window.caregate.endBreakGlass({})}>
        {text('emergency.end')}
      </Button>
    </Banner>
  );
}
