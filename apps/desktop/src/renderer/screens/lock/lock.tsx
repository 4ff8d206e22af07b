import { useState } from 'react';
import type { SyntheticEvent, ReactElement } from 'react';
import { Button, Field } from '../../components/controls.tsx';
import { useStatus } from '../../service/app-state.ts';
import { useText } from '../../text/text.tsx';
import styles from '../sign-in/gate.module.css';

/** Opaque: nothing of a patient is left behind it. Opened by the key of whoever is signed in. */
export function LockScreen(): ReactElement {
  const text = useText();
  const { reason = 'asked', keyId } = useStatus();
  const [key, setKey] = useState('');
  const [wrong, setWrong] = useState(false);
  const onSubmit = (event: SyntheticEvent): void => {
    event.preventDefault();
    setKey('');
    void window.caregate.unlock({ key }).then(({ ok }) => {
      setWrong(!ok);
    });
  };
  return (
    <main className={styles['gate']}>
      <form onSubmit={onSubmit} className={styles['card']}>
        <h1>{text('lock.title')}</h1>
        <p role="status">{text(`reason.${reason}`)}</p>
        {keyId !== undefined && (
          <p className={styles['quiet']}>{text('status.key', { id: keyId })}</p>
        )}
        <Field
          code
          autoFocus
          type="password"
          label={text('lock.key')}
          help={text('signIn.keyHelp')}
          error={wrong ? text('lock.wrongKey') : undefined}
          value={key}
          onChange={setKey}
          maxLength={512}
          autoComplete="off"
        />
        <div className={styles['actions']}>
          <Button kind="main" type="submit" isDisabled={key === ''}>
            {text('lock.unlock')}
          </Button>
          <Button onPress={() => void window.caregate.signOut({})}>{text('lock.switch')}</Button>
        </div>
      </form>
    </main>
  );
}
