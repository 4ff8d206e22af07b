import { useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { Button } from '../../components/controls.tsx';
import { Quiet } from '../../components/layout.tsx';
import { SecretField } from '../../components/secret-field.tsx';
import { Card } from '../../components/surfaces.tsx';
import { useText } from '../../text/text.tsx';
import { GateForm } from './gate-form.tsx';
import styles from './gate.module.css';
import { useTypedKey } from './key-sign-in.tsx';

export function KeyLock({ keyId }: { keyId: string | undefined }): ReactElement {
  const text = useText();
  const [key, setKey] = useTypedKey();
  const [error, setError] = useState<'lock.wrongKey' | 'signIn.typeKey'>();
  const field = useRef<HTMLInputElement>(null);
  const refuse = (why: typeof error): void => {
    setError(why);
    field.current?.focus();
  };
  return (
    <Card className={styles['card']}>
      <GateForm
        title={text('lock.title')}
        submit={text('lock.unlock')}
        onSubmit={() => {
          if (key.trim() === '') refuse('signIn.typeKey');
          else {
            void window.caregate.unlock({ key }).then(({ ok }) => {
              if (!ok) refuse('lock.wrongKey');
            });
          }
        }}
        others={
          <Button onPress={() => void window.caregate.signOut({})}>{text('lock.switch')}</Button>
        }
      >
        {keyId !== undefined && (
          <Quiet as="p" size="meta">
            {text('status.key', { id: keyId })}
          </Quiet>
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
      </GateForm>
    </Card>
  );
}
