import { useState } from 'react';
import type { ReactElement } from 'react';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { TextField } from 'react-aria-components/TextField';
import { useIntl } from 'react-intl';
import { useText } from '../text/text.tsx';
import { dayOrder, readDay, writtenDay } from './day-text.ts';
import styles from './day-field.module.css';

interface DayFieldProps {
  readonly label: string;
  /** YYYY-MM-DD. */
  readonly value: string | undefined;
  /** Undefined while what is typed is no day. */
  readonly onChange: (day: string | undefined) => void;
}

/**
 * A day that is typed in the order of the page's language, which its label names. (Chromium's own field has the order
 * of the language that the program was started in; React Aria's breaks Trusted Types.)
 */
export function DayField(props: DayFieldProps): ReactElement {
  const { locale } = useIntl();
  // What was typed in one order is never read in another.
  return <Typed key={locale} {...props} />;
}

function Typed({ label, value, onChange }: DayFieldProps): ReactElement {
  const { locale } = useIntl();
  const text = useText();
  const [typed, setTyped] = useState(value === undefined ? '' : writtenDay(value, locale));
  const pattern = dayOrder(locale)
    .map((part) => text(`day.${part}`))
    .join('/');
  return (
    <TextField
      value={typed}
      validationBehavior="aria"
      isInvalid={readDay(typed, locale) === undefined}
      onChange={(next) => {
        setTyped(next);
        onChange(readDay(next, locale));
      }}
      maxLength={10}
      autoComplete="off"
      className={styles['field'] ?? ''}
    >
      <Label>
        {label} <bdi className={styles['pattern']}>{pattern}</bdi>
      </Label>
      <Input dir="ltr" spellCheck={false} className={styles['input'] ?? ''} />
    </TextField>
  );
}
