import type { ReactElement, ReactNode, Ref } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import type { ButtonProps } from 'react-aria-components/Button';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextField as AriaTextField } from 'react-aria-components/TextField';
import type { TextFieldProps } from 'react-aria-components/TextField';
import styles from './controls.module.css';

type Kind = 'main' | 'plain' | 'quiet' | 'danger' | 'icon';

/** A button: `main` for the one action that a screen is for, `danger` for what the auditor is told of at once. */
export function Button({
  kind = 'plain',
  ...props
}: ButtonProps & { kind?: Kind; ref?: Ref<HTMLButtonElement> }): ReactElement {
  return <AriaButton {...props} className={`${styles['button'] ?? ''} ${styles[kind] ?? ''}`} />;
}

interface FieldProps extends TextFieldProps {
  readonly label: string;
  readonly help?: string | undefined;
  readonly error?: string | undefined;
  /** Ids, keys and addresses are read from left to right in every language. */
  readonly code?: boolean;
  /** The input element, for the focus. */
  readonly inputRef?: Ref<HTMLInputElement> | undefined;
}

/** A labelled text input with its help and its error. */
export function Field(given: FieldProps): ReactElement {
  const { label, help, error, code = false, inputRef, ...props } = given;
  return (
    // "aria" shows the error and lets the form be submitted again; "native" would block it.
    <AriaTextField
      {...props}
      validationBehavior="aria"
      isInvalid={error !== undefined}
      className={styles['field'] ?? ''}
    >
      <Label className={styles['label'] ?? ''}>{label}</Label>
      <Input
        ref={inputRef}
        className={styles['input'] ?? ''}
        {...(code && { dir: 'ltr', spellCheck: false })}
      />
      {help !== undefined && (
        <Text slot="description" className={styles['help'] ?? ''}>
          {help}
        </Text>
      )}
      <FieldError className={styles['error'] ?? ''}>{error}</FieldError>
    </AriaTextField>
  );
}

/** An id or a code: left to right and unbroken, inside text of any direction. */
export function Code({ children }: { children: ReactNode }): ReactElement {
  return (
    <bdi dir="ltr" className={styles['code']}>
      {children}
    </bdi>
  );
}

/** A key, as it is written on keyboards everywhere. */
export function KeyCap(props: {
  readonly keys: string;
  /** Beside a control that is read aloud without it. */
  readonly isSilent?: boolean;
}): ReactElement {
  const { keys, isSilent = false } = props;
  return <kbd aria-hidden={isSilent}>{keys}</kbd>;
}

/** The looks of a field's parts, for the fields that are made elsewhere. */
export const controls = {
  field: styles['field'] ?? '',
  label: styles['label'] ?? '',
  input: styles['input'] ?? '',
  help: styles['help'] ?? '',
  error: styles['error'] ?? '',
} as const;
