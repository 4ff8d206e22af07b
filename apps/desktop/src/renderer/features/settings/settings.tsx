import type { ReactElement, ReactNode } from 'react';
import { useIntl } from 'react-intl';
import { LANGUAGES, type Settings, type ZoomStep } from '../../../shared/app-state.ts';
import type { SettingsChange } from '../../../shared/requests.ts';
import { Button, Select } from '../../ui/controls.tsx';
import { Quiet, Row, Stack } from '../../ui/layout.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { usePolicy, useSettings } from '../../api/app-state.ts';
import { toast } from '../../app/toasts.ts';
import { getLanguageName, useText, type MessageKey } from '../../i18n/text.tsx';
import { PrefixesField } from './prefixes-field.tsx';
import styles from './settings.module.css';

const zoomSteps: readonly (readonly [ZoomStep, MessageKey])[] = [
  ['out', 'keys.zoomOut'],
  ['in', 'keys.zoomIn'],
  ['reset', 'keys.zoomReset'],
];

const MINUTES = Array.from({ length: 15 }, (_, index) => String(index + 1));

export default function SettingsScreen() {
  const text = useText();
  const intl = useIntl();
  const settings = useSettings();
  const { fixed, wrong } = usePolicy();
  const { label: labels } = settings.prints;
  const renderChoice = <K extends 'language' | 'theme' | 'paper'>(
    name: K,
    options: readonly (readonly [value: Settings[K], name: string])[],
  ): ReactElement => (
    <Setting name={name}>
      <SegmentedControl
        quiet
        label={text(`settings.${name}`)}
        value={settings[name]}
        isDisabled={fixed.includes(name)}
        options={options}
        onChange={(value) => void save({ [name]: value })}
      />
    </Setting>
  );
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
      <Setting name="labels">
        <Quiet as="p" size="help">
          {labels === undefined
            ? text('settings.labelsNone')
            : text('settings.labelsNow', {
                printer: labels.printer,
                size: labels.size.replace('x', ' × '),
                copies: labels.copies,
              })}
        </Quiet>
        {labels !== undefined && (
          <div>
            <Button onPress={() => void save({ label: null })}>{text('settings.forget')}</Button>
          </div>
        )}
      </Setting>
      <Setting name="zoom">
        <Row>
          <span role="status">{intl.formatNumber(settings.zoom / 100, { style: 'percent' })}</span>
          {zoomSteps.map(([step, label]) => (
            <Button
              key={step}
              isDisabled={fixed.includes('zoom')}
              onPress={() => void save({ zoom: step })}
            >
              {text(label)}
            </Button>
          ))}
        </Row>
      </Setting>
      <Setting name="lockMinutes">
        <div>
          <Select
            label={text('settings.lockMinutes')}
            value={String(settings.lockMinutes)}
            isDisabled={fixed.includes('lockMinutes')}
            options={MINUTES.map((minutes) => [minutes, intl.formatNumber(Number(minutes))])}
            onChange={(minutes) => void save({ lockMinutes: Number(minutes) })}
          />
        </div>
      </Setting>
      <PrefixesField
        prefixes={settings.scannerPrefixes}
        isFixed={fixed.includes('scannerPrefixes')}
        save={save}
      />
    </Stack>
  );
}

async function save(change: SettingsChange): Promise<boolean> {
  const saved = await window.caregate.changeSettings(change);
  if (!saved.ok) toast.error('print.notSaved', saved.problem);
  return saved.ok;
}

function Setting(props: {
  readonly name: 'labels' | Exclude<keyof SettingsChange, 'document' | 'label' | 'scannerPrefixes'>;
  readonly children: ReactNode;
}) {
  const text = useText();
  const { fixed } = usePolicy();
  const title = text(`settings.${props.name}`);
  return (
    <Stack role="group" gap="gap1" aria-label={title}>
      <h2 className="body bold">{title}</h2>
      {props.children}
      {fixed.some((name) => name === props.name) && (
        <Quiet as="p" size="help">
          {text('settings.fixed')}
        </Quiet>
      )}
    </Stack>
  );
}
