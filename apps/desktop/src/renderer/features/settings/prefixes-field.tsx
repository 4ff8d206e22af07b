import { useState } from 'react';
import type { SettingsChange } from '../../../shared/requests.ts';
import { Button, Field } from '../../ui/controls.tsx';
import { toast } from '../../app/toasts.ts';
import { useText } from '../../i18n/text.tsx';
import styles from './settings.module.css';

export function PrefixesField(props: {
  readonly prefixes: readonly string[];
  readonly isFixed: boolean;
  readonly save: (change: SettingsChange) => Promise<boolean>;
}) {
  const { prefixes, isFixed, save } = props;
  const text = useText();
  const [typed, setTyped] = useState(() => prefixes.join(' '));
  const [isWrong, setWrong] = useState(false);
  const submit = async (): Promise<void> => {
    const scannerPrefixes = parsePrefixes(typed);
    setWrong(scannerPrefixes === undefined);
    if (scannerPrefixes === undefined || !(await save({ scannerPrefixes }))) return;
    setTyped(scannerPrefixes.join(' '));
    toast.info('print.saved');
  };
  return (
    <form
      className={styles['entry']}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field
        code
        label={text('settings.prefixes')}
        help={text(isFixed ? 'settings.fixed' : 'settings.prefixesHelp')}
        error={isWrong ? text('settings.prefixesWrong') : undefined}
        value={typed}
        isReadOnly={isFixed}
        onChange={(next) => {
          setTyped(next);
          setWrong(false);
        }}
        maxLength={2048}
        autoComplete="off"
      />
      {!isFixed && (
        <Button type="submit" isDisabled={typed === prefixes.join(' ')}>
          {text('settings.save')}
        </Button>
      )}
    </form>
  );
}

export function parsePrefixes(typed: string): string[] | undefined {
  const prefixes = [...new Set(typed.split(/\s+/u).filter((prefix) => prefix !== ''))];
  return prefixes.length <= 20 && prefixes.every(({ length }) => length <= 20)
    ? prefixes
    : undefined;
}
