import { useState } from 'react';
import type { SyntheticEvent, ReactElement } from 'react';
import { looksLikePersonalIdentifier } from '@caregate/domain';
import { Button, Field } from '../../components/controls.tsx';
import { ProblemNote } from '../../components/problem.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { useText } from '../../text/text.tsx';
import { UserList } from './user-list.tsx';
import { useResolve } from './use-resolve.ts';
import styles from './find.module.css';

/** One field; Enter looks the id up. Under it, who there is. */
export function FindScreen(): ReactElement {
  const text = useText();
  const [typed, setTyped] = useState('');
  const { resolve, cancel, pending, failure } = useResolve();
  const id = typed.trim();
  const onSubmit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (id !== '' && id !== pending) resolve(id);
  };
  return (
    <div className={styles['find']}>
      <h1>{text('find.title')}</h1>
      <form onSubmit={onSubmit} className={styles['form']}>
        <Field
          code
          autoFocus
          label={text('find.field')}
          help={text(
            looksLikePersonalIdentifier(id) === undefined ? 'find.help' : 'find.looksLike',
          )}
          value={typed}
          onChange={setTyped}
          maxLength={1024}
          autoComplete="off"
        />
        <Button kind="main" type="submit" isDisabled={id === ''}>
          {text('find.submit')}
        </Button>
      </form>
      {pending !== undefined && <Waiting onCancel={cancel} />}
      {failure !== undefined && failure.problem.kind !== 'cancelled' && (
        <ProblemNote
          problem={failure.problem}
          {...(failure.problem.kind === 'notFound' && {
            sentence: text('find.notFound', { id: failure.id }),
          })}
          onRetry={() => {
            resolve(failure.id);
          }}
        />
      )}
      <UserList filter={id} onChoose={resolve} />
    </div>
  );
}
