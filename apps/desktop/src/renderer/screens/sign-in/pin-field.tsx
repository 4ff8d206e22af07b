import { useId, useLayoutEffect, useRef } from 'react';
import type { ReactElement, RefObject } from 'react';
import { useText } from '../../text/text.tsx';
import styles from './gate.module.css';

/** A PIN while it is typed: one field, drawn as a box for each digit; what is typed is never shown. */
export function PinField(props: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (digits: string) => void;
  readonly min: number;
  readonly max: number;
  readonly help?: string | undefined;
  readonly error?: string | undefined;
  readonly autoFocus?: boolean;
  readonly inputRef?: RefObject<HTMLInputElement | null>;
}): ReactElement {
  const { label, value, onChange, min, max, help, error, autoFocus = false, inputRef } = props;
  const text = useText();
  const id = useId();
  const own = useRef<HTMLInputElement>(null);
  const field = inputRef ?? own;
  // By its property alone: a controlled field has what was typed as an attribute too, in the page's own text.
  useLayoutEffect(() => {
    if (field.current !== null && field.current.value !== value) field.current.value = value;
  }, [field, value]);
  const boxes = Math.max(min, Math.min(max, value.length));
  return (
    <div className={styles['pin']}>
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
          ref={field}
          id={id}
          type="password"
          inputMode="numeric"
          autoComplete="off"
          autoFocus={autoFocus}
          maxLength={max}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={`${id}-help`}
          onChange={({ target }) => {
            const digits = digitsOf(target.value);
            if (digits !== target.value) target.value = digits;
            onChange(digits);
          }}
        />
      </div>
      <p id={`${id}-help`} className={error === undefined ? styles['quiet'] : styles['wrong']}>
        {error ?? help ?? text(min === max ? 'pin.exactly' : 'pin.digits', { min, max })}
      </p>
    </div>
  );
}

/** Western digits, also of those typed in Arabic ones. */
function digitsOf(typed: string): string {
  return typed
    .replaceAll(/[٠-٩]/gu, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replaceAll(/[۰-۹]/gu, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .replaceAll(/\D/gu, '');
}
