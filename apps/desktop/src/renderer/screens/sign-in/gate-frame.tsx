import { Lock, Wifi, WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import type { Settings } from '../../../bridge/app-state.ts';
import { LANGUAGES } from '../../../bridge/app-state.ts';
import { Button } from '../../components/controls.tsx';
import { Glyph, Icon } from '../../components/icon.tsx';
import { useOnline, usePolicy, useSettings, useStatus } from '../../state/app-state.ts';
import { UpdateNote } from '../../components/updates.tsx';
import { useText } from '../../text/text.tsx';
import styles from './gate.module.css';

/** Around the sign-in and the lock: the clinic above, the language below. */
export function GateFrame(props: {
  readonly label: string;
  /** Why it is locked, said above. */
  readonly reason?: string;
  /** The keys of this screen. */
  readonly keys?: ReactNode;
  readonly children: ReactNode;
}): ReactElement {
  const { label, reason, keys, children } = props;
  const text = useText();
  const { clinicName } = useStatus();
  return (
    <main className={styles['gate']} aria-label={label}>
      <header className={styles['bar']}>
        <Glyph />
        <b>{clinicName ?? text('app.name')}</b>
        {reason !== undefined && (
          <p role="status" className={styles['reason']}>
            <Icon of={Lock} />
            {reason}
          </p>
        )}
      </header>
      {children}
      <footer className={styles['end']}>
        <UpdateNote className={styles['update']} />
        {keys === undefined ? <Version /> : <Connection />}
        <span className={styles['gap']} />
        {keys}
        <LanguageChoice />
      </footer>
    </main>
  );
}

/** Back to the address, where one may choose it. */
export function OtherClinic(props: {
  readonly onPress: (() => void) | undefined;
}): ReactElement | null {
  const text = useText();
  if (props.onPress === undefined) return null;
  return (
    <Button kind="quiet" onPress={props.onPress}>
      {text('connect.other')}
    </Button>
  );
}

function Version(): ReactElement {
  const text = useText();
  const [version, setVersion] = useState<string>();
  useEffect(() => {
    let wanted = true;
    void window.caregate.about({}).then((about) => {
      if (wanted && about.ok) setVersion(about.value.version);
    });
    return () => {
      wanted = false;
    };
  }, []);
  return <span>{version !== undefined && text('gate.version', { version })}</span>;
}

function Connection(): ReactElement {
  const text = useText();
  const online = useOnline();
  return (
    <span className={styles['line']}>
      <Icon of={online ? Wifi : WifiOff} />
      {text(online ? 'status.online' : 'status.offline')}
    </span>
  );
}

function LanguageChoice(): ReactElement {
  const text = useText();
  const settings = useSettings();
  const isFixed = usePolicy().fixed.includes('language');
  return (
    <label className={styles['line']}>
      {text('settings.language')}
      <select
        className={styles['language']}
        disabled={isFixed}
        value={settings.language}
        onChange={({ target }) => {
          const language = target.value as Settings['language'];
          void window.caregate.saveSettings({ ...settings, language });
        }}
      >
        {(['system', ...LANGUAGES] as const).map((one) => (
          <option key={one} value={one}>
            {text(`settings.language.${one}`)}
          </option>
        ))}
      </select>
    </label>
  );
}
