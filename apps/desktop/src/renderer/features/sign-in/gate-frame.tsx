import { Check, Lock, Wifi, WifiOff } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { LANGUAGES } from '../../../shared/app-state.ts';
import { Select } from '../../ui/controls.tsx';
import { Glyph, Icon } from '../../ui/icon.tsx';
import { Quiet, Row, Unseen } from '../../ui/layout.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { UpdateNote } from '../../app/updates.tsx';
import { useOnline, usePageState, usePolicy, useSettings, useStatus } from '../../api/app-state.ts';
import { useText } from '../../i18n/text.tsx';
import styles from './gate.module.css';

export function GateFrame(props: {
  readonly label: string;
  readonly reason?: string;
  readonly keys?: ReactNode;
  readonly children: ReactNode;
}): ReactElement {
  const { label, reason, keys, children } = props;
  const text = useText();
  const { clinicName } = useStatus();
  return (
    <main className={`stack gap4 row13 ${styles['gate'] ?? ''}`} aria-label={label}>
      <Row as="header">
        <Glyph />
        <b>{clinicName ?? text('app.name')}</b>
        {reason !== undefined && (
          <Row as="p" role="status" className="quiet meta end">
            <Icon of={Lock} />
            {reason}
          </Row>
        )}
      </Row>
      {children}
      <Row as="footer" gap="wide" className="quiet meta">
        <UpdateNote className={styles['update']} />
        {keys === undefined ? <Version /> : <Connection />}
        <span className="grow" />
        {keys}
        <LanguageChoice />
      </Row>
    </main>
  );
}

const STEPS = ['connect', 'signIn', 'desk'] as const;

export function FirstSteps(props: {
  readonly label: string;
  readonly at: (typeof STEPS)[number];
  readonly children: ReactNode;
}): ReactElement {
  const { label, at, children } = props;
  const text = useText();
  const done = STEPS.indexOf(at);
  return (
    <GateFrame label={label}>
      <div className={styles['first']}>
        <ol className={`stack gap1 ${styles['steps'] ?? ''}`} aria-label={text('steps.label')}>
          {STEPS.map((step, place) => (
            <li key={step} {...(step === at && { 'aria-current': 'step' as const })}>
              <span
                aria-hidden="true"
                className={`center ${styles['number'] ?? ''}`}
                {...(place < done && { 'data-done': '' })}
              >
                {place < done ? <Icon of={Check} /> : place + 1}
              </span>
              <span>
                <b>{text(`steps.${step}`)}</b>
                {place < done && <Unseen> {text('steps.done')}</Unseen>}
                <br />
                <Quiet size="meta">{text(`steps.${step}Help`)}</Quiet>
              </span>
            </li>
          ))}
        </ol>
        <Card className={styles['card']}>{children}</Card>
      </div>
    </GateFrame>
  );
}

function Version(): ReactElement {
  const text = useText();
  const version = usePageState('version');
  return <span>{text('gate.version', { version })}</span>;
}

function Connection(): ReactElement {
  const text = useText();
  const online = useOnline();
  return (
    <Row as="span">
      <Icon of={online ? Wifi : WifiOff} />
      {text(online ? 'status.online' : 'status.offline')}
    </Row>
  );
}

function LanguageChoice(): ReactElement {
  const text = useText();
  const { language: chosen } = useSettings();
  const languages = ['system', ...LANGUAGES] as const;
  return (
    <Row as="label">
      {text('settings.language')}
      <Select
        className={styles['language']}
        isDisabled={usePolicy().fixed.includes('language')}
        value={chosen}
        options={languages.map((one) => [one, text(`settings.language.${one}`)])}
        onChange={(language) => void window.caregate.changeSettings({ language })}
      />
    </Row>
  );
}
