import { useState } from 'react';
import type { ReactElement, Ref } from 'react';
import { useIntl } from 'react-intl';
import { Field } from '../../components/controls.tsx';
import { useText } from '../../text/text.tsx';
import { dayOrder, readDay, writtenDay, YEARS } from './day-text.ts';
import styles from './day-field.module.css';

interface DayFieldProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (day: string | undefined) => void;
  readonly clash?: string | undefined;
  readonly inputRef?: Ref<HTMLInputElement>;
}

/** Typed in the language's order: Chromium's own field uses the system's, React Aria's breaks Trusted Types. */
export function DayField(props: DayFieldProps): ReactElement {
  const { locale } = useIntl();
  // A text in one order is never read in another.
  return <Typed key={locale} {...props} />;
}

function Typed({ label, value, onChange, clash, inputRef }: DayFieldProps): ReactElement {
  const { locale } = useIntl();
  const text = useText();
  const [typed, setTyped] = useState(value === undefined ? '' : writtenDay(value, locale));
  const [isDone, setDone] = useState(true);
  const pattern = dayOrder(locale)
    .map((part) => text(`day.${part}`))
    .join('/');
  const read = readDay(typed, locale);
  // An unfinished day is wrong only once typing has ended.
  const wrong = 'wrong' in read && (isDone || read.wrong !== 'incomplete') ? read.wrong : undefined;
  return (
    <Field
      code
      label={
        <>
          {label} <bdi className="quiet help">{pattern}</bdi>
        </>
      }
      error={
        wrong &&
        text(`day.wrong.${wrong}`, { pattern, first: `${YEARS.first}`, last: `${YEARS.last}` })
      }
      value={typed}
      isInvalid={wrong !== undefined || clash !== undefined}
      {...(clash !== undefined && { 'aria-describedby': clash })}
      onChange={(next) => {
        setTyped(next);
        setDone(false);
        const now = readDay(next, locale);
        onChange('day' in now ? now.day : undefined);
      }}
      onBlur={() => {
        setDone(true);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') setDone(true);
        event.continuePropagation();
      }}
      maxLength={10}
      autoComplete="off"
      inputRef={inputRef}
      className={styles['field']}
    />
  );
}
