import { useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import type { Settings } from '../../../bridge/app-state.ts';
import type { Problem } from '../../../bridge/problem.ts';
import { Quiet, Stack } from '../../components/layout.tsx';
import { SegmentedControl } from '../../components/segmented-control.tsx';
import { useProblemText } from '../../components/problem.tsx';
import { usePolicy, useSettings } from '../../state/app-state.ts';
import { problemOf, unwrap } from '../../state/service-call.ts';
import { useText } from '../../text/text.tsx';
import { LabelPrinter } from './label-printer.tsx';
import { SavedKey } from './saved-key.tsx';
import { lockMinutesOf, prefixesOf, SettingField } from './setting-field.tsx';
import { Zoom } from './zoom.tsx';
import styles from './settings.module.css';

type Key = keyof Settings;

/** What a person may set on this computer; what the policy fixes is shown, and stays. */
export function SettingsScreen(): ReactElement {
  const text = useText();
  const settings = useSettings();
  const { fixed, wrong } = usePolicy();
  const { save, problem, saved } = useSave(settings);
  const said = useProblemText();
  const isFixed = (key: Key): boolean => fixed.includes(key);
  const why = problem?.problem === undefined ? undefined : said(problem.problem);
  const errorOf = (key: Key): string | undefined => (problem?.key === key ? why : undefined);
  const choose = <K extends Key>(key: K, value: Settings[K]): void => {
    save(key, value);
  };
  return (
    <Stack gap="gap4" className={styles['screen']}>
      <h1>{text('settings.title')}</h1>
      <Quiet as="p" size="help">
        {text('settings.kept')}
      </Quiet>
      {wrong.length > 0 && (
        <p role="alert" className={styles['wrong']}>
          {text('settings.wrongPolicy', { names: wrong.join(', ') })}
        </p>
      )}
      <Chosen name="language" fixed={isFixed('language')}>
        <SegmentedControl
          label={text('settings.language')}
          value={settings.language}
          isDisabled={isFixed('language')}
          options={(['system', 'en', 'es', 'ar'] as const).map((one) => [
            one,
            text(`settings.language.${one}`),
          ])}
          onChange={(language) => {
            choose('language', language);
          }}
        />
      </Chosen>
      <Chosen name="theme" fixed={isFixed('theme')}>
        <SegmentedControl
          label={text('settings.theme')}
          value={settings.theme}
          isDisabled={isFixed('theme')}
          options={(['system', 'light', 'dark'] as const).map((one) => [
            one,
            text(`settings.theme.${one}`),
          ])}
          onChange={(theme) => {
            choose('theme', theme);
          }}
        />
      </Chosen>
      <Chosen name="paper" fixed={isFixed('paper')}>
        <SegmentedControl
          label={text('settings.paper')}
          value={settings.paper}
          isDisabled={isFixed('paper')}
          options={(['a4', 'letter'] as const).map((one) => [one, text(`print.paper.${one}`)])}
          onChange={(paper) => {
            choose('paper', paper);
          }}
        />
      </Chosen>
      <LabelPrinter />
      <Chosen name="zoom" fixed={isFixed('zoom')}>
        <Zoom zoom={settings.zoom} isDisabled={isFixed('zoom')} />
      </Chosen>
      {(['hideRecentNames', 'typeToFind'] as const).map((name) => (
        <Chosen key={name} name={name} fixed={isFixed(name)}>
          <SegmentedControl
            label={text(`settings.${name}`)}
            value={settings[name] ? 'yes' : 'no'}
            isDisabled={isFixed(name)}
            options={(['yes', 'no'] as const).map((one) => [one, text(`settings.${one}`)])}
            onChange={(chosen) => {
              choose(name, chosen === 'yes');
            }}
          />
        </Chosen>
      ))}
      <SettingField<number>
        label={text('settings.lock')}
        help={text('settings.lockHelp')}
        value={String(settings.lockMinutes)}
        fixed={isFixed('lockMinutes')}
        saved={saved === 'lockMinutes'}
        error={errorOf('lockMinutes')}
        read={(typed) => lockMinutesOf(typed) ?? { wrong: text('settings.lockWrong') }}
        onSave={(minutes) => {
          choose('lockMinutes', minutes);
        }}
      />
      <SettingField<string[]>
        code
        label={text('settings.prefixes')}
        help={text('settings.prefixesHelp')}
        value={settings.scannerPrefixes.join(' ')}
        fixed={isFixed('scannerPrefixes')}
        saved={saved === 'scannerPrefixes'}
        error={errorOf('scannerPrefixes')}
        read={(typed) => prefixesOf(typed) ?? { wrong: text('settings.prefixesWrong') }}
        onSave={(prefixes) => {
          choose('scannerPrefixes', prefixes);
        }}
      />
      <SettingField
        code
        label={text('signIn.address')}
        help={text('settings.addressHelp')}
        value={settings.address}
        fixed={isFixed('address')}
        saved={saved === 'address'}
        error={errorOf('address')}
        read={(typed) => typed.trim()}
        onSave={(address) => {
          choose('address', address);
        }}
      />
      <SavedKey />
    </Stack>
  );
}

function Chosen(props: {
  readonly name: Key;
  readonly fixed: boolean;
  readonly children: ReactElement;
}): ReactElement {
  const text = useText();
  return (
    <div data-setting={props.name}>
      {props.children}
      {props.fixed && (
        <Quiet as="p" size="help">
          {text('settings.fixed')}
        </Quiet>
      )}
    </div>
  );
}

/** Saves; main tells every window what holds from then on. */
function useSave(settings: Settings): {
  save: <K extends Key>(key: K, value: Settings[K]) => void;
  problem: { key: Key; problem: Problem } | undefined;
  saved: Key | undefined;
} {
  const [problem, setProblem] = useState<{ key: Key; problem: Problem }>();
  const [saved, setSaved] = useState<Key>();
  // What was saved and isn't told of yet: a second change that comes at once keeps the first.
  const under = useRef<Partial<Settings>>({});
  useEffect(() => {
    under.current = {};
  }, [settings]);
  const save = <K extends Key>(key: K, value: Settings[K]): void => {
    setProblem(undefined);
    setSaved(undefined);
    const before = under.current;
    under.current = { ...before, [key]: value };
    unwrap(window.caregate.saveSettings({ ...settings, ...under.current })).then(
      () => {
        setSaved(key);
      },
      (error: unknown) => {
        under.current = before;
        setProblem({ key, problem: problemOf(error) });
      },
    );
  };
  return { save, problem, saved };
}
