import { Lock, Wifi, WifiOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { LANGUAGES } from '../../../shared/app-state.ts';
import type { Problem } from '../../../shared/problem.ts';
import { Button, KeyCap, Select } from '../../ui/controls.tsx';
import { Glyph, Icon } from '../../ui/icon.tsx';
import { Quiet, Row, Stack } from '../../ui/layout.tsx';
import { ProblemNote } from '../../ui/problem.tsx';
import { UpdateNote } from '../../app/updates.tsx';
import { useOnline, usePageState, usePolicy, useSettings, useStatus } from '../../api/app-state.ts';
import { getLanguageName, useText } from '../../i18n/text.tsx';
import styles from './gate.module.css';

export function GateFrame(props: {
  readonly label: string;
  readonly reason?: string;
  readonly keys?: ReactNode;
  readonly children: ReactNode;
}) {
  const { label, reason, keys, children } = props;
  const text = useText();
  const { clinicName, demo } = useStatus();
  const version = usePageState('version');
  return (
    <main className={`stack gap4 row13 ${styles['gate'] ?? ''}`} aria-label={label}>
      <Row as="header">
        <Glyph />
        <b>{clinicName ?? text('app.name')}</b>
        {demo !== undefined && <span className="tag quiet">{text('gate.demo')}</span>}
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
        {keys === undefined ? <span>{text('gate.version', { version })}</span> : <Connection />}
        <span className="grow" />
        {keys ?? <LanguageChoice />}
      </Row>
    </main>
  );
}

function Connection() {
  const text = useText();
  const online = useOnline();
  return (
    <Row as="span">
      <Icon of={online ? Wifi : WifiOff} />
      {text(online ? 'status.online' : 'status.offline')}
    </Row>
  );
}

function LanguageChoice() {
  const text = useText();
  const { language: selected } = useSettings();
  return (
    <Select
      label={text('settings.language')}
      className="meta"
      isDisabled={usePolicy().fixed.includes('language')}
      value={selected}
      options={[
        ['system', text('settings.system')],
        ...LANGUAGES.map((one) => [one, getLanguageName(one)] as const),
      ]}
      onChange={(language) => void window.caregate.changeSettings({ language })}
    />
  );
}

export function GateForm(props: {
  readonly title: string;
  readonly lead: string;
  readonly problem?: Problem | undefined;
  readonly children: ReactNode;
  readonly onSubmit: () => void;
  readonly submit: string;
  readonly others?: ReactNode;
}) {
  const { title, lead, problem, children, onSubmit, submit, others } = props;
  return (
    <Stack
      as="form"
      gap="gap4"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Heading title={title} lead={lead} />
      {problem !== undefined && <ProblemNote problem={problem} />}
      {children}
      <Row>
        <Button kind="main" type="submit">
          {submit}
          <KeyCap keys="Enter" />
        </Button>
        {others}
      </Row>
    </Stack>
  );
}

export function Heading(props: { readonly title: string; readonly lead?: string | undefined }) {
  return (
    <div>
      <h1>{props.title}</h1>
      <Quiet as="p" className="body">
        {props.lead}
      </Quiet>
    </div>
  );
}
