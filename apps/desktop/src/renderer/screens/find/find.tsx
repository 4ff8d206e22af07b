import type { SyntheticEvent, ReactElement } from 'react';
import { looksLikePersonalIdentifier } from '@caregate/domain';
import { Button, Field } from '../../components/controls.tsx';
import { useMasked } from '../../state/mask.tsx';
import { LookUpStatus } from '../../components/look-up-status.tsx';
import { useLookUp, useSearchText } from '../../state/look-up.tsx';
import { useAutoFocus } from '../../state/navigation.tsx';
import { startMeasure } from '../../state/performance.ts';
import { useText } from '../../text/text.tsx';
import { RecentPeople } from './recent-people.tsx';
import { UserList } from './user-list.tsx';
import styles from './find.module.css';

/** One field; Enter looks the id up. Under it, who was here before, and who there is. */
export function FindScreen(): ReactElement {
  const text = useText();
  const { typed, setTyped } = useSearchText();
  const { lookUp, pending } = useLookUp();
  const masked = useMasked();
  const field = useAutoFocus<HTMLInputElement>();
  const id = typed.trim();
  const isPersonal = looksLikePersonalIdentifier(id) !== undefined;
  const onSubmit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (id !== '' && id !== pending) lookUp(id);
  };
  return (
    <div className={styles['find']}>
      <h1>{text('find.title')}</h1>
      <form onSubmit={onSubmit} className={styles['form']}>
        <Field
          code
          inputRef={field}
          type={masked ? 'password' : 'text'}
          label={text('find.field')}
          help={text('find.help')}
          value={typed}
          onChange={(next) => {
            startMeasure('filter');
            setTyped(next);
          }}
          maxLength={1024}
          autoComplete="off"
        />
        <Button kind="main" type="submit" isDisabled={id === ''}>
          {text('find.submit')}
        </Button>
      </form>
      <p role="status" className={styles['personal']}>
        {isPersonal && text('find.looksLike')}
      </p>
      <LookUpStatus />
      <RecentPeople />
      <UserList filter={id} onChoose={lookUp} />
    </div>
  );
}
