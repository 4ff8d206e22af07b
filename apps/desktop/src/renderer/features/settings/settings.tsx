import { useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useIntl } from 'react-intl';
import { LANGUAGES } from '../../../shared/app-state.ts';
import type { Settings, ZoomStep } from '../../../shared/app-state.ts';
import type { SettingsChange } from '../../../shared/requests.ts';
import type { Problem } from '../../../shared/problem.ts';
import { Button } from '../../ui/controls.tsx';
import { Quiet, Row, Stack } from '../../ui/layout.tsx';
import { useFormatProblem } from '../../ui/problem.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { usePolicy, useSettings } from '../../api/app-state.ts';
import { getLanguageName, useText } from '../../i18n/text.tsx';
import type { MessageKey } from '../../i18n/text.tsx';
import { parseLockMinutes, parsePrefixes, SettingField } from './setting-field.tsx';
import styles from './settings.module.css';

type Key = Exclude<keyof SettingsChange, 'document' | 'label' | 'zoom'>;

export function SettingsScreen(): ReactElement {
  const text = useText();
  const settings = useSettings();
  const { fixed, wrong } = usePolicy();
  const { save, problem, saved } = useSave();
  const formatProblem = useFormatProblem();
  const renderChoice = <K extends 'language' | 'theme' | 'paper'>(
    name: K,
    options: readonly (readonly [value: Settings[K], name: string])[],
  ): ReactElement => (
    <Setting name={name}>
      <SegmentedControl
        label={text(`settings.${name}`)}
        value={settings[name]}
        isDisabled={fixed.includes(name)}
        options={options}
        onChange={(value) => {
          save(name, value);
        }}
      />
    </Setting>
  );
  const getFieldProps = <K extends Key>(name: K) => ({
    fixed: fixed.includes(name),
    saved: saved === name,
    error: problem?.key === name ? formatProblem(problem.problem) : undefined,
    onSave: (value: SettingsChange[K]): void => {
      save(name, value);
    },
  });
  const { label: labels } = settings.prints;
  return (
    <Stack gap="gap4" className={styles['screen']}>
      <h1>{text('screen.settings')}</h1>
      <Quiet as="p" size="help">
        {text('settings.kept')}
      </Quiet>
      {wrong.length > 0 && (
        <p role="alert" className={styles['wrong']}>
          {text('settings.wrongPolicy', { names: wrong.join(', ') })}
        </p>
      )}
      {renderChoice('language', [
        ['system', text('settings.system')],
        ...LANGUAGES.map((one) => [one, getLanguageName(one)] as const),
      ])}
      {renderChoice('theme', [
        ['system', text('settings.system')],
        ['light', text('settings.theme.light')],
        ['dark', text('settings.theme.dark')],
      ])}
      {renderChoice(
        'paper',
        (['a4', 'letter'] as const).map((one) => [one, text(`print.paper.${one}`)]),
      )}
      <Section
        title={text('settings.labels')}
        action={
          labels !== undefined && (
            <Button
              onPress={() => {
                void window.caregate.changeSettings({ label: null });
              }}
            >
              {text('settings.forget')}
            </Button>
          )
        }
      >
        {labels === undefined
          ? text('settings.labelsNone')
          : text('settings.labelsNow', {
              printer: labels.printer,
              size: labels.size.replace('x', ' × '),
              copies: labels.copies,
            })}
      </Section>
      <Setting name="zoom">
        <Zoom zoom={settings.zoom} isDisabled={fixed.includes('zoom')} />
      </Setting>
      <Setting name="typeToFind">
        <SegmentedControl
          label={text('settings.typeToFind')}
          value={settings.typeToFind ? 'yes' : 'no'}
          isDisabled={fixed.includes('typeToFind')}
          options={(['yes', 'no'] as const).map((one) => [one, text(`settings.${one}`)])}
          onChange={(selected) => {
            save('typeToFind', selected === 'yes');
          }}
        />
      </Setting>
      <SettingField<number>
        {...getFieldProps('lockMinutes')}
        label={text('settings.lock')}
        help={text('settings.lockHelp')}
        value={String(settings.lockMinutes)}
        read={(typed) => parseLockMinutes(typed) ?? { wrong: text('settings.lockHelp') }}
      />
      <SettingField<string[]>
        {...getFieldProps('scannerPrefixes')}
        code
        label={text('settings.prefixes')}
        help={text('settings.prefixesHelp')}
        value={settings.scannerPrefixes.join(' ')}
        read={(typed) => parsePrefixes(typed) ?? { wrong: text('settings.prefixesWrong') }}
      />
    </Stack>
  );
}

function Setting(props: {
  readonly name: Key | 'zoom';
  readonly children: ReactElement;
}): ReactElement {
  const text = useText();
  return (
    <div data-setting={props.name}>
      {props.children}
      {usePolicy().fixed.includes(props.name) && (
        <Quiet as="p" size="help">
          {text('settings.fixed')}
        </Quiet>
      )}
    </div>
  );
}

function Section(props: {
  readonly title: string;
  readonly action: ReactNode;
  readonly children: string;
}): ReactElement {
  const { title, action, children } = props;
  return (
    <Stack as="section" gap="gap1" aria-label={title}>
      <h2 className={styles['label']}>{title}</h2>
      <Quiet as="p" size="help">
        {children}
      </Quiet>
      {action !== false && <div>{action}</div>}
    </Stack>
  );
}

const zoomSteps: readonly (readonly [ZoomStep, MessageKey])[] = [
  ['out', 'keys.zoomOut'],
  ['in', 'keys.zoomIn'],
  ['reset', 'keys.zoomReset'],
];

function Zoom(props: { readonly zoom: number; readonly isDisabled: boolean }): ReactElement {
  const { zoom, isDisabled } = props;
  const text = useText();
  const intl = useIntl();
  return (
    <Stack gap="gap2" role="group" aria-label={text('settings.zoom')}>
      <span className={styles['label']}>{text('settings.zoom')}</span>
      <Row>
        <span role="status">{intl.formatNumber(zoom / 100, { style: 'percent' })}</span>
        {zoomSteps.map(([step, label]) => (
          <Button
            key={step}
            isDisabled={isDisabled}
            onPress={() => void window.caregate.changeSettings({ zoom: step })}
          >
            {text(label)}
          </Button>
        ))}
      </Row>
    </Stack>
  );
}

function useSave(): {
  save: (key: Key, value: SettingsChange[Key]) => void;
  problem: { key: Key; problem: Problem } | undefined;
  saved: Key | undefined;
} {
  const [problem, setProblem] = useState<{ key: Key; problem: Problem }>();
  const [saved, setSaved] = useState<Key>();
  const save = (key: Key, value: SettingsChange[Key]): void => {
    setProblem(undefined);
    setSaved(undefined);
    void window.caregate.changeSettings({ [key]: value }).then((answer) => {
      if (answer.ok) setSaved(key);
      else setProblem({ key, problem: answer.problem });
    });
  };
  return { save, problem, saved };
}
