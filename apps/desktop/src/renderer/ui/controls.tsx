import type { LucideIcon } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextArea } from 'react-aria-components/TextArea';
import { TextField as AriaTextField, type TextFieldProps } from 'react-aria-components/TextField';
import { Icon } from './icon.tsx';
import styles from './controls.module.css';

type Kind = 'main' | 'plain' | 'quiet' | 'danger' | 'icon';

/** `main` is the main action of a screen. `danger` is an action that the privacy officer is notified of. */
export function Button({
  kind = 'plain',
  ...props
}: ButtonProps & { kind?: Kind; ref?: Ref<HTMLButtonElement> }) {
  return <AriaButton {...props} className={`${styles['button'] ?? ''} ${styles[kind] ?? ''}`} />;
}

export function IconButton({
  icon,
  label,
  ...props
}: Omit<ButtonProps, 'children' | 'className'> & {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly ref?: Ref<HTMLButtonElement>;
}) {
  return (
    <Button kind="icon" aria-label={label} {...props}>
      <span title={label}>
        <Icon of={icon} />
      </span>
    </Button>
  );
}

interface FieldProps extends Omit<TextFieldProps, 'className'> {
  readonly label: ReactNode;
  readonly help?: ReactNode;
  readonly error?: string | undefined;
  readonly code?: boolean;
  readonly inputRef?: Ref<HTMLInputElement> | undefined;
  readonly area?: { readonly rows: number; readonly ref: Ref<HTMLTextAreaElement> };
  readonly className?: string | undefined;
}

export function Field({
  label,
  help,
  error,
  code = false,
  inputRef,
  area,
  isInvalid = error !== undefined,
  className = '',
  ...props
}: FieldProps) {
  return (
    // "aria" shows the error and allows another submit, which "native" would block.
    <AriaTextField
      {...props}
      validationBehavior="aria"
      isInvalid={isInvalid}
      className={`${styles['field'] ?? ''} ${className}`}
    >
      <Label className="bold">{label}</Label>
      {area === undefined ? (
        <Input
          ref={inputRef}
          className={styles['input'] ?? ''}
          {...(code && { dir: 'ltr', spellCheck: false })}
        />
      ) : (
        <TextArea {...area} className={styles['input'] ?? ''} />
      )}
      {help !== undefined && error === undefined && (
        <Text slot="description" className="quiet help">
          {help}
        </Text>
      )}
      <FieldError className="flagged help">{error}</FieldError>
    </AriaTextField>
  );
}

/** An ID or code, which is written from left to right inside text of any direction. */
export function Code({ children }: { children: ReactNode }) {
  return (
    <bdi dir="ltr" className={styles['code']}>
      {children}
    </bdi>
  );
}

export function KeyCap(props: { readonly keys: string; readonly isSilent?: boolean }) {
  const { keys, isSilent = false } = props;
  return <kbd aria-hidden={isSilent}>{keys}</kbd>;
}

/** Keys with a description of what they do. */
export function KeyHint(props: { readonly keys: readonly string[]; readonly children: string }) {
  return (
    <span className="line gap2">
      {props.keys.map((key) => (
        <KeyCap key={key} keys={key} />
      ))}
      {props.children}
    </span>
  );
}

export function Select<T extends string>(props: {
  readonly label?: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, text: string])[];
  readonly onChange: (value: T) => void;
  readonly isDisabled?: boolean;
  readonly className?: string | undefined;
  readonly ref?: Ref<HTMLSelectElement>;
}) {
  const { label, value, options, onChange, isDisabled = false, className = '', ref } = props;
  return (
    <select
      ref={ref}
      aria-label={label}
      disabled={isDisabled}
      value={value}
      className={`${selectClass} ${className}`}
      onChange={({ target }) => onChange(target.value as T)}
    >
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** The class of a number field that looks like a select. */
export const selectClass = styles['select'] ?? '';
