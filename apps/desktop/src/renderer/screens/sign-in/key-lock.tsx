import { useRef, useState } from 'react';
import type { SyntheticEvent, ReactElement } from 'react';
import { Button } from '../../components/controls.tsx';
import { SecretField } from '../../components/secret-field.tsx';
import { useText } from '../../text/text.tsx';
import styles from './gate.module.css';
import { useTypedKey } from './use-sign-in.ts';

/** Opened by the key of whoever is signed in. */
export function KeyLock({ keyId }: { keyId: string | undefined }): ReactElement {
  const text = useText();
  const [key, setKey] = useTypedKey();
  const [error, setError] = useState<'lock.wrongKey' | 'signIn.typeKey'>();
  const field = useRef<HTMLInputElement>(null);
  const refuse = (why: 'lock.wrongKey' | 'signIn.typeKey'): void => {
    setError(why);
    field.current?.focus();
  };
  const onSubmit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (key.trim() === '') {
      refuse('signIn.typeKey');
      return;
    }
    void window.caregate.unlock({ key }).then(({ ok }) => {
      if (!ok) refuse('lock.wrongKey');
    });
  };
  return (
    <form onSubmit={onSubmit} className={`${styles['card'] ?? ''} ${styles['form'] ?? ''}`}>
      <h1>{text('lock.title')}</h1>
      {keyId !== undefined && (
        <p className={styles['quiet']}>{text('status.key', { id: keyId })}</p>
      )}
      <SecretField
        autoFocus
        label={text('lock.key')}
        help={text('signIn.keyHelp')}
        error={error === undefined ? undefined : text(error)}
        value={key}
        onChange={(typed) => {
          setKey(typed);
          setError(undefined);
        }}
        inputRef={field}
      />
      <div className={styles['actions']}>
        <Button kind="main" type="submit">
          {text('lock.unlock')}
        </Button>
        <Button onPress={() => void window.caregate.signOut({})}>{text('lock.switch')}</Button>
      </div>
    </form>
  );
}
