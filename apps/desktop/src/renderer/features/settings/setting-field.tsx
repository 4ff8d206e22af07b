import { useState } from 'react';
import type { ReactElement, SyntheticEvent } from 'react';
import { Button, Field } from '../../ui/controls.tsx';
import { Quiet } from '../../ui/layout.tsx';
import { useText } from '../../i18n/text.tsx';
import styles from './settings.module.css';

export function SettingField<T extends string | number | string[]>(props: {
  readonly label: string;
  readonly help: string;
  readonly value: string;
  readonly code?: boolean;
  readonly fixed: boolean;
  readonly saved: boolean;
  readonly error: string | undefined;
  readonly read: (typed: string) => T | { readonly wrong: string };
  readonly onSave: (value: T) => void;
}): ReactElement {
  const { label, help, value, code = false, fixed, saved, error, read, onSave } = props;
  const text = useText();
  // A draft is dropped once the saved value changes.
  const [draft, setDraft] = useState({ over: value, typed: value });
  const [isWrong, setWrong] = useState(false);
  const typed = draft.over === value ? draft.typed : value;
  // Read anew, so that it is in the language of now.
  const refused = isWrong ? read(typed) : undefined;
  const wrong = typeof refused === 'object' && 'wrong' in refused ? refused.wrong : undefined;
  const onSubmit = (event: SyntheticEvent): void => {
    event.preventDefault();
    const entered = read(typed);
    if (typeof entered === 'object' && 'wrong' in entered) {
      setWrong(true);
      return;
    }
    setWrong(false);
    onSave(entered);
  };
  const isUnchanged = typed === value;
  return (
    <form onSubmit={onSubmit} className={styles['entry']}>
      <Field
        code={code}
        label={label}
        help={fixed ? text('settings.fixed') : help}
        error={wrong ?? (isUnchanged ? undefined : error)}
        value={typed}
        isReadOnly={fixed}
        onChange={(next) => {
          setDraft({ over: value, typed: next });
          setWrong(false);
        }}
        maxLength={2048}
        autoComplete="off"
      />
      {!fixed && (
        <Button type="submit" isDisabled={isUnchanged}>
          {text('settings.save')}
        </Button>
      )}
      <Quiet size="help" role="status">
        {saved && isUnchanged ? text('print.saved') : ''}
      </Quiet>
    </form>
  );
}

export function parseLockMinutes(typed: string): number | undefined {
  const minutes = /^\s*(\d{1,2})\s*$/u.exec(typed)?.[1];
  return minutes !== undefined && Number(minutes) >= 1 && Number(minutes) <= 15
    ? Number(minutes)
    : undefined;
}

export function parsePrefixes(typed: string): string[] | undefined {
  const prefixes = [...new Set(typed.split(/\s+/u).filter((prefix) => prefix !== ''))];
  return prefixes.length <= 20 && prefixes.every(({ length }) => length <= 20)
    ? prefixes
    : undefined;
}
