import { Siren } from 'lucide-react';
import type { ReactElement } from 'react';
import { useEmergencyDialog } from '../features/emergency/use-emergency-dialog.tsx';
import { Entry } from '../ui/entry.tsx';
import { Icon } from '../ui/icon.tsx';
import { useCanAskEmergency } from './me.tsx';
import { useNavigation } from './navigation.tsx';
import { useSelection } from './selection.tsx';
import { toast } from './toasts.ts';
import { useText } from '../i18n/text.tsx';
import styles from './sidebar.module.css';

/** Asks for emergency access to the open patient; absent if the role may see everything. */
export function EmergencyEntry(): ReactElement | null {
  const text = useText();
  const { person } = useSelection();
  const { go } = useNavigation();
  const { open, dialog } = useEmergencyDialog();
  if (!useCanAskEmergency()) return null;
  const findFirst = (): void => {
    toast.info('emergency.personFirst');
    go('find');
  };
  return (
    <>
      <Entry
        className={`medium ${styles['entry'] ?? ''}`}
        onPress={person === undefined ? findFirst : open}
      >
        <Icon of={Siren} />
        <span className={styles['word']}>{text('screen.reviews')}</span>
      </Entry>
      {dialog}
    </>
  );
}
