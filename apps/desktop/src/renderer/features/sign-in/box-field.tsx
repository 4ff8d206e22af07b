import { useId } from 'react';
import type { InputHTMLAttributes, ReactElement, RefObject } from 'react';
import { Quiet, Stack } from '../../ui/layout.tsx';
import { useSecretValue } from '../../ui/use-secret-value.ts';
import styles from './gate.module.css';

/** A box for each character, over which one field takes what is typed or pasted. */
export function BoxField(props: {
  readonly label: string;
  readonly value: string;
  readonly read: (typed: string) => string;
  readonly onChange: (value: string) => void;
  readonly boxes: number;
  readonly isHidden?: boolean;
  readonly help: string;
  readonly error?: string | undefined;
  readonly inputRef: RefObject<HTMLInputElement | null>;
  readonly input: InputHTMLAttributes<HTMLInputElement>;
}): ReactElement {
  const { label, value, read, onChange, boxes, isHidden = false, help, error, inputRef } = props;
  const id = useId();
  useSecretValue(inputRef, value);
  return (
    <Stack className={styles['pin']}>
      <label htmlFor={id} className="body bold">
        {label}
      </label>
      <div className={styles['boxes']} dir="ltr" {...(!isHidden && { 'data-code': '' })}>
        {Array.from({ length: boxes }, (_, place) => (
          <span
            key={place}
            aria-hidden="true"
            {...(isHidden && place < value.length && { 'data-typed': '' })}
          >
            {!isHidden && value[place]}
          </span>
        ))}
        <input
          {...props.input}
          ref={inputRef}
          id={id}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={`${id}-help`}
          onChange={({ target }) => {
            const next = read(target.value);
            if (next !== target.value) target.value = next;
            onChange(next);
          }}
          // The caret isn't seen: it stays at the end.
          onSelect={({
            currentTarget: { value: all, selectionStart, selectionEnd },
            currentTarget,
          }) => {
            if (selectionStart === selectionEnd && selectionEnd !== all.length)
              currentTarget.setSelectionRange(all.length, all.length);
          }}
        />
      </div>
      {error === undefined ? (
        <Quiet as="p" size="meta" id={`${id}-help`}>
          {help}
        </Quiet>
      ) : (
        <p id={`${id}-help`} className="bold flagged">
          {error}
        </p>
      )}
    </Stack>
  );
}
