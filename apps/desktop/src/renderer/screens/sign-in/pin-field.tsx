import { useId } from 'react';
import type { ReactElement, RefObject } from 'react';
import { Quiet, Stack } from '../../components/layout.tsx';
import { useSecretValue } from '../../components/secret-field.tsx';
import { latinDigits, useText } from '../../text/text.tsx';
import styles from './gate.module.css';

/** A box for each digit; what is typed is never shown. */
export function PinField(props: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (digits: string) => void;
  readonly min: number;
  readonly max: number;
  readonly help?: string | undefined;
  readonly error?: string | undefined;
  readonly autoFocus?: boolean;
  readonly inputRef: RefObject<HTMLInputElement | null>;
}): ReactElement {
  const { label, value, onChange, min, max, help, error, autoFocus = false, inputRef } = props;
  const text = useText();
  const id = useId();
  useSecretValue(inputRef, value);
  const boxes = Math.max(min, Math.min(max, value.length));
  return (
    <Stack className={styles['pin']}>
      <label htmlFor={id} className={styles['pinLabel']}>
        {label}
      </label>
      <div className={styles['boxes']} dir="ltr">
        {Array.from({ length: boxes }, (_, place) => (
          <span
            key={place}
            aria-hidden="true"
            {...(place < value.length && { 'data-typed': '' })}
          />
        ))}
        <input
          ref={inputRef}
          id={id}
          type="password"
          inputMode="numeric"
          autoComplete="off"
          autoFocus={autoFocus}
          maxLength={max}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={`${id}-help`}
          onChange={({ target }) => {
            const digits = latinDigits(target.value).replaceAll(/\D/gu, '');
            if (digits !== target.value) target.value = digits;
            onChange(digits);
          }}
        />
      </div>
      {error === undefined ? (
        <Quiet as="p" size="meta" id={`${id}-help`}>
          {help ?? text(min === max ? 'pin.exactly' : 'pin.digits', { min, max })}
        </Quiet>
      ) : (
        <p id={`${id}-help`} className={styles['wrong']}>
          {error}
        </p>
      )}
    </Stack>
  );
}
