import { useId, useLayoutEffect } from 'react';
import type { ReactElement, RefObject } from 'react';
import { controls } from './controls.tsx';

/** Sets the value as a property alone: a controlled field has it as an attribute too, in the page's own text. */
export function useSecretValue(input: RefObject<HTMLInputElement | null>, value: string): void {
  useLayoutEffect(() => {
    if (input.current !== null && input.current.value !== value) input.current.value = value;
  }, [input, value]);
}

export function SecretField(props: {
  readonly label: string;
  readonly help: string;
  readonly error: string | undefined;
  readonly value: string;
  readonly onChange: (typed: string) => void;
  readonly inputRef: RefObject<HTMLInputElement | null>;
  readonly autoFocus?: boolean;
}): ReactElement {
  const { label, help, error, value, onChange, inputRef, autoFocus = false } = props;
  const id = useId();
  useSecretValue(inputRef, value);
  const isWrong = error !== undefined;
  return (
    <div className={controls.field}>
      <label htmlFor={id} className="bold">
        {label}
      </label>
      <input
        ref={inputRef}
        id={id}
        type="password"
        dir="ltr"
        spellCheck={false}
        autoComplete="off"
        autoFocus={autoFocus}
        maxLength={512}
        className={controls.input}
        aria-invalid={isWrong || undefined}
        {...(isWrong && { 'data-invalid': '' })}
        aria-describedby={`${id}-help`}
        onChange={({ target }) => {
          onChange(target.value);
        }}
      />
      <span id={`${id}-help`} className={isWrong ? 'flagged help' : 'quiet help'}>
        {error ?? help}
      </span>
    </div>
  );
}
