import { Siren } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { ReactElement } from 'react';
import { Entry } from '../ui/entry.tsx';
import { Icon } from '../ui/icon.tsx';
import { useCanAskEmergency } from './me.tsx';
import { useSelection } from './selection.tsx';
import { useText } from '../i18n/text.tsx';
import styles from './sidebar.module.css';

const EmergencyDialog = lazy(async () => ({
  default: (await import('../features/emergency/emergency-dialog.tsx')).EmergencyDialog,
}));

/** Asks for emergency access to the open patient; absent where the role sees all of them already. */
export function EmergencyEntry(): ReactElement | null {
  const text = useText();
  const { person } = useSelection();
  const canAsk = useCanAskEmergency();
  const [isAsking, setAsking] = useState(false);
  if (person === undefined || !canAsk) return null;
  return (
    <>
      <Entry
        className={`medium ${styles['entry'] ?? ''}`}
        onPress={() => {
          setAsking(true);
        }}
      >
        <Icon of={Siren} />
        <span className={styles['word']}>{text('emergency.open')}</span>
      </Entry>
      {isAsking && (
        <Suspense>
          <EmergencyDialog
            person={person}
            onClose={() => {
              setAsking(false);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
